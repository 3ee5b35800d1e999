/* A user in a unit of its own, with its types made by the same macros as in unit_more.c. */
#include "../../arena.h"
#define USE_NAME use_main
#include "use.h"

int use_more(void);

int main(void) { return use_main() == 0 && use_more() == 0 ? 0 : 1; }
