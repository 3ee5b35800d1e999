# arena.h is one header: nothing has to be built to use it. This file builds and runs what stands
# around it. GNU make. CC CXX CPPFLAGS CFLAGS CXXFLAGS LDFLAGS LDLIBS PREFIX DESTDIR mean what they
# always mean. Everything that is built goes below build/. `make help` lists the targets.

CC       ?= cc
CXX      ?= c++
CFLAGS   ?= -O1 -g
CXXFLAGS ?= -O1 -g
PREFIX   ?= /usr/local

# B is the folder of one configuration. Another compiler or other flags in the same folder rebuild
# all of it.
B        ?= build
STD      ?= -std=c99
CXXSTD   ?= -std=c++11
# A test that is missing in tests/tests.def has no prototype, which has to stop the build. gcc notes
# at every over-aligned parameter that gcc 4.5 passed it in another place.
WARN     ?= -Wall -Wextra -Wno-psabi -Wmissing-prototypes -Werror=missing-prototypes -DARENA_WARNINGS
STRICT   := -Wall -Wextra -Wpedantic -Wconversion -Wsign-conversion -Wshadow -Wcast-qual -Wundef \
            -Wstrict-prototypes -Wmissing-prototypes -Wwrite-strings -Werror -DARENA_WARNINGS
# The C++ compilers know all of these but the two about prototypes.
STRICTXX := $(filter-out -Wstrict-prototypes -Wmissing-prototypes,$(STRICT))
THREADS  ?= -pthread
# RUN is put before every test program: an emulator, valgrind, a wrapper. EXE is the suffix of a
# program.
RUN      ?=
EXE      ?=

# Fragments add to these: what `make` builds beside the tests, and what `make test` runs beside
# them.
ALL      :=
CHECKS   :=

# What a first user calls runs side by side, unless the caller says how many jobs there may be.
ifneq ($(filter all test check,$(or $(MAKECMDGOALS),all)),)
ifeq ($(filter -j% --jobserver%,$(MAKEFLAGS)),)
MAKEFLAGS += -j$(shell nproc 2>/dev/null || echo 2)
endif
endif

.PHONY: all help tests examples test check install uninstall clean tags FORCE
.DELETE_ON_ERROR:
.SUFFIXES:

all: ## builds the tests and the examples (the default)

help: ## lists the targets
	@sed -n 's/^\([a-zA-Z0-9_-][a-zA-Z0-9_ -]*\):[^=].*## */\1: /p' $(MAKEFILE_LIST) | \
	awk -F': ' '{ name = $$1; sub(/^[^:]*: /, ""); printf "  %-18s %s\n", name, $$0 }'

# Other parts of tests/ (models, proofs, fuzzing) bring fragments of their own.
include tests/tests.mk $(filter-out tests/tests.mk,$(wildcard tests/*.mk tests/*/*.mk))
-include examples/examples.mk
-include bench/bench.mk bench/lines.mk

all: tests examples $(ALL)

examples: ## builds the examples

test check: run-tests $(CHECKS) ## runs the tests; needs no more than make and a C compiler
	@echo 'make test: everything passed'

install: ## copies arena.h to $(DESTDIR)$(PREFIX)/include
	install -d '$(DESTDIR)$(PREFIX)/include'
	install -m 644 arena.h '$(DESTDIR)$(PREFIX)/include/arena.h'

uninstall: ## removes the installed arena.h
	rm -f '$(DESTDIR)$(PREFIX)/include/arena.h'

clean: ## removes everything that was built
	rm -rf build tags

tags: ## writes a tags file in which the generated functions are found too
	ctags -R --languages=C,C++ --exclude=build -I 'ARENA_API ARENA_INLINE ARENA_COLD_' \
	    arena.h tests examples bench

FORCE:
