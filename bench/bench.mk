# The benchmark. bench/bench.h has the method. WORDS="growth threads" keeps the rows whose title holds
# one of the words, ARGS="--long --csv" passes any other argument.

BENCH_CC       ?= $(CC)
BENCH_CXX      ?= $(CXX)
BENCH_OPT      ?= -O2
BENCH_STRICT    = -std=c99 -D_GNU_SOURCE $(STRICT)
BENCH_DIR      := $(B)/bench
BENCH_HEADERS  := arena.h $(wildcard bench/*.h)
BENCH_LIBS     := -lm -ldl -pthread
WORDS          ?=
ARGS           ?=

# Where code lies is decided here, for every contender and floor alike. Processors fetch
# instructions, and keep them decoded, by blocks of 32 or 64 bytes: a jump to the end of one, or a
# branch that lies across two, costs a cycle or more, in loops that take four. Left to the compiler
# it is chance who has such a branch. So every loop is built at four places (bench.h), and what is
# built once is built at place 1. $(call BENCH_AT,K) are the flags of place K, with the compiler as
# second argument where that is not BENCH_CC.
BENCH_PLACES   := 0 1 2 3
BENCH_LOOPS_0  := 64
BENCH_LOOPS_1  := 32
BENCH_LOOPS_2  := 16
BENCH_LOOPS_3  := 1
BENCH_JUMPS_0  := 32
BENCH_JUMPS_1  := 32
BENCH_JUMPS_2  := 16
BENCH_JUMPS_3  := 1
BENCH_PLACES_ARE := functions at 64, loops at 64, 32, 16 and 1, jumps at 32, 32, 16 and 1
BENCH_ALIGN     = -falign-functions=64 -falign-loops=$(BENCH_LOOPS_$(1)) \
                  $(call BENCH_JUMPS,$(1),$(or $(2),$(BENCH_CC)))
BENCH_AT        = $(BENCH_ALIGN) -DBENCH_PLACE=$(1)
BENCH_CFLAGS    = $(BENCH_OPT)

# clang and rustc have another name for where jumps lead, and powers of two.
BENCH_LOG_32   := 5
BENCH_LOG_16   := 4
BENCH_LOG_1    := 0
BENCH_BLOCKS    = -align-all-nofallthru-blocks=$(BENCH_LOG_$(BENCH_JUMPS_$(1)))
BENCH_JUMPS     = $(strip $(if $(findstring clang,$(shell $(2) --version)),\
                  -mllvm $(BENCH_BLOCKS),-falign-jumps=$(BENCH_JUMPS_$(1))))
BENCH_RUST      = -C llvm-args=-align-all-functions=6 \
                  -C llvm-args=-align-loops=$(BENCH_LOOPS_$(1)) -C llvm-args=$(BENCH_BLOCKS)

BENCH_PLACED   := floor_flat floor_eight floor_memcpy libc obstack arena resolve
BENCH_OBJECTS  := $(foreach k,$(BENCH_PLACES),$(BENCH_PLACED:%=$(BENCH_DIR)/place$(k)/%.o)) \
                  $(patsubst %,$(BENCH_DIR)/%.o,more implementation special threads)

$(BENCH_DIR):
	@mkdir -p $@

define BENCH_PLACE_RULES
$(BENCH_DIR)/place$(1):
	@mkdir -p $$@

$(BENCH_DIR)/place$(1)/%.o: bench/%.c $(BENCH_HEADERS) bench/bench.mk | $(BENCH_DIR)/place$(1)
	$$(BENCH_CC) $$(BENCH_STRICT) $$(BENCH_CFLAGS) $$(call BENCH_AT,$(1)) -c $$< -o $$@
endef
$(foreach k,$(BENCH_PLACES),$(eval $(call BENCH_PLACE_RULES,$(k))))

$(BENCH_DIR)/%.o: bench/%.c $(BENCH_HEADERS) bench/bench.mk | $(BENCH_DIR)
	$(BENCH_CC) $(BENCH_STRICT) $(BENCH_CFLAGS) $(call BENCH_ALIGN,1) -c $< -o $@

$(BENCH_DIR)/bench.o: bench/bench.c $(BENCH_HEADERS) bench/bench.mk | $(BENCH_DIR)
	$(BENCH_CC) $(BENCH_STRICT) $(BENCH_CFLAGS) $(call BENCH_ALIGN,1) \
	  '-DBENCH_CFLAGS="$(BENCH_CFLAGS); $(BENCH_PLACES_ARE)"' -c $< -o $@

$(BENCH_DIR)/bench: $(BENCH_DIR)/bench.o $(BENCH_OBJECTS)
	$(BENCH_CC) $^ $(BENCH_LIBS) -o $@

.PHONY: bench bench-peers bench-flags bench-chart bench-table
bench: $(BENCH_DIR)/bench ## measures arena.h against its floors, malloc and obstack
	$< $(ARGS) $(WORDS)

# ---- peers: each only where its development package is installed; the others are named as missing ----

PEER_HAS      = $(shell pkg-config --exists $(1) 2>/dev/null && echo yes)
PEER_LLVM     = $(firstword $(shell command -v llvm-config-14 llvm-config 2>/dev/null))
PEER_STB      = $(wildcard /usr/include/stb/stb_ds.h)
PEER_MIMALLOC = $(firstword $(wildcard /usr/lib/*/libmimalloc.so.2 /usr/lib/libmimalloc.so.2))
PEER_JEMALLOC = $(firstword $(wildcard /usr/lib/*/libjemalloc_pic.a /usr/lib/libjemalloc_pic.a))
PEER_BUMPALO  = $(if $(shell command -v rustc 2>/dev/null),$(lastword $(sort $(wildcard \
                /usr/share/cargo/registry/bumpalo-*/src/lib.rs))))

