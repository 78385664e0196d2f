# Two commands do everything on a fresh machine: `make demo` and `make test`.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: site setup demo test test-web test-web-large test-spark proofs theorems mutants fuzz order bench lint types walls wheel docs check clean

setup: $(VENV)/.ready

# what the command needs, and no tool of ours; the bytecode of packages is made as they are imported
$(VENV)/.core: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile --editable .
	touch $@

$(VENV)/.ready: $(VENV)/.core
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[dev]"
	$(BIN)/python scripts/warm.py
	touch $@

# code is compiled once, whatever the environment says: each worker and each command of a test would do it again
demo test test-web test-web-large test-spark proofs fuzz order: export PYTHONDONTWRITEBYTECODE :=

demo: $(VENV)/.core
	$(BIN)/incrowd demo

# three workers for two cores, see tests/conftest.py
test: setup
	$(BIN)/python -m pytest -n auto --maxprocesses 8 --dist loadfile --no-loadscope-reorder -m "not proofs and not spark and not web and not million"

# the main job on PySpark in local mode; needs Java 17 or 21
test-spark: $(VENV)/.spark
	$(BIN)/python -m pytest -m spark

$(VENV)/.spark: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[spark]" "pyspark[connect]>=4.0,<4.1"
	touch $@

# Chromium over the whole way of `incrowd serve`, axe-core on every page; named as skipped where there is no Chromium
test-web: $(VENV)/.axe
	$(BIN)/python -m pytest -m web tests/web

# the package is asked for its copy of axe-core's script alone: what it is made for would need a browser of its own
$(VENV)/.axe: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps "axe-playwright-python>=0.1.8,<0.2"
	touch $@

# the same on a million invented rows, some ten minutes; prints how long each page took to stand. INCROWD_ROWS=50000 for fewer
test-web-large: setup
	$(BIN)/python -m pytest -m million tests/web

# every random instance, of which `make test` runs a tenth, and what is too long for it
proofs: setup
	INCROWD_PROOFS=1 $(BIN)/python -m pytest -o timeout=3600 -m "(proofs or seeds) and not spark and not web"

# the theorems checked and the program that is extracted from them built, where there is Coq and OCaml; else it says what is missing, and fails where INCROWD_REQUIRED is set, as .ci/run does
theorems:
	@if command -v coqc >/dev/null; then $(MAKE) --no-print-directory -C theorems proofs; \
	  else echo "SKIPPED: the theorems are not checked, for coqc is missing (Debian: coq)"; test -z "$$INCROWD_REQUIRED"; fi
	@if command -v ocamlfind >/dev/null && ocamlfind query zarith >/dev/null 2>&1; then $(MAKE) --no-print-directory -C theorems; \
	  else echo "SKIPPED: incrowd-proved is not built, for OCaml is missing (Debian: ocaml-nox ocaml-findlib libzarith-ocaml-dev)"; test -z "$$INCROWD_REQUIRED"; fi

# 400 changes in functions drawn evenly, one at a time: which of them the tests notice (hours; scripts/mutants.py for a part)
mutants: setup
	$(BIN)/python scripts/mutants.py

# hostile inputs for five minutes; `make fuzz SECONDS=36000` for a night, `KINDS='network policy'` for some alone
SECONDS ?= 300
fuzz: setup
	PYTHONPATH=src:tests $(BIN)/python -m process.fuzz --seconds $(SECONDS) --seed $(or $(SEED),0) $(if $(KINDS),--only $(KINDS))

# what must not hang on the engine's threads, many times over
order: setup
	INCROWD_REPEATS=100 $(BIN)/python -m pytest -m "order and not spark"

# every case of the baseline once, now beside then; benchmarks/README.md has more (INCROWD_DATA: the folder of real tables)
bench: setup
	$(BIN)/python benchmarks/run.py --compare --mode work --seeds 0

lint: setup
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .

types: setup
	$(BIN)/mypy

walls: setup
	$(BIN)/lint-imports

docs: setup
	$(BIN)/python scripts/make_docs.py

site: $(VENV)/.site
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --quiet --strict

$(VENV)/.site: $(VENV)/.ready
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --editable ".[docs]"
	touch $@

# a built wheel is tried in a fresh environment, outside the project with nothing beside it; the checker is no module
wheel: setup
	rm -rf dist
	$(BIN)/python -m build --wheel --outdir dist .
	@set -ex; unset PYTHONPATH; trial=$$(mktemp -d); trap 'rm -rf "$$trial"' EXIT; $(BIN)/python -m venv "$$trial/venv"; \
	  "$$trial/venv/bin/python" -m pip install --quiet --disable-pip-version-check --no-compile dist/*.whl; \
	  cd "$$trial"; PATH="$$trial/venv/bin:$$PATH"; test -f venv/share/man/man1/incrowd.1; \
	  incrowd --version; incrowd checker -o check.html; incrowd demo -o alone --quiet; \
	  test "$$(echo $$(ls alone))" = "hospital.csv hospital.toml release.csv report.html summary.txt"; \
	  incrowd audit alone/hospital.csv --qi age_group,sex --report audit.html >audit.txt

check: lint types walls test wheel

clean:
	rm -rf $(VENV) dist build .pytest_cache .mypy_cache .ruff_cache .hypothesis .import_linter_cache
