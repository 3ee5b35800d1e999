# examples/lines against GNU sort. LINES_KINDS, LINES_MODES and LINES_MB choose other files (their
# kinds: bench/lines_input.c), other modes (sort unique count) and another size; LINES_RUNS says how
# often each is run.

LINES_KINDS ?= log ordered shuffled access text words numbers paths
LINES_MODES ?= sort
LINES_MB    ?= 200
LINES_RUNS  ?= 5
LINES_DIR   := $(B)/bench/lines

$(LINES_DIR)/lines: $(wildcard examples/lines*.[ch]) examples/arena_hooks.h arena.h bench/lines.mk
	@mkdir -p $(@D)
	$(CC) -std=c99 -O2 $(STRICT) $(CPPFLAGS) $(LDFLAGS) examples/lines.c $(LDLIBS) -o $@

$(LINES_DIR)/lines_input: bench/lines_input.c bench/lines.mk
	@mkdir -p $(@D)
	$(CC) -std=c99 -O2 $(STRICT) $(CPPFLAGS) $(LDFLAGS) $< $(LDLIBS) -o $@

.PHONY: bench-lines
LINES_PROGRAMS := $(LINES_DIR)/lines $(LINES_DIR)/lines_input
bench-lines: $(LINES_PROGRAMS) ## examples/lines against GNU sort on files of 200 MB, in turns
	@sh bench/lines.sh $(LINES_PROGRAMS) $(LINES_DIR) $(LINES_MB) $(LINES_RUNS) \
	  '$(LINES_KINDS)' '$(LINES_MODES)'
