/* The floor with libc's memcpy. */
#include "bench.h"
#define FLOOR_NAME floor_memcpy
#define FLOOR_TITLE "floor, memcpy"
#define FLOOR_COPY(d, s, n) memcpy(d, s, n)
#include "floor.h"
