# The models, the fuzzers on them, and the proofs. Included by tests.mk.

# gcc notes that elements aligned to 64 are passed otherwise than by gcc 4.5.
MODEL_FLAGS = $(STD) $(WARN) -Wno-psabi $(CPPFLAGS) $(CFLAGS)
MODEL_SEED  ?= 1
# Operations of `make model` (a few seconds) and of `make model-long`, which takes half an hour and more.
MODEL_STEPS ?= 300000
LONG_STEPS  ?= 500000000
FUZZ_SECONDS ?= 20
# What the fuzzers begin their choices with, so that a failure can be had again.
FUZZ_SEED ?= 1
# A clang with libFuzzer, and AFL++'s.
FUZZ_CC ?= clang
AFL_CC  ?= afl-clang-fast
# A busy machine may need more than the second that AFL++ gives a program before it stops.
AFL_LIMIT := -t 20000+
# AFL++ stops otherwise where core dumps go to a program or the processor saves power.
AFL_ENV := AFL_I_DONT_CARE_ABOUT_MISSING_CRASHES=1 AFL_SKIP_CPUFREQ=1 AFL_NO_UI=1 AFL_NO_AFFINITY=1

MODELS := $(B)/model$(EXE) $(B)/model_group$(EXE)
tests: $(MODELS)
CHECKS += model check-everything

# What arena.h declares: functions of the byte arena by name, those of a family by verb.
EVERYTHING = sed -n -e 's/^ARENA_\(API\|INLINE\).*[ *]\(arena_[a-z_]*[a-z]\)(.*/\2/p' \
    -e 's/^ *ARENA_INLINE.*name\#\#\(_[a-z_]*[a-z]\)(.*/(arena|every[sip])\1/p' arena.h | sort -u

.PHONY: check-everything model model-long model-debug fuzz fuzz-afl proof proof-quick proof-list
$(B)/model$(EXE) $(B)/model_group$(EXE): $(B)/%$(EXE): tests/%.c tests/model.h arena.h $(TEST_DIR)/flags
	@mkdir -p $(@D)
	$(CC) $(MODEL_FLAGS) $(LDFLAGS) $< $(LDLIBS) $(THREADS) -o $@

check-everything: ## the workload of tests/everything.c calls every public function of arena.h
	@n=0; for f in $$($(EVERYTHING)); do n=$$((n + 1)); \
	    grep -Eq "\b$$f[(]" tests/everything.c || { echo "tests/everything.c does not call $$f"; exit 1; }; \
	done; [ $$n -gt 80 ] && echo "check-everything: all $$n functions are called"

model: $(MODELS) ## random operations against naive models, a few seconds; MODEL_SEED=N MODEL_STEPS=N
	$(RUN) $(B)/model$(EXE) tests/corpus/arena/*
	$(RUN) $(B)/model_group$(EXE) tests/corpus/group/*
	$(RUN) $(B)/model$(EXE) --seed=$(MODEL_SEED) --steps=$(MODEL_STEPS)
	$(RUN) $(B)/model_group$(EXE) --seed=$(MODEL_SEED) --steps=$(MODEL_STEPS)

model-long: $(MODELS) ## the same, 10^9 operations in all, other seeds each time
	$(B)/model$(EXE) --seed=$$(date +%s)000 --steps=$(LONG_STEPS) --check=8
	$(B)/model_group$(EXE) --seed=$$(date +%s)000 --steps=$(LONG_STEPS) --check=8

model-debug: ## the models with ARENA_DEBUG 1, 2, 3 and with few chunk numbers, under ASan and UBSan where the compiler has them
	@mkdir -p $(B)/debug; san='-fsanitize=address,undefined -fno-sanitize-recover=all'; \
	echo 'int main(void) { return 0; }' >$(B)/debug/try.c; \
	$(CC) $$san $(B)/debug/try.c -o $(B)/debug/try 2>/dev/null && $(B)/debug/try || { san=; echo 'model-debug: no sanitizers here'; }; \
	for d in DEBUG=1 DEBUG=2 DEBUG=3 REF_CHUNKS=1 REF_CHUNKS=3; do for m in model model_group; do \
	    case $$m$$d in model_groupREF*) continue ;; esac; \
	    $(CC) $(MODEL_FLAGS) $$san -DARENA_$$d tests/$$m.c -o $(B)/debug/$$m-$$d && \
	    $(B)/debug/$$m-$$d --seed=$(MODEL_SEED) --steps=60000 || exit 1; \
	done; done

fuzz: ## libFuzzer on both models, FUZZ_SECONDS each, under ASan and UBSan
	@if ! $(FUZZ_CC) -fsanitize=fuzzer -x c -E /dev/null >/dev/null 2>&1; then echo 'fuzz: skipped, no clang here'; exit 0; fi; \
	mkdir -p $(B)/fuzz/arena $(B)/fuzz/group && \
	for m in arena group; do \
	    d=; if [ $$m = group ]; then d=-DFUZZ_GROUP; fi; \
	    $(FUZZ_CC) $(STD) -g -O1 -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all $$d tests/fuzz.c -o $(B)/fuzz/fuzz-$$m && \
	    $(B)/fuzz/fuzz-$$m -max_len=4096 -seed=$(FUZZ_SEED) -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1 -artifact_prefix=$(B)/fuzz/ \
	        $(B)/fuzz/$$m tests/corpus/$$m >$(B)/fuzz/$$m.txt 2>&1 || { tail -40 $(B)/fuzz/$$m.txt; exit 1; }; \
	    echo "fuzz: $$m: $$(sed -n 's/^stat::number_of_executed_units: *//p' $(B)/fuzz/$$m.txt) programs hold"; \
	done

fuzz-afl: ## AFL++ on both models, FUZZ_SECONDS each; skipped where there is none
	@if ! command -v afl-fuzz >/dev/null || ! command -v $(AFL_CC) >/dev/null; then echo 'fuzz-afl: skipped, no AFL++ here'; exit 0; fi; \
	mkdir -p $(B)/fuzz && \
	for m in arena group; do \
	    d=; if [ $$m = group ]; then d=-DFUZZ_GROUP; fi; \
	    $(AFL_CC) $(STD) -g -O1 -fsanitize=fuzzer $$d tests/fuzz.c -o $(B)/fuzz/afl-$$m >$(B)/fuzz/afl-$$m.txt 2>&1 && \
	    rm -rf $(B)/fuzz/out-$$m && \
	    $(AFL_ENV) afl-fuzz -s $(FUZZ_SEED) $(AFL_LIMIT) -V $(FUZZ_SECONDS) -i tests/corpus/$$m -o $(B)/fuzz/out-$$m -- $(B)/fuzz/afl-$$m \
	        >>$(B)/fuzz/afl-$$m.txt 2>&1 || { tail -20 $(B)/fuzz/afl-$$m.txt; exit 1; }; \
	    n=$$(ls $(B)/fuzz/out-$$m/default/crashes 2>/dev/null | grep -c '^id'); \
	    echo "fuzz-afl: $$m: $$(sed -n 's/^execs_done *: //p' $(B)/fuzz/out-$$m/default/fuzzer_stats) programs, $$n fail"; \
	    [ "$$n" = 0 ] || exit 1; \
	done

proof: ## all CBMC harnesses of tests/proof; skipped where there is no cbmc
	sh tests/proof/prove

proof-quick: ## those that take seconds
	sh tests/proof/prove --quick

proof-list: ## what is proved, and for which inputs
	@sh tests/proof/prove --list
