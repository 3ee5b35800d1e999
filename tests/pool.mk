# The model of the span pool, and the fuzzer on it. Included by tests/tests.mk.

POOL_SEED  ?= 1
POOL_STEPS ?= 400000
# gcc notes that how an over-aligned element is passed by value changed in 4.6, which concerns nobody here.
POOL_FLAGS = $(STD) $(WARN) -Wno-psabi $(CPPFLAGS) $(CFLAGS)

.PHONY: model-pool model-pool-long fuzz-pool check-pool-cxx
tests: $(B)/pool_model$(EXE)
CHECKS += model-pool check-pool-cxx

$(B)/pool_model$(EXE): tests/pool_model.c tests/model.h arena.h $(TEST_DIR)/flags
	@mkdir -p $(@D)
	$(CC) $(POOL_FLAGS) $(LDFLAGS) $< $(LDLIBS) -o $@

model-pool: $(B)/pool_model$(EXE) ## random operations on span pools against a naive model; POOL_SEED=N POOL_STEPS=N
	$(RUN) $(B)/pool_model$(EXE) --seed=$(POOL_SEED) --steps=$(POOL_STEPS) --check=4

model-pool-long: ## the same, 10^8 operations with four seeds, a few minutes
	@mkdir -p $(B)
	$(CC) $(POOL_FLAGS) -O2 $(LDFLAGS) tests/pool_model.c $(LDLIBS) -o $(B)/pool_model-long$(EXE)
	@for seed in 1000000 2000000 3000000 4000000; do \
	    $(B)/pool_model-long$(EXE) --seed=$$seed --steps=25000000 --check=64 || exit 1; \
	done

fuzz-pool: ## libFuzzer on the same model, FUZZ_SECONDS, under ASan and UBSan
	@if ! $(FUZZ_CC) -fsanitize=fuzzer -x c -E /dev/null >/dev/null 2>&1; then echo 'fuzz-pool: skipped, no clang here'; exit 0; fi; \
	mkdir -p $(B)/fuzz/pool && \
	$(FUZZ_CC) $(STD) -g -O1 -Wno-unused-function -fsanitize=fuzzer,address,undefined -fno-sanitize-recover=all -DMODEL_FUZZ \
	    tests/pool_model.c -o $(B)/fuzz/fuzz-pool && \
	$(B)/fuzz/fuzz-pool -max_len=4096 -seed=$(FUZZ_SEED) -max_total_time=$(FUZZ_SECONDS) -print_final_stats=1 -artifact_prefix=$(B)/fuzz/ \
	    $(B)/fuzz/pool >$(B)/fuzz/pool.txt 2>&1 || { tail -40 $(B)/fuzz/pool.txt; exit 1; }; \
	echo "fuzz: pool: $$(sed -n 's/^stat::number_of_executed_units: *//p' $(B)/fuzz/pool.txt) programs hold"

check-pool-cxx: ## every function of the span pool as C++11 to C++20, with all warnings
	@if ! command -v $(CXX) >/dev/null; then echo 'check-pool-cxx: skipped, no $(CXX) here'; exit 0; fi; \
	mkdir -p $(B)/pool && \
	for std in c++11 c++14 c++17 c++20; do \
	    if ! $(CXX) -std=$$std -x c++ -fsyntax-only /dev/null 2>/dev/null; then \
	        echo "check-pool-cxx: skipped $$std, which $(CXX) does not know"; continue; \
	    fi; \
	    $(CXX) -std=$$std $(STRICTXX) -Wold-style-cast -Wno-psabi $(CPPFLAGS) $(CXXFLAGS) tests/pool_cxx.cpp $(LDFLAGS) \
	        -o $(B)/pool/pool_cxx || exit 1; \
	    $(RUN) $(B)/pool/pool_cxx || exit 1; \
	done

-include bench/pool.mk