PEER_FOUND    = $(if $(call PEER_HAS,apr-1),apr-1) $(if $(call PEER_HAS,glib-2.0),glib-2.0) \
                $(if $(call PEER_HAS,talloc),talloc)
PEER_C_DEFS   = $(if $(call PEER_HAS,apr-1),-DBENCH_APR) $(if $(call PEER_HAS,glib-2.0),-DBENCH_GLIB) \
                $(if $(call PEER_HAS,talloc),-DBENCH_TALLOC) $(if $(PEER_STB),-DBENCH_STB) \
                $(if $(PEER_BUMPALO),-DBENCH_BUMPALO) $(if $(PEER_JEMALLOC),-DBENCH_JEMALLOC) \
                $(if $(PEER_MIMALLOC),'-DBENCH_MIMALLOC="$(PEER_MIMALLOC)"')
PEER_CXX_DEFS = $(if $(PEER_LLVM),-DBENCH_LLVM -isystem $$($(PEER_LLVM) --includedir)) \
                $(if $(call PEER_HAS,protobuf),-DBENCH_PROTOBUF)
PEER_OBJECTS  = $(BENCH_DIR)/peers_bench.o $(if $(PEER_JEMALLOC),$(BENCH_DIR)/jemalloc.o) \
                $(foreach k,$(BENCH_PLACES),$(BENCH_DIR)/place$(k)/peers_c.o $(BENCH_DIR)/place$(k)/peers_cpp.o) \
                $(if $(PEER_BUMPALO),$(foreach k,$(BENCH_PLACES),$(BENCH_DIR)/place$(k)/libbench_bumpalo.a))

$(BENCH_DIR)/peers_bench.o: bench/bench.c $(BENCH_HEADERS) bench/bench.mk | $(BENCH_DIR)
	$(BENCH_CC) $(BENCH_STRICT) $(BENCH_CFLAGS) $(call BENCH_ALIGN,1) -DBENCH_PEERS \
	  '-DBENCH_CFLAGS="$(BENCH_CFLAGS); $(BENCH_PLACES_ARE)"' -c $< -o $@

define BENCH_PEER_RULES
$(BENCH_DIR)/place$(1)/peers_c.o: bench/peers.c $(BENCH_HEADERS) bench/bench.mk | $(BENCH_DIR)/place$(1)
	$$(BENCH_CC) $$(BENCH_STRICT) $$(BENCH_CFLAGS) $$(call BENCH_AT,$(1)) $$(PEER_C_DEFS) \
	  $$(if $$(strip $$(PEER_FOUND)),$$$$(pkg-config --cflags $$(PEER_FOUND) | sed 's/-I/-isystem /g')) -c $$< -o $$@

$(BENCH_DIR)/place$(1)/peers_cpp.o: bench/peers.cpp $(BENCH_HEADERS) bench/bench.mk | $(BENCH_DIR)/place$(1)
	$$(BENCH_CXX) -std=c++17 -D_GNU_SOURCE $$(STRICTXX) $$(BENCH_CFLAGS) \
	  $$(call BENCH_AT,$(1),$$(BENCH_CXX)) $$(PEER_CXX_DEFS) -c $$< -o $$@

$(BENCH_DIR)/place$(1)/libbench_bumpalo.a: bench/bumpalo.rs $(BENCH_DIR)/libbumpalo.rlib | $(BENCH_DIR)/place$(1)
	env -u MAKEFLAGS rustc --edition 2021 --crate-type staticlib --crate-name bench_bumpalo$(1) -C opt-level=3 -C panic=abort \
	  $(call BENCH_RUST,$(1)) --extern bumpalo=$(BENCH_DIR)/libbumpalo.rlib $$< -o $$@
	nm -g --defined-only $$@ 2>/dev/null | sed -n 's/.* \(bumpalo_[a-z0-9_]*\)$$$$/\1 \1_place$(1)/p' > $$@.names
	objcopy --redefine-syms=$$@.names $$@
