# Each target sets up what it needs; stamp files in .venv keep anything from being installed twice.
SHELL := /bin/bash
.DEFAULT_GOAL := help
.PHONY: help play lite lite-serve test test-all check words figures bench docs dist gallery hub lessons wheelhouse lock audit clean

VENV   := .venv
PY     := $(VENV)/bin/python
# The first Python that is new enough; name another with `make PYTHON=... play`.
PYTHON ?= $(shell for p in python3.11 python3 python3.12 python3.13 python3.14 python; do \
	$$p -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && echo $$p && break; done)
# Files in the order of their names: those of the browser, the longest, come early, and no core waits for one at the end.
PYTEST := $(PY) -m pytest -n 2 --dist loadfile --no-loadscope-reorder
ARGS   ?=
# Pins as a lock file: each with the hashes of all its files, for every system; and what installs such a file, and nothing else.
HASHED := $(VENV)-lock/bin/uv pip compile -q --no-deps --universal --generate-hashes --no-annotate --no-header
LOCKED := $(PY) -m pip install -q --disable-pip-version-check --no-deps --require-hashes
# Every page has a Python of its own: without compiled files each would compile the whole library anew.
unexport PYTHONDONTWRITEBYTECODE

help:  ## list the targets
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/^([a-z-]+):[^#]*## (.*)/  make \1\t\2/' | expand -t 18

play: $(VENV)/.run  ## open the lobby in the browser and play
	$(PY) -m navalkit play $(ARGS)

lite: $(VENV)/.dev lite/node_modules/.package-lock.json  ## build the pages that need no server (dist/lite)
	$(PY) lite/build.py $(ARGS)

lite-serve:  ## serve them on this machine (ARGS: another port)
	$(PY) -m http.server --bind 127.0.0.1 --directory dist/lite $(or $(ARGS),8870)

lite/node_modules/.package-lock.json: lite/package-lock.json
	npm ci --silent --no-audit --no-fund --prefix lite

test: $(VENV)/.dev  ## the suite (the browser's part is skipped where there is no Chromium)
	$(PYTEST) -m "not slow" $(ARGS)

test-all: $(VENV)/.dev hub  ## the suite with the tests that take minutes
	$(PYTEST) $(ARGS)

hub: $(VENV)/.dev  ## get a JupyterHub and its proxy for the suite, where there is npm and a network (.hub)
	@test -d .hub/node_modules || ! command -v npm >/dev/null || { \
	$(PY) -m pip install -q --disable-pip-version-check --target .hub/python "jupyterhub>=5.3" jupyterhub-idle-culler && \
	npm install --silent --no-audit --no-fund --prefix .hub configurable-http-proxy; } || \
	echo "No JupyterHub could be had: its test is skipped."

check: $(VENV)/.dev  ## style (ruff), types (mypy), and every notebook run from top to bottom (nbval)
	$(PY) tests/core/sizes.py
	$(PY) -m ruff check .
	$(PY) -m mypy
	$(PY) -m pytest -q --nbval-lax --nbval-current-env notebooks teaching

words: $(VENV)/.dev lessons  ## write anew what repeats sentences: their proof sheets, the pages' frame, the students' copies
	NAVALKIT_RENEW=1 $(PY) -m pytest -q tests/words/test_sheets.py tests/ui/test_frame.py

figures: $(VENV)/.dev  ## play the games of the published figures again, and write their tables (ARGS=NAME: one)
	$(PY) -m navalkit.sim.figures $(ARGS)

bench: $(VENV)/.dev  ## measure, and print the table of ratios
	$(PY) tests/bench/run.py $(ARGS)

SITE = $(VENV)-docs
docs: $(SITE)/.made  ## build the site (dist/site): tutorials run, rules, reference, figures; every inner link is checked
	$(SITE)/bin/python -m sphinx -q -W --keep-going -c docs/site -d build/site . dist/site

$(SITE)/.made: docs/site/requirements.txt pyproject.toml
	$(PYTHON) -m venv $(SITE)
	$(SITE)/bin/python -m pip install -q --disable-pip-version-check -r docs/site/requirements.txt -e ".[app,cluster,envs]"
	touch $@

gallery: $(VENV)/.dev  ## take the pictures of the documents anew (docs/gallery; ARGS="--all FOLDER": every page)
	$(PY) docs/make_gallery.py $(ARGS)

lessons: $(VENV)/.run  ## make the students' copies of all lessons anew
	$(PY) -m navalkit teach students

wheelhouse: $(VENV)/.run  ## all wheels for machines without a network, JupyterLab included (docs/teaching.md)
	$(PY) -m pip wheel -q --wheel-dir wheelhouse -c <($(PY) -m pip freeze --exclude navalkit) ".[app]" jupyterlab

lock:  ## make both lock files anew from pyproject.toml, in clean environments
	rm -rf $(VENV)-lock && $(PYTHON) -m venv $(VENV)-lock
	$(VENV)-lock/bin/python -m pip install -q ".[app]" "soupsieve<3" "jsonschema<4.25"
	@# a later soupsieve wants Python 3.11.5; a later jsonschema builds a grammar for 1.5 s in each start
	@# where it compares hashes, pip wants the extras that a package is asked for with
	$(VENV)-lock/bin/python -m pip freeze --exclude navalkit | sed 's/^jsonschema==/jsonschema[format-nongpl]==/' > $(VENV)-lock/run.in
	$(VENV)-lock/bin/python -m pip install -q ".[dev]"
	$(VENV)-lock/bin/python -m pip freeze --exclude navalkit | grep -v "^jsonschema==" | grep -vxFf $(VENV)-lock/run.in > $(VENV)-lock/dev.in
	$(VENV)-lock/bin/python -m pip install -q uv
	(echo "# Everything navalkit needs at run time, used by make and by Binder; made by 'make lock'."; \
	 $(HASHED) $(VENV)-lock/run.in) > binder/requirements.txt
	(echo "# The tools for tests and checks, on top of binder/requirements.txt; made by 'make lock'."; \
	 $(HASHED) $(VENV)-lock/dev.in) > requirements-dev.txt
	rm -rf $(VENV)-lock

dist:  ## build the wheel and the source archive, and check them as they would be published (docs/releasing.md)
	rm -rf dist/navalkit-* $(VENV)-dist && $(PYTHON) -m venv $(VENV)-dist
	$(VENV)-dist/bin/python -m pip install -q --disable-pip-version-check build twine check-wheel-contents
	$(VENV)-dist/bin/python -m build -o dist .
	$(VENV)-dist/bin/twine check --strict dist/navalkit-*
	$(VENV)-dist/bin/check-wheel-contents dist/navalkit-*.whl
	rm -rf $(VENV)-dist && $(PYTHON) -m venv $(VENV)-dist
	$(VENV)-dist/bin/python -m pip install -q --disable-pip-version-check "$$(echo dist/navalkit-*.whl)[app]"
	cd $(VENV)-dist && bin/navalkit odds uss-lox sink 8D 2 && bin/navalkit sim wolf-pack -n 2 --policy careful && \
	bin/navalkit --version && bin/python -c "import navalkit.ui.play.app, navalkit.serve; print(navalkit.serve.pages())"
	rm -rf $(VENV)-dist

audit:  ## check the lock files against a database of advisories, where one can be reached
	test -x $(VENV)-audit/bin/pip-audit || { $(PYTHON) -m venv $(VENV)-audit && \
	$(VENV)-audit/bin/python -m pip install -q --disable-pip-version-check pip-audit; }
	$(VENV)-audit/bin/pip-audit --disable-pip --require-hashes -r binder/requirements.txt -r requirements-dev.txt

clean:  ## remove the environment and all that was made
	rm -rf $(VENV) $(SITE) docs/site/reference $(VENV)-lock $(VENV)-audit $(VENV)-dist dist build wheelhouse .hub lite/node_modules lite/.made .pytest_cache .ruff_cache .mypy_cache .hypothesis .screenshots
	find . -name __pycache__ -prune -exec rm -rf {} +

$(PY):
	@test -n "$(PYTHON)" || { echo "navalkit needs Python 3.11 or newer, and none was found."; exit 1; }
	$(PYTHON) -m venv $(VENV)

$(VENV)/.run: binder/requirements.txt pyproject.toml | $(PY)
	$(LOCKED) -r binder/requirements.txt
	$(PY) -m pip install -q --disable-pip-version-check --no-deps -e .
	@touch $@

$(VENV)/.dev: requirements-dev.txt $(VENV)/.run
	$(LOCKED) -r requirements-dev.txt
	@touch $@
