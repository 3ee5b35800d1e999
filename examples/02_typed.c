/* An arena of one type: ARENA_DEFINE makes points_t, points_append, points_ref and the rest. */
#define ARENA_IMPLEMENTATION
#include "../arena.h"

#include <stdio.h>

struct point { double x, y; };
ARENA_DEFINE(points, struct point);

int main(void)
{
    static const struct point triangle[] = { { 0, 0 }, { 4, 0 }, { 0, 3 } };
    points_t a = points_make(0);                 /* 0 = chunks of 64 KiB */
    points_ref_t shapes[3];
    size_t i, k;

    /* Values are copied in; a value is one or more points, side by side. */
    shapes[0] = points_ref(&a, triangle, 3);
    shapes[1] = points_ref(&a, &triangle[1], 1);

    /* Or filled in place. */
    {
        struct point *p = points_reserve_ref(&a, 5, &shapes[2]);
        if (p == NULL)
            return 1;
        for (i = 0; i < 5; i++) {
            p[i].x = (double)i;
            p[i].y = (double)(i * i);
        }
    }
    for (i = 0; i < 3; i++) {
        points_view_t v = points_value(&a, shapes[i]);
        printf("shape %lu:", (unsigned long)i);
        for (k = 0; k < v.len; k++)
            printf(" (%g, %g)", v.data[k].x, v.data[k].y);
        printf("\n");
    }
    printf("%lu points, %lu bytes\n", (unsigned long)(points_size(&a) / sizeof(struct point)),
           (unsigned long)points_size(&a));
    if (points_status(&a) != ARENA_OK)           /* one check for all of the batch */
        return 1;
    points_release(&a);
    return 0;
}
