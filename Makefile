# Everything runs in .venv, which is made on first use; stamps make a second run quick.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
# Tests of one file stay in one process; more than four processes wait for memory.
PYTEST := $(BIN)/python -m pytest -q --numprocesses=auto --maxprocesses=4 --dist=loadfile
FULL := $(VENV)/.full-installed
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.DEFAULT_GOAL := help
.PHONY: help setup demo test bench-cpu bench-gpu bench-interpreter bench-text bench-tools bench-triton-cpu measure quick check format docs site dist clean

help:  ## Show this list
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  make \1\t\2/p' Makefile

$(BIN)/python:
	@$(PYTHON) -c 'import sys; sys.exit(not (3, 11) <= sys.version_info[:2] <= (3, 14))' || \
	  { echo "error: Python 3.11 to 3.14 is needed; try: make PYTHON=python3.12"; exit 1; }
	@$(PYTHON) -m venv $(VENV) || \
	  { rm -rf $(VENV); echo "error: no venv module; try: apt-get install python3-venv"; exit 1; }

# PyTorch's CUDA build asks for a Triton of its own, which a single pip run would not replace.
$(FULL): pyproject.toml Makefile | $(BIN)/python
	@echo "setting up $(VENV), once: a minute or two, more where PyTorch comes with CUDA"
	@$(PIP) -e '.[dev,docs,torch,corpus,dask]'
	@$(PIP) -e '.[triton]'
	@touch $@

setup: $(FULL)  ## Make .venv with everything in it

demo: $(FULL)  ## Compile and run the example kernels on this CPU, compare with torch
	@$(BIN)/python -m xtriton demo

test: $(FULL)  ## Run all tests
	@$(PYTEST)

bench-cpu: $(FULL)  ## Time native code, beside the machine, torch, NumPy and Inductor
	@$(BIN)/python benchmarks/cpu.py

bench-gpu: $(FULL)  ## Time kernels raised inside Triton on a GPU, beside unraised ones
	@$(BIN)/python benchmarks/gpu.py

bench-interpreter: $(FULL)  ## Time the interpreter, beside TRITON_INTERPRET=1
	@$(BIN)/python benchmarks/interpreter.py

bench-text: $(FULL)  ## Time reading, checking and writing, beside xDSL and mlir-opt
	@$(BIN)/python benchmarks/bench_text.py

bench-triton-cpu: $(FULL)  ## Time native code beside triton-cpu's (XTRITON_TRITON_CPU_OPT: its triton-opt)
	@$(BIN)/python benchmarks/triton_cpu.py

bench-tools: $(FULL)  ## Time cold processes of xtriton-opt and warm passes, beside mlir-opt
	@$(BIN)/python benchmarks/tools.py

measure: $(FULL)  ## Hold all figures against their bars: make measure DATA=folder
	@$(BIN)/python scripts/measure.py $(if $(DATA),--data $(DATA)) $(TOPICS)

quick: $(FULL)  ## Run the tests that take less than five seconds each
	@$(PYTEST) -m 'not slow'

check: $(FULL)  ## Run the linters: ruff and pyright (strict)
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/pyright

format: $(FULL)  ## Lay out the code as `make check` wants it
	$(BIN)/ruff check --fix --quiet .
	$(BIN)/ruff format .

docs: $(FULL)  ## Write the generated pages of docs/
	$(BIN)/python scripts/generate_docs.py

site: $(FULL)  ## Build the documentation site into build/site, warnings being errors
	NO_MKDOCS_2_WARNING=1 $(BIN)/mkdocs build --strict --quiet
	$(BIN)/python scripts/check_links.py build/site

dist: $(FULL)  ## Build sdist and wheel, try them in empty environments: make dist PYTHONS="..."
	$(BIN)/python scripts/check_dist.py $(PYTHONS)

clean:  ## Remove what was built, .venv too
	rm -rf $(VENV) build dist *.egg-info
