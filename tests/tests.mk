# The test program and everything that is run on it. Included by the Makefile.

# ---- the test program ----------------------------------------------------------------------------------------------
# The families are those of tests.def, in its order. FAMILIES="core strings" builds and runs a program of these alone.
FAMILIES     ?=
ALL_FAMILIES := $(shell awk -F'[^A-Za-z0-9_]+' '$$1 == "T" && !seen[$$2]++ { print $$2 }' tests/tests.def)
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

$(TEST_EXE): $(TEST_OBJ)
	$(CC) $(STD) $(CFLAGS) $(LDFLAGS) $(TEST_OBJ) $(LDLIBS) $(THREADS) -o $@

$(TEST_DIR)/%.o: tests/%.c $(TEST_DIR)/flags tests/tests.def tests/test.h arena.h $(if $(FAMILIES),$(TEST_DIR)/part.def)
	$(CC) $(TEST_FLAGS) -c $< -o $@

# Rewritten only when it changes, so that objects are rebuilt when, and only when, the compiler or a flag is another one.
$(TEST_DIR)/flags: FORCE
	@mkdir -p $(@D)
	@echo '$(CC) $(subst ','\'',$(TEST_FLAGS)) $(USED)' >$@.new; \
	if cmp -s $@.new $@; then rm $@.new; else mv $@.new $@; fi

$(TEST_DIR)/part.def: tests/tests.def $(TEST_DIR)/flags
	@for f in $(FAMILIES); do grep "^T[(]$$f," $< || exit 1; done >$@
