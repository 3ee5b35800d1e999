# Other people's libraries on an arena: Lua through arena_allocf, cJSON and expat through the
# malloc-shaped functions of the current arena, each compared with the same work on malloc. Real
# files come from Debian's iso-codes, where that is installed.

PG       := $(B)/programs
PG_JSON   = $(wildcard $(addprefix /usr/share/iso-codes/json/,iso_639-3.json iso_3166-2.json))
PG_XML    = $(wildcard $(addprefix /usr/share/xml/iso-codes/,iso_639-3.xml iso_3166-1.xml))

.PHONY: check-programs check-hooks
check-programs: ## Lua, cJSON and expat on an arena give what they give on malloc; with figures
	@mkdir -p $(PG); ran=0; skipped=0; \
	program() { \
	    if ! pkg-config --exists "$$2" 2>/dev/null; then \
	        echo "skipped $$1: pkg-config does not know $$2 (Debian: $$3)"; \
	        skipped=$$((skipped + 1)); return 0; fi; \
	    $(CC) $(STD) -O2 -g $(STRICT) $(CPPFLAGS) $(LDFLAGS) tests/programs/$$1.c \
	        $$(pkg-config --cflags --libs "$$2") -o $(PG)/$$1 && \
	    { name=$$1; shift 3; timeout 900 $(RUN) $(PG)/$$name "$$@"; } && ran=$$((ran + 1)); \
	}; \
	program lua lua5.4 liblua5.4-dev tests/programs/work.lua && \
	program json libcjson libcjson-dev $(PG_JSON) && \
	program xml expat libexpat1-dev $(PG_XML) && \
	if [ $$ran = 0 ]; then echo "skipped check-programs: none of the libraries is installed"; \
	else echo "programs: $$ran run, $$skipped not installed"; fi

check-hooks: ## the ready hooks of examples/arena_hooks.h under load, plain and with sanitizers
	@mkdir -p $(PG); for s in '' -fsanitize=address,undefined -fsanitize=thread; do \
	    if $(CC) $(STD) -O1 -g $(STRICT) $$s tests/programs/hooks.c $(THREADS) -o $(PG)/hooks \
	        >$(PG)/hooks.log 2>&1; then \
	        echo "hooks: $${s:-plain}"; timeout 900 $(RUN) $(PG)/hooks || exit 1; \
	    elif [ -z "$$s" ]; then cat $(PG)/hooks.log; exit 1; \
	    else echo "skipped check-hooks with $$s: it does not link"; fi; done
