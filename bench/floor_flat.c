/* The floor with copy_flat of copies.h. */
#include "copies.h"
#define FLOOR_NAME floor_flat
#define FLOOR_TITLE "floor, flat copy"
#define FLOOR_COPY(d, s, n) copy_flat(d, s, n)
#include "floor.h"
