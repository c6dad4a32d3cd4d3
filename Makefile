# Two commands for a fresh machine: `make demo` and `make test`. Each builds its own environment first.
PYTHON ?= python3
VENV ?= .venv
BIN := $(VENV)/bin

.PHONY: demo test lint clean

# The environment is brought up to date when the dependencies change.
$(VENV)/.ready: pyproject.toml
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --upgrade pip  # an old one takes source archives that do not build
	$(BIN)/python -m pip install --quiet --editable ".[dev]"
	touch $@

# The main job, a causal repair stream on the bundled benchmark with the embedded local models: a small model answers
# first, and a larger one repairs what is wrong with the help of what its earlier repairs taught.
demo: $(VENV)/.ready
	$(BIN)/sqlmend models pull 0.5b
	$(BIN)/sqlmend models pull 1.5b
	$(BIN)/sqlmend models pull minilm
	rm -rf runs/demo
	$(BIN)/sqlmend run iterative --benchmark mini --lm local:0.5b --sample 16 --budget 0 --out runs/demo/first
	$(BIN)/sqlmend run merit_hints --benchmark mini --lm local --sample 16 --budget 2 \
		--initial runs/demo/first/predictions.json --out runs/demo/repair

lint: $(VENV)/.ready
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

test: lint
	$(BIN)/sqlmend models pull 0.5b
	$(BIN)/sqlmend models pull minilm
	.ci/wheel $(BIN)/python
	$(BIN)/python -m pytest -n 2

clean:
	rm -rf $(VENV) dist
