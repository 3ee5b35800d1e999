/* clang -std=c99 -g -O1 -fsanitize=fuzzer,address,undefined tests/fuzz.c -o build/fuzz
 * build/fuzz tests/corpus/arena
 * (AFL++: afl-clang-fast -std=c99 -g -O1 -fsanitize=fuzzer tests/fuzz.c; the group: -DFUZZ_GROUP)
 *
 * The models as fuzz targets. The input is a program of operations (model.h), and what does not
 * hold ends the process. `make fuzz` and `make fuzz-afl` run both models for a short while.
 * build/model FILE repeats what a fuzzer found, and build/model --program=HEX prints it.
 */
#define ARENA_IMPLEMENTATION
#define MODEL_FUZZ 1
#ifdef FUZZ_GROUP
#include "model_group.c"
#else
#include "model.c"
#endif

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size);

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    model.check_every = 1;
    if (size <= 4096 && !model_once(data, size)) {
        fprintf(stderr, "step %lu, line %d: does not hold: %s\n", (unsigned long)model.step,
                model.failed_line, model.failed);
        abort();
    }
    return 0;
}
