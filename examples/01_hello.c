/* Bytes and strings in the byte arena: copy in, get a view back, rewind all of it at once. */
#define ARENA_IMPLEMENTATION
#include "../arena.h"

#include <stdio.h>

int main(void)
{
    static const unsigned char packet[] = { 0xde, 0xad, 0xbe, 0xef };
    const char *const parts[] = { "views", "refs", "rewind" };
    arena_t a = { 0 };                           /* ready as it is; arena_make(bytes) to choose */
    const char *name, *line;
    const unsigned char *copy;
    arena_ref_t ref;
    arena_view_t view;

    name = arena_intern(&a, "world");            /* a copy that ends in NUL */
    line = arena_printf(&a, "hello, %s, %d times", name, 3);
    copy = (const unsigned char *)arena_append(&a, packet, sizeof packet);
    ref = arena_strref(&a, "kept by its Ref");   /* 12 bytes without a pointer */
    if (name == NULL || line == NULL || copy == NULL || arena_ref_empty(ref)) {
        fprintf(stderr, "%s\n", arena_status_text(arena_status(&a)));
        return 1;
    }
    view = arena_value(&a, ref);
    printf("%s\n", line);
    printf("packet: %02x%02x%02x%02x\n", copy[0], copy[1], copy[2], copy[3]);
    printf("ref:    %.*s (%lu bytes)\n", (int)view.len, view.data, (unsigned long)view.len);
    printf("joined: %s\n", arena_strjoin(&a, ", ", parts, 3));
    printf("stored: %lu bytes in %lu chunk\n", (unsigned long)arena_size(&a),
           (unsigned long)arena_chunk_count(&a));

    arena_reset(&a);                             /* everything above is gone, the memory stays */
    printf("after the reset: %lu bytes, the old Ref gives %lu\n", (unsigned long)arena_size(&a),
           (unsigned long)arena_value(&a, ref).len);
    arena_release(&a);
    return 0;
}
