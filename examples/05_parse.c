/* A CSV file into an arena: fields as Refs of 12 bytes, rows as a growing slice of them. Growth is
 * in place while nothing else is stored, and the whole table is gone with one call. */
#define ARENA_IMPLEMENTATION
#include "../arena.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

struct row { arena_ref_t name, city; long year; };
ARENA_DEFINE(rows, struct row);

static const char *const csv =
    "name,city,year\n"
    "\"Lovelace, Ada\",London,1815\n"
    "Hopper,New York,1906\n"
    "\"Turing \"\"Prof\"\"\",London,1912\n"
    "Hamilton,Paoli,1936\n";

/* One field, unquoted on its way into the arena. Moves *at behind it and its comma. */
static arena_ref_t field(arena_t *a, const char **at)
{
    const char *s = *at;
    arena_slice_t text = { 0 };
    if (*s == '"') {
        for (s++; *s != '\0' && (*s != '"' || s[1] == '"'); s++) {
            if (*s == '"')
                s++;                             /* "" stands for one quote */
            if (!arena_push(a, &text, *s))
                break;
        }
        if (*s == '"')
            s++;
    } else {
        size_t n = strcspn(s, ",\n");
        (void)arena_extend(a, &text, s, n);      /* a failure stays in arena_status */
        s += n;
    }
    *at = *s == ',' ? s + 1 : s;
    return arena_strref_n(a, text.data, text.len);
}

int main(void)
{
    arena_t text = { 0 };
    rows_t table = { 0 };
    rows_slice_t rows = { 0 };
    const char *at = strchr(csv, '\n') + 1;
    size_t i;
    while (*at != '\0') {
        struct row r;
        r.name = field(&text, &at);
        r.city = field(&text, &at);
        r.year = strtol(at, NULL, 10);
        at = strchr(at, '\n') + 1;
        if (!rows_push(&table, &rows, r))
            break;
    }
    if (arena_status(&text) != ARENA_OK || rows_status(&table) != ARENA_OK)
        return 1;
    for (i = 0; i < rows.len; i++)
        printf("%-14s %-9s %ld\n", arena_str(&text, rows.data[i].name),
               arena_str(&text, rows.data[i].city), rows.data[i].year);
    arena_release(&text);
    rows_release(&table);
    return 0;
}
