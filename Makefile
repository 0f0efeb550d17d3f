# Bidwire from a fresh clone: `make demo` to see it, `make test` to check it.
# Everything is installed into .venv; nothing outside it is changed, but that a root
# user without python3-venv, Mosquitto, libfaketime or Chromium gets them through apt.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
INSTALLED := $(VENV)/.installed

export PIP_DISABLE_PIP_VERSION_CHECK := 1
# The tests start hundreds of processes; each would compile all modules again.
unexport PYTHONDONTWRITEBYTECODE

.DEFAULT_GOAL := help
.PHONY: help demo test test-long check tests conformance screenshots law-coverage format install mosquitto faketime browser clean

help:
	@echo 'make demo    watch four terminals play a board under the referee'
	@echo 'make test    check and test everything'
	@echo 'make test-long  that, and what takes long'
	@echo 'make check   style, types and the rule of imports only'
	@echo 'make format  lay out the code as the style wants it'
	@echo 'make conformance  check a terminal against the specification of the wire'
	@echo 'make law-coverage  write docs/law-coverage.md: which paragraph is tested where'
	@echo 'make screenshots  take the pictures of docs/directors.md anew'
	@echo 'make clean   remove .venv and what the tools left behind'
	@echo
	@echo 'Options: PYTHON=python3.12 chooses the Python for .venv;'
	@echo '         ARGS="--speed 2" is passed on to the demo, or to pytest.'

demo: install
	@$(BIN)/bidwire demo $(ARGS)

test: check tests

test-long: export BIDWIRE_LONG = 1
test-long: check tests

check: install
	$(call heading,Style)
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet || { echo 'Run `make format`.'; exit 1; }
	$(call heading,Types)
	@$(BIN)/mypy
	$(call heading,The rule of imports)
	@$(BIN)/lint-imports --no-cache | sed -n '/^Contracts$$/,$$p'; exit $${PIPESTATUS[0]}

tests: install mosquitto faketime browser
	$(call heading,Tests)
	@$(BIN)/pytest -q -rs -n 2 --dist loadfile $(if $(BIDWIRE_LONG),--timeout 300) $(ARGS)

conformance: install
	@$(BIN)/pytest hil_tests -rs $(ARGS)

screenshots: install browser
	@BIDWIRE_SCREENSHOTS=docs/images $(BIN)/pytest -q tests/bidwire/test_directors_evening.py

law-coverage: install
	@$(BIN)/python -m tests.law_coverage

format: install
	@$(BIN)/ruff format
	@$(BIN)/ruff check --fix

clean:
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache

# --- what the targets above need ---

SHELL := /bin/bash

define heading
@printf '\n== %s ==\n' '$(1)'
endef

install: $(INSTALLED)

$(INSTALLED): pyproject.toml
	@command -v $(PYTHON) >/dev/null || { \
	  echo 'Bidwire needs Python 3.11 or newer, and there is no $(PYTHON).'; exit 1; }
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || { \
	  echo "Bidwire needs Python 3.11 or newer; $(PYTHON) is $$($(PYTHON) -V 2>&1)."; \
	  echo 'Name another one: make PYTHON=python3.12'; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || { \
	  $(call apt_install,python3-venv) || { \
	    echo 'Python cannot make virtual environments here: apt-get install python3-venv'; \
	    exit 1; }; }
	$(call heading,Installing Bidwire into $(VENV) (once; a minute))
	@$(PYTHON) -m venv $(VENV)
	@$(BIN)/pip install -qq --upgrade 'pip>=25.1'
	@$(BIN)/pip install -qq --editable . --group dev
	@touch $@

mosquitto:
	@command -v mosquitto >/dev/null || [ -x /usr/sbin/mosquitto ] || { \
	  printf '\n== Mosquitto ==\n'; \
	  $(call apt_install,mosquitto) || { \
	    echo 'Mosquitto is not installed, so the tests with it are skipped.'; \
	    echo 'To run them too: sudo apt-get install mosquitto'; }; }

faketime:
	@ls /usr/lib/*/faketime/libfaketime.so.1 >/dev/null 2>&1 || { \
	  printf '\n== libfaketime ==\n'; \
	  $(call apt_install,libfaketime) || { \
	    echo 'libfaketime is not installed, so the test with a clock that jumps is skipped.'; \
	    echo 'To run it too: sudo apt-get install libfaketime'; }; }

browser:
	@command -v chromium >/dev/null || { \
	  printf '\n== Chromium ==\n'; \
	  $(call apt_install,chromium fonts-dejavu-core) || { \
	    echo 'Chromium is not installed, so the tests in a browser are skipped.'; \
	    echo 'To run them too: sudo apt-get install chromium'; }; }
	@ldconfig -p | grep -q libpangoft2 || { \
	  printf '\n== Pango ==\n'; \
	  $(call apt_install,libpango-1.0-0 libpangoft2-1.0-0 libharfbuzz-subset0) || { \
	    echo 'Pango is not installed, so the tests of reports as PDF are skipped.'; \
	    echo 'To run them too: sudo apt-get install libpangoft2-1.0-0'; }; }

# Succeeds when the package is there afterwards; only root on Debian can do that.
apt_install = { [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null \
	  && echo 'Installing $(1) with apt-get' \
	  && { apt-get install -y -qq --no-install-recommends $(1) >/dev/null 2>&1 \
	    || { apt-get update -qq >/dev/null 2>&1 \
	      && apt-get install -y -qq --no-install-recommends $(1) >/dev/null 2>&1; }; }; }
