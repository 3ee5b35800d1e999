# The benchmark of the span pool; bench/pool.c has the method.

# Both sides lie at the same place; bench/bench.mk says why that is not left to the compiler.
POOL_BENCH_FLAGS = -O2 $(call BENCH_ALIGN,1,$(1))
POOL_BENCH_CXX  := $(shell command -v $(CXX) 2>/dev/null)

.PHONY: bench-pool bench-pool-instructions
$(B)/bench-pool: bench/pool.c bench/pool_peers.cpp arena.h bench/pool.mk bench/bench.mk
	@mkdir -p $(B)
	$(CXX) -std=c++11 $(call POOL_BENCH_FLAGS,$(CXX)) -c bench/pool_peers.cpp \
	  -o $(B)/bench-pool-peers.o
	$(CC) -std=c99 $(WARN) $(call POOL_BENCH_FLAGS,$(CC)) -g -c bench/pool.c -o $(B)/bench-pool.o
	$(CXX) $(B)/bench-pool.o $(B)/bench-pool-peers.o -o $@

bench-pool: $(B)/bench-pool ## the span pool against malloc, a multimap, memset, memcpy and plain loops; ARGS=--csv
	@echo "$$($(CC) --version | head -n 1), $(call POOL_BENCH_FLAGS,$(CC)), \
	$$(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1)"
	@$(B)/bench-pool $(ARGS)

# Instructions of append and free with ever more spans live: the same, but for 1.25 times. Exact and repeatable.
bench-pool-instructions: $(B)/bench-pool ## callgrind: instructions of append and free at 1,000 to 100,000 live spans
	@if ! command -v valgrind >/dev/null; then echo 'bench-pool-instructions: skipped, no valgrind here'; exit 0; fi; \
	for f in measured_append measured_free; do for n in 1000 10000 100000; do \
	    env -i PATH="$$PATH" valgrind --tool=callgrind --callgrind-out-file=$(B)/callgrind.out \
	        --toggle-collect=$$f $(B)/bench-pool --count $$n 2>&1 | \
	    awk -v f=$$f -v n=$$n '/Collected/ { \
	        calls = 4 * n + 20000 + (f == "measured_append" ? n : 0); \
	        printf "%s %d %.1f\n", f, n, $$NF / calls }'; \
	done; done | awk '{ printf "%-16s %7d live: %6.1f instructions\n", $$1, $$2, $$3; \
	    if (!($$1 in first)) first[$$1] = $$3; if ($$3 > 1.25 * first[$$1]) bad = 1; rows++ } \
	    END { if (bad || rows != 6) { print "bench-pool-instructions: not flat"; exit 1 } }'