endef
$(foreach k,$(BENCH_PLACES),$(eval $(call BENCH_PEER_RULES,$(k))))

$(BENCH_DIR)/libbumpalo.rlib: bench/bench.mk | $(BENCH_DIR)
	env -u MAKEFLAGS rustc --edition 2021 --crate-type rlib --crate-name bumpalo -C opt-level=3 -C panic=abort \
	  $(call BENCH_RUST,1) --cfg 'feature="collections"' --cap-lints allow $(PEER_BUMPALO) \
	  --out-dir $(BENCH_DIR)

# jemalloc under names of its own, everything else in it local.
$(BENCH_DIR)/jemalloc.o: bench/bench.mk | $(BENCH_DIR)
	rm -rf $(BENCH_DIR)/jemalloc && mkdir $(BENCH_DIR)/jemalloc
	cd $(BENCH_DIR)/jemalloc && ar x $(PEER_JEMALLOC) && rm -f *cpp*.o && ld -r -o all.o *.o
	objcopy --redefine-sym malloc=bench_je_malloc --redefine-sym calloc=bench_je_calloc \
	  --redefine-sym free=bench_je_free $(BENCH_DIR)/jemalloc/all.o
	objcopy --keep-global-symbol=bench_je_malloc --keep-global-symbol=bench_je_calloc \
	  --keep-global-symbol=bench_je_free $(BENCH_DIR)/jemalloc/all.o $@
	rm -rf $(BENCH_DIR)/jemalloc

.SECONDEXPANSION:
$(BENCH_DIR)/bench-peers: $$(PEER_OBJECTS) $(BENCH_OBJECTS)
	$(BENCH_CXX) $^ $(if $(strip $(PEER_FOUND)),$$(pkg-config --libs $(PEER_FOUND))) \
	  $(if $(call PEER_HAS,protobuf),$$(pkg-config --libs protobuf)) \
	  $(if $(PEER_LLVM),$$($(PEER_LLVM) --ldflags --libs support)) $(BENCH_LIBS) -o $@

bench-peers: $(BENCH_DIR)/bench-peers ## the same beside every peer that is installed
	$< $(ARGS) $(WORDS)

bench-table: $(BENCH_DIR)/bench-peers ## prints the table of README
	$< --markdown $(ARGS) $(WORDS)

bench-chart: $(BENCH_DIR)/bench-peers ## writes bench/chart.svg, the picture of README
	$< --svg=bench/chart.svg $(ARGS) $(WORDS)

# ---- one arena for each set of flags against the floor at -O2 --------------------------------------

BENCH_SETS    := os o3 native
FLAGS_os      := -Os
FLAGS_o3      := -O3
FLAGS_native  := -O2 -march=native

define BENCH_SET_RULES
$(BENCH_DIR)/place$(1)/arena_$(2).o: bench/arena.c $(BENCH_HEADERS) bench/bench.mk | $(BENCH_DIR)/place$(1)
	$$(BENCH_CC) $$(BENCH_STRICT) $(FLAGS_$(2)) $$(call BENCH_AT,$(1)) -DBENCH_FLAVOUR=$(2) \
	  '-DBENCH_TITLE="arena.h $(FLAGS_$(2))"' -c $$< -o $$@
endef
$(foreach k,$(BENCH_PLACES),$(foreach f,$(BENCH_SETS),$(eval $(call BENCH_SET_RULES,$(k),$(f)))))
BENCH_SET_OBJECTS := $(foreach k,$(BENCH_PLACES),$(BENCH_SETS:%=$(BENCH_DIR)/place$(k)/arena_%.o))

$(BENCH_DIR)/flags_bench.o: bench/bench.c $(BENCH_HEADERS) bench/bench.mk | $(BENCH_DIR)
	$(BENCH_CC) $(BENCH_STRICT) $(BENCH_CFLAGS) $(call BENCH_ALIGN,1) -DBENCH_FLAGS \
	  '-DBENCH_CFLAGS="$(BENCH_CFLAGS) for the floors, arena.h as named; $(BENCH_PLACES_ARE)"' \
	  -c $< -o $@

$(BENCH_DIR)/bench-flags: $(BENCH_DIR)/flags_bench.o $(BENCH_SET_OBJECTS) $(BENCH_OBJECTS)
	$(BENCH_CC) $^ $(BENCH_LIBS) -o $@

bench-flags: $(BENCH_DIR)/bench-flags ## arena.h at -O2, -Os, -O3 and -march=native against the floor at -O2
	$< $(ARGS) $(WORDS)
