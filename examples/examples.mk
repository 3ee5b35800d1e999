# The examples. Included by the Makefile. An example NAME.c with a file NAME.out beside it has to
# print exactly that; the other fragments in this folder add their own.

EX        := $(B)/examples
EX_FLAGS   = $(STD) $(WARN) $(CPPFLAGS) $(CFLAGS)
EX_CXX     = $(CXXSTD) -Wall -Wextra $(CPPFLAGS) $(CXXFLAGS)
# Those that need no more than libc are part of `make test`. hooks, request and lines need POSIX, 08
# threads, 07 a C++ compiler.
EX_POSIX  := hooks request lines
EX_THREAD := 08_threads
EX_C      := $(patsubst examples/%.c,%,$(wildcard examples/*.c))
EX_LIBC   := $(filter-out $(EX_POSIX) $(EX_THREAD),$(EX_C))
EX_CPP    := $(patsubst examples/%.cpp,%,$(wildcard examples/*.cpp))
EX_WITH   := $(patsubst examples/%.out,%,$(wildcard examples/*.out))

.PHONY: check-examples check-examples-libc check-gdb check-request fuzz-request
CHECKS += check-examples-libc

# Empty without a C++ compiler.
EX_CAN    := $(if $(shell command -v $(firstword $(CXX))),$(EX_CPP))

examples: $(EX_C:%=$(EX)/%$(EXE)) $(EX_CAN:%=$(EX)/%$(EXE))

# Rewritten when it changes: another compiler or other flags build everything again.
$(EX)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(subst ','\'',$(EX_FLAGS)) $(CXX) $(subst ','\'',$(EX_CXX)) $(LDFLAGS)' \
	>$@.new; \
	if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(EX)/%$(EXE): examples/%.c arena.h $(EX)/flags
	$(CC) $(EX_FLAGS) $(LDFLAGS) $< $(LDLIBS) $(if $(filter $(EX_THREAD),$*),$(THREADS)) -o $@

$(EX)/%$(EXE): examples/%.cpp arena.h $(EX)/flags
	$(CXX) $(EX_CXX) $(LDFLAGS) $< $(LDLIBS) -o $@

$(EX)/hooks$(EXE): examples/arena_hooks.h

# $(call compare,NAMES): runs each and compares its output. All are run, also after a difference.
compare = @bad=0; for n in $(1); do \
	if $(RUN) $(EX)/$$n$(EXE) >$(EX)/$$n.got 2>&1 && \
	   diff -u --strip-trailing-cr examples/$$n.out $(EX)/$$n.got; then :; \
	else echo "FAILED example $$n"; bad=1; fi; done; \
	[ $$bad = 0 ] && echo "examples: $(words $(1)) run, all print what they should: $(1)"

check-examples-libc: $(filter $(EX_LIBC:%=$(EX)/%$(EXE)),$(EX_WITH:%=$(EX)/%$(EXE)))
	$(call compare,$(filter $(EX_LIBC),$(EX_WITH)))

# Every example must have its output, except the server and lines, which have tests of their own.
check-examples: examples ## runs every example and compares what it prints; warnings are errors here
	@for n in $(filter-out $(EX_WITH) request lines,$(EX_C) $(EX_CPP)); do \
	echo "FAILED examples/$$n.out is missing"; exit 1; done
	@for n in $(EX_C); do for c in gcc clang; do if command -v $$c >/dev/null; then \
	$$c -std=c99 -O1 $(STRICT) -c examples/$$n.c -o $(EX)/strict.o || exit 1; fi; done; done
	@for n in $(EX_CPP); do for c in g++ clang++; do if command -v $$c >/dev/null; then \
	$$c -std=c++11 -O2 $(STRICTXX) -c examples/$$n.cpp -o $(EX)/strict.o || exit 1; fi; done; done
	@$(if $(EX_CAN),:,echo "skipped 07_cpp: no C++ compiler")
	$(call compare,$(filter $(EX_C) $(EX_CAN),$(EX_WITH)))

check-request: $(EX)/request$(EXE) ## the HTTP server, driven by curl: errors, 413, a flat footprint
	@if command -v curl >/dev/null; then bash tests/request.sh $(EX)/request$(EXE) $(EX)/request.d; \
	else echo "skipped check-request: curl is not installed"; fi

fuzz-request: ## damaged requests to the HTTP server, built with sanitizers (SECONDS=20, SEED=1)
	@mkdir -p $(EX); if ! command -v python3 >/dev/null; then \
	echo "skipped fuzz-request: there is no python3"; exit 0; fi; \
	$(CC) $(STD) -O1 -g -DARENA_DEBUG=2 -fsanitize=address,undefined -fno-sanitize-recover=all \
	examples/request.c -o $(EX)/request-san && \
	python3 tests/request_fuzz.py $(EX)/request-san $(or $(SECONDS),20) $(or $(SEED),1)

# Generations are drawn from a count of the process, so their numbers are not compared.
check-gdb: ## the gdb pretty-printers, on a program stopped in the middle
	@mkdir -p $(EX); if ! gdb -nx -batch -ex 'python print(1)' 2>/dev/null | grep -q 1; then \
	echo "skipped check-gdb: there is no gdb with Python"; exit 0; fi; \
	$(CC) -std=c99 -g -O0 $(STRICT) tests/gdb/state.c -o $(EX)/gdb-state && \
	timeout 600 gdb -nx -q -batch -x tests/gdb/state.gdb $(EX)/gdb-state </dev/null \
	>$(EX)/gdb.all 2>&1; \
	sed -e '1,/^---$$/d' -e '/^\[Inferior/d' -e 's/generation [0-9]*/generation N/' $(EX)/gdb.all \
	>$(EX)/gdb.got; \
	diff -u tests/gdb/state.out $(EX)/gdb.got && \
	echo "check-gdb: $$(grep -c '^[$$]' $(EX)/gdb.got) values printed as they should be"

-include $(filter-out examples/examples.mk,$(wildcard examples/*.mk examples/*/*.mk))
