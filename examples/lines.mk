# examples/lines: the main job on real input. Included by examples.mk.

LINES_OPT     ?= -O2
LINES_PARTS   := $(wildcard examples/lines*.[ch]) examples/arena_hooks.h arena.h
LINES_SAN     := -O1 -g -fno-omit-frame-pointer -fsanitize=address,undefined \
                 -fno-sanitize-recover=all
# With COUNT_MAX=3 lines that come more than three times take the ways of those that come 2^32 times.
LINES_PLAIN    = $(EX)/lines$(EXE) $(EX)/lines-count3$(EXE)
LINES_CHECKED  = $(EX)/lines-san$(EXE) $(EX)/lines-san3$(EXE)
# What `make demo` reads. ARGS="--sort FILE", or other arguments, take its place; ARGS=- is
# standard input.
DEMO_TEXT      = $(wildcard arena.h README.md tests/*.[ch] examples/*.[ch] bench/*.[ch])

.PHONY: demo check-lines check-lines-all
CHECKS += check-lines

demo: $(EX)/lines$(EXE) ## the main job: frequent lines and words of this text, or ARGS="OPTION... FILE..."
ifeq ($(strip $(ARGS)),)
	$(RUN) $(EX)/lines$(EXE) --top=5 $(DEMO_TEXT)
	$(RUN) $(EX)/lines$(EXE) --words $(DEMO_TEXT)
else
	$(RUN) $(EX)/lines$(EXE) $(ARGS)
endif

$(EX)/lines$(EXE): $(LINES_PARTS) $(EX)/flags
	$(CC) $(EX_FLAGS) $(LINES_OPT) $(LDFLAGS) examples/lines.c $(LDLIBS) -o $@

$(EX)/lines-count3$(EXE): $(LINES_PARTS) $(EX)/flags
	$(CC) $(EX_FLAGS) $(LINES_OPT) -DCOUNT_MAX=3 $(LDFLAGS) examples/lines.c $(LDLIBS) -o $@

$(EX)/lines-san$(EXE): $(LINES_PARTS) $(EX)/flags
	$(CC) $(STD) $(WARN) $(CPPFLAGS) $(LINES_SAN) -DARENA_DEBUG=2 examples/lines.c -o $@

$(EX)/lines-san3$(EXE): $(LINES_PARTS) $(EX)/flags
	$(CC) $(STD) $(WARN) $(CPPFLAGS) $(LINES_SAN) -DARENA_DEBUG=3 -DCOUNT_MAX=3 examples/lines.c -o $@

check-lines: $(LINES_PLAIN) ## examples/lines against sort and uniq on made files, and its failures
	@sh tests/lines.sh $(EX)/lines$(EXE) $(EX)/lines.d quick $(EX)/lines-count3$(EXE)

check-lines-all: $(LINES_PLAIN) $(LINES_CHECKED) ## also on the files of a Debian system, and with sanitizers
	@sh tests/lines.sh $(EX)/lines$(EXE) $(EX)/lines.d full $(EX)/lines-count3$(EXE)
	@LINES_SANITIZED=1 sh tests/lines.sh $(EX)/lines-san$(EXE) $(EX)/lines.d full $(EX)/lines-san3$(EXE)
