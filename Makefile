# `make demo` and `make test` need Python >= 3.11, a C++ compiler and make; everything else they install themselves.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
export PATH := $(abspath $(BIN)):$(PATH)
SOURCES := $(shell find src -name '*.py' -o -name '*.pyx' -o -name '*.pxd' -o -name '*.hpp' -o -name '*.toml' -o -path '*/demo/*') \
           meson.build meson.options pyproject.toml

.PHONY: demo test test-slow test-checked lint bench docs clean

demo: $(VENV)/.package
	$(BIN)/branchmark demo

test: $(VENV)/.package $(VENV)/.test
	$(BIN)/python -m pytest

test-slow: $(VENV)/.package $(VENV)/.test
	$(BIN)/python -m pytest -m slow -s

# The same tests on kernels that check every index.
test-checked:
	$(MAKE) test VENV=.venv-checked BUILD="-Csetup-args=-Dchecked=true"

lint: $(VENV)/.package $(VENV)/.test $(VENV)/.lint
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/cython-lint src
	$(BIN)/mypy
	$(BIN)/lint-imports

docs: $(VENV)/.package
	$(BIN)/python docs/build.py

bench: $(VENV)/.package $(VENV)/.bench
	$(BIN)/python benchmarks/files.py
	$(BIN)/python benchmarks/set_based.py
	$(BIN)/python benchmarks/hierarchical.py
	$(BIN)/python benchmarks/comparison.py

clean:
	rm -rf $(VENV) build

$(BIN)/python:
	$(PYTHON) -c 'import sys; sys.exit("branchmark needs Python 3.11 or newer" if sys.version_info < (3, 11) else 0)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade "pip>=25.1"

$(VENV)/.build: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --group build
	touch $@

# Built without isolation, so that a rebuild downloads nothing.
$(VENV)/.package: $(SOURCES) $(VENV)/.build
	$(BIN)/python -m pip install --quiet --no-build-isolation $(BUILD) .
	touch $@

$(VENV)/.%: pyproject.toml | $(BIN)/python
	$(BIN)/python -m pip install --quiet --group $*
	touch $@
