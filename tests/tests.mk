# The test program and everything that is run on it. Included by the Makefile.

# ---- the test program ----------------------------------------------------------------------------
# The families are those of tests.def, in its order. FAMILIES="core strings" builds and runs a
# program of these alone.
FAMILIES     ?=
ALL_FAMILIES := $(shell awk -F'[^A-Za-z0-9_]+' '$$1 == "T" && !seen[$$2]++ { print $$2 }' \
                tests/tests.def)
TEST_DIR     := $(B)/tests
USED         := $(or $(FAMILIES),$(ALL_FAMILIES))
ifneq ($(FAMILIES),)
TEST_DIR     := $(B)/tests-part
TEST_DEFS    := -DTEST_TABLE='"$(CURDIR)/$(TEST_DIR)/part.def"'
endif
# main.c alone holds ARENA_IMPLEMENTATION.
TEST_OBJ     := $(TEST_DIR)/main.o $(USED:%=$(TEST_DIR)/%.o)
TEST_EXE     := $(TEST_DIR)/tests$(EXE)
TEST_FLAGS    = $(STD) $(WARN) $(CPPFLAGS) $(CFLAGS) $(THREADS) $(TEST_DEFS)
ARGS         ?=

.PHONY: run-tests
tests: $(TEST_EXE) ## builds the test program

run-tests: $(TEST_EXE)
	$(RUN) $(TEST_EXE) $(ARGS)

.PHONY: huge
huge: $(TEST_EXE) ## Refs of gigabytes and 2^23 chunks with real memory (1.3 GiB)
	ARENA_TEST_HUGE=1 $(RUN) $(TEST_EXE) huge_

$(TEST_EXE): $(TEST_OBJ)
	$(CC) $(STD) $(CFLAGS) $(LDFLAGS) $(TEST_OBJ) $(LDLIBS) $(THREADS) -o $@

TEST_DEPENDS := $(TEST_DIR)/flags tests/tests.def tests/test.h tests/support.h arena.h
$(TEST_DIR)/%.o: tests/%.c $(TEST_DEPENDS) $(if $(FAMILIES),$(TEST_DIR)/part.def)
	$(CC) $(TEST_FLAGS) -c $< -o $@

# Rewritten only when it changes, so that objects are rebuilt when, and only when, the compiler or a
# flag is another one.
$(TEST_DIR)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(subst ','\'',$(TEST_FLAGS)) $(USED)' >$@.new; \
	if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(TEST_DIR)/part.def: tests/tests.def $(TEST_DIR)/flags
	@for f in $(FAMILIES); do grep "^T[(]$$f," $< || exit 1; done >$@

# ---- checks of `make test` beside the tests themselves -------------------------------------------
.PHONY: check-harness check-compile check-bad symbols
CHECKS += check-harness check-compile check-bad symbols
export CC CXX

check-harness: ## deliberately failing tests: the harness must report each of them
	@sh tests/tools/check-harness.sh $(B)/harness

check-compile: ## arena.h alone, twice, in two units, in C and C++, hostile macros; quick starts
	@OPT=$(or $(OPT),-O0) sh tests/tools/check-compile.sh $(B)/compile

check-bad: ## programs that must not compile, with few lines of diagnostics (gcc and clang)
	@sh tests/tools/check-bad.sh $(B)/bad

symbols: ## nothing but arena_ symbols and ARENA_ macros; no libc allocation beside the hook
	@sh tests/tools/symbols.sh $(B)/symbols

# ---- more compilers, sanitizers, analyzers, processors -------------------------------------------
# Each of these reports a missing tool as skipped and ends with the number of what passed, failed
# and was skipped. ARGS="--seed=3 append" goes to the test program, OPT=-O2 to the compiler.
.PHONY: check-all asan ubsan msan tsan tysan valgrind planted check-debug analyze qemu wine wasm cortex-m0
export ARGS OPT RUN

check-all: ## the tests under gcc 11-12, clang 14-22, tcc, musl, all levels of C, C++; QUICK=1: some
	@sh tests/tools/matrix.sh $(B)/matrix

asan ubsan msan tsan tysan valgrind: ## the tests under one sanitizer, by gcc and clang
	@sh tests/tools/sanitize.sh $(B)/$@ $@

planted: ## planted mistakes that each sanitizer must report: read after reset, past a value, races
	@sh tests/tools/planted.sh $(B)/planted

check-debug: ## the tests with ARENA_DEBUG 1, 2 and 3
	@for level in 1 2 3; do \
	    $(MAKE) run-tests CPPFLAGS="$(CPPFLAGS) -DARENA_DEBUG=$$level" B=$(B)/debug$$level || \
	        exit 1; \
	done

analyze: ## gcc -fanalyzer, clang-tidy and cppcheck: no report, and each reports a planted mistake
	@sh tests/tools/analyze.sh $(B)/analyze

ARCHS ?= i386 aarch64 armhf riscv64 s390x mips powerpc m68k
qemu: ## the tests on other processors: ARCHS="i386 aarch64 armhf riscv64 s390x mips powerpc m68k"
	@sh tests/tools/cross.sh $(B)/qemu $(ARCHS)

wine: ## the tests on 64-bit Windows, by wine
	@sh tests/tools/wine.sh $(B)/wine

wasm: ## the tests as WebAssembly, by node
	@sh tests/tools/wasm.sh $(B)/wasm

cortex-m0: ## freestanding, for Cortex-M0: code size of each part, the core at most LIMIT=2048
	@sh tests/tools/cortex-m0.sh $(B)/cortex-m0

# ---- how good the tests are ----------------------------------------------------------------------
.PHONY: coverage mutants
export COVERAGE MISSING

coverage: ## lines, branches, MC/DC of arena.h by clang-19; COVERAGE=N is the least per cent (100)
	@sh tests/tools/coverage.sh $(B)/coverage

# The threshold of a small sample is lower, since chance weighs more in it. MUTANT_FUNCTIONS
# is a regular expression: the mutants of functions and macros with such a name alone.
MUTANTS          ?= 600
MUTANT_SEED      ?= 1
MUTANT_THRESHOLD ?= 95
MUTANT_FUNCTIONS ?=
mutants: ## changes arena.h in one place: the tests must notice; MUTANTS=600 or all, MUTANT_SEED=1
	@python3 tests/tools/mutants.py $(B)/mutants --count $(MUTANTS) --seed $(MUTANT_SEED) \
	    --threshold $(MUTANT_THRESHOLD) --functions '$(MUTANT_FUNCTIONS)' --families '$(FAMILIES)'
