# What needs threads, and what looks at the generated code. Included by tests.mk.

# ---- the threads program -------------------------------------------------------------------------
# It is a program of its own, so that `make test` can leave it out where there are no threads.
.PHONY: threads threads-tsan threads-helgrind handout asm
CHECKS       += threads
THREAD_DIR   := $(B)/threads
THREAD_SCALE ?= 1
# Amounts are divided by this under the slow tools.
SLOW_SCALE   ?= 20

threads: ## the tests with threads; says skipped where the compiler or the system has none
	@CC='$(CC)' CFLAGS='$(CFLAGS)' CPPFLAGS='$(CPPFLAGS)' LDFLAGS='$(LDFLAGS)' LDLIBS='$(LDLIBS)' \
	STD='$(STD)' THREADS='$(THREADS)' RUN='$(RUN)' EXE='$(EXE)' \
	sh tests/threads.sh run $(THREAD_DIR) --scale=$(THREAD_SCALE)

threads-tsan: ## the same under ThreadSanitizer, by gcc and clang, after a planted race
	@STD='$(STD)' sh tests/threads.sh tsan $(THREAD_DIR) --scale=$(SLOW_SCALE)

threads-helgrind: ## the same under valgrind's helgrind
	@CC='$(CC)' STD='$(STD)' sh tests/threads.sh helgrind $(THREAD_DIR) --scale=$(SLOW_SCALE)

handout: ## hand-out of a group's chunk numbers and limit under every interleaving (relacy-dev)
	@CXX='$(CXX)' sh tests/handout_model.sh $(B)/handout

# ---- how often text is formatted -----------------------------------------------------------------
.PHONY: printf-once
CHECKS += printf-once
printf-once: $(B)/printf_once$(EXE) ## arena_printf formats once where the result fits the tip
	$(RUN) $<

$(B)/printf_once$(EXE): tests/printf_once.c arena.h
	@mkdir -p $(@D)
	$(CC) $(STD) -Wall -Wextra $(CPPFLAGS) $(CFLAGS) $(LDFLAGS) $< $(LDLIBS) -o $@

# ---- instructions on the hot paths ---------------------------------------------------------------
asm: ## instructions and branches of the hot paths by gcc and clang, against limits
	@sh tests/asm.sh $(B)/asm
