/* The floor with copy_eight of copies.h. */
#include "copies.h"
#define FLOOR_NAME floor_eight
#define FLOOR_TITLE "floor, eight copy"
#define FLOOR_COPY(d, s, n) copy_eight(d, s, n)
#include "floor.h"
