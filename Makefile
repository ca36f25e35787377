# Everything you can do with a checkout. `make help` lists it.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
MAKEFLAGS += --no-print-directory

PYTHON ?= python3
VENV   := .venv
BIN    := $(VENV)/bin
STAMP  := $(VENV)/.set-up
UV     := $(shell command -v uv 2>/dev/null || true)

# uv looks for a Python itself, unless you name one: make setup PYTHON=python3.13
UV_PYTHON_FLAG := $(if $(filter file default undefined,$(origin PYTHON)),,--python $(PYTHON))
# One more than there are processors: many tests wait for servers, browsers and other processes.
WORKERS = $(shell $(BIN)/python -c "import os; print((os.cpu_count() or 1) + 1)")
# Tests marked `torch` run only with TORCH=1; nothing else is left out.
MARKS := $(if $(filter 1,$(TORCH)),,-m "not torch")
# A file stays in one process.
TESTS  = $(BIN)/python -m pytest --numprocesses $(WORKERS) --dist loadscope --no-loadscope-reorder $(MARKS)

DEMO     := examples/graphrag-2wiki
MEASURES := P@2 R@{4,8} Complete@8 nDCG@8 RR
PAGES     = $(wildcard README.md docs examples/*/README.md)

.PHONY: help setup demo test coverage parts check lint types layers fix fuzz docs bench package lock clean

help:  ## list the targets
	@awk -F ':.*## ' '/^[a-z]+:.*## / { printf "make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

setup: $(STAMP)  ## make .venv with Assay and all tools (again only when a lock file changed)

$(STAMP): pyproject.toml uv.lock requirements.lock
ifneq ($(UV),)
	$(UV) sync --locked --quiet --extra all $(UV_PYTHON_FLAG)
else
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "$(PYTHON): expected Python 3.11 or newer. Hint: make $(MAKECMDGOALS) PYTHON=python3.12" >&2; exit 2; }
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --requirement requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
endif
	@touch $@

demo: $(STAMP)  ## evaluate and compare four real retrieval runs, and write demo-report.html
	@echo "Which of four retrievers brings all the passages that a two-hop question needs? (101 questions)"
	$(BIN)/assay evaluate $(DEMO)/gold.qrels $(DEMO)/*.run -m "$(MEASURES)" --duplicates first
	@echo
	@echo "And is that more than chance?"
	$(BIN)/assay compare $(DEMO)/gold.qrels $(DEMO)/*.run -m "Complete@8 nDCG@8 RR" --duplicates first --quiet
	$(BIN)/assay report $(DEMO)/gold.qrels $(DEMO)/*.run -m "$(MEASURES)" --duplicates first --by relevant \
	  --title "Four retrievers on 101 two-hop questions" --out demo-report.html --quiet
	@echo "The report: demo-report.html"

# With TORCH=1 the tests ask models and evaluators of PyKEEN, PyTorch Geometric, OGB and TorchKGE; else those skip.
TORCH_PARTS := torch==2.13.0 pykeen torch-geometric ogb torchkge
TORCH_STAMP := $(if $(filter 1,$(TORCH)),$(VENV)/.torch)

$(VENV)/.torch: $(VENV)/.engines
ifneq ($(UV),)
	@VIRTUAL_ENV=$(VENV) $(UV) pip install --quiet $(TORCH_PARTS) || echo "no PyTorch: the tests that need it are skipped" >&2
else
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile $(TORCH_PARTS) || \
	  echo "no PyTorch: the tests that need it are skipped" >&2
endif
	@touch $@

# Engines that own data (Spark, Dask, PostgreSQL): half a gigabyte that only the tests need.
$(VENV)/.engines: $(STAMP)
ifneq ($(UV),)
	@VIRTUAL_ENV=$(VENV) $(UV) pip install --quiet --group engines || echo "no engines: the tests that need them are skipped" >&2
else
	@awk '/^engines = \[/,/^\]/' pyproject.toml | grep -o '"[^"]*"' | tr -d '"' | \
	  xargs $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-compile || \
	  echo "no engines: the tests that need them are skipped" >&2
endif
	@touch $@

test: $(STAMP)  ## check, then run every test (TORCH=1: also those that need PyTorch)
	@$(MAKE) -j2 check parts  # what looks at the text needs none of the parts, and they mostly wait for the network
	$(TESTS)

coverage: $(STAMP) parts  ## run every test; fail where core, measures, statistics or formats leave a branch untaken
	$(TESTS) --cov --cov-report=
	@untaken=; for part in core measures statistics formats; do echo "src/assay/$$part:"; \
	  $(BIN)/coverage report --include="src/assay/$$part/*" --fail-under=100 || untaken=1; done; \
	echo "src/assay:"; $(BIN)/coverage report --fail-under=95 || untaken=1; [ -z "$$untaken" ]

parts: $(VENV)/.engines $(TORCH_STAMP)

check: lint types layers  ## style, spelling, types and layers

lint: $(STAMP)  ## style and spelling
	$(BIN)/ruff check --quiet
	$(BIN)/ruff format --check --quiet
	$(BIN)/typos

types: $(STAMP)  ## types
	$(BIN)/mypy --no-error-summary

layers: $(STAMP)  ## who imports whom
	$(BIN)/lint-imports --no-cache --no-logo

fix: $(STAMP)  ## format, and repair what ruff can repair
	$(BIN)/ruff check --fix --quiet || true
	$(BIN)/ruff format

SECONDS ?= 600
fuzz: $(STAMP)  ## damage the files of every reader for SECONDS each; READERS="run gold" takes those that begin so
	$(BIN)/python -m tests.unit.fuzz $(SECONDS) $(READERS)

# What builds the site, which nothing else needs.
$(VENV)/.docs: $(STAMP)
ifneq ($(UV),)
	VIRTUAL_ENV=$(VENV) $(UV) pip install --quiet --group docs
else
	@grep '^docs = ' pyproject.toml | grep -o '"[^"]*"' | tr -d '"' | \
	  xargs $(BIN)/python -m pip install --quiet --disable-pip-version-check
endif
	@touch $@

docs: $(VENV)/.docs  ## build the site (build/docs/site), where a broken link is an error, and run all code blocks
	$(BIN)/python -m docs.generate
	$(BIN)/python -m pytest -p no:randomly $(PAGES) tests/docs

bench: $(STAMP)  ## compare speed with other tools (installs them first)
ifneq ($(UV),)
	$(UV) sync --locked --quiet --extra all --group bench
else
	@awk '/^bench = /' pyproject.toml | grep -o '"[^"]*"' | tr -d '"' | \
	  xargs $(BIN)/python -m pip install --quiet --disable-pip-version-check
endif
	$(BIN)/python -m benchmarks

package: $(STAMP)  ## build, install the wheel elsewhere, and use it there
	rm -rf dist
	$(BIN)/python -m build --outdir dist . >/dev/null
	@ls dist
	@elsewhere=$$(mktemp -d); trap 'rm -rf "$$elsewhere"' EXIT; \
	$(BIN)/python -m venv "$$elsewhere/venv"; \
	"$$elsewhere/venv/bin/python" -m pip install --quiet --disable-pip-version-check dist/*.whl; \
	cp -r $(DEMO) "$$elsewhere/data"; cd "$$elsewhere"; \
	venv/bin/assay --version; \
	venv/bin/assay evaluate data/gold.qrels data/*.run -m "$(MEASURES)" --duplicates first

lock:  ## resolve the dependencies anew (needs uv)
	uv lock
	uv export --quiet --locked --extra all --no-emit-project --no-hashes --output-file requirements.lock

clean:  ## remove what the other targets made
	rm -rf $(VENV) build dist demo-report.html .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache .coverage htmlcov
