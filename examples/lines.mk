# examples/lines: the main job on real input. Included by examples.mk.

LINES_OPT     ?= -O2
LINES_PARTS   := $(wildcard examples/lines*.[ch]) examples/arena_hooks.h arena.h
LINES_SAN     := -O1 -g -fsanitize=address,undefined -fno-sanitize-recover=all -fno-omit-frame-pointer
# What `make demo` reads. ARGS="--sort FILE", or any other arguments, take its place; ARGS=- is standard input.
DEMO_TEXT      = arena.h README.md $(wildcard tests/*.[ch] examples/*.[ch] bench/*.[ch])

.PHONY: demo check-lines check-lines-all
CHECKS += check-lines

demo: $(EX)/lines$(EXE) ## the main job: most frequent lines and words of this repository, or ARGS="[OPTION]... FILE..."
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

check-lines: $(EX)/lines$(EXE) $(EX)/lines-count3$(EXE) ## examples/lines against sort and uniq on made files, and its failures
	@sh tests/lines.sh $(EX)/lines$(EXE) $(EX)/lines.d quick $(EX)/lines-count3$(EXE)

check-lines-all: $(EX)/lines$(EXE) $(EX)/lines-count3$(EXE) $(EX)/lines-san$(EXE) $(EX)/lines-san3$(EXE) ## the same on the files of a Debian system too, then under ASan and UBSan
	@sh tests/lines.sh $(EX)/lines$(EXE) $(EX)/lines.d full $(EX)/lines-count3$(EXE)
	@LINES_SANITIZED=1 sh tests/lines.sh $(EX)/lines-san$(EXE) $(EX)/lines.d full $(EX)/lines-san3$(EXE)
