// One element too many is read behind the last value of a typed arena.
// catch asan: use-after-poison
// catch valgrind: Invalid read
#define ARENA_IMPLEMENTATION
#include "../../arena.h"
ARENA_DEFINE(numbers, double);

int main(void)
{
    static const double three[3] = {1, 2, 3};
    numbers_t a = numbers_make(0);
    const double *view = numbers_append(&a, three, 3);
    double sum = view[2];
#ifdef PLANTED
    sum += view[3];
#endif
    numbers_release(&a);
    return sum < 3;
}
