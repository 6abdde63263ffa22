# make run: the virtual table. make test: everything that CI runs. Both install what they need into
# .venv, in the versions of constraints.txt: the first the product alone, the others the tools, too.
PYTHON ?= python3
BIN := .venv/bin
ADD := $(BIN)/pip install --quiet --disable-pip-version-check --constraint constraints.txt
FIT := $(BIN)/uv pip compile --quiet --upgrade --python-version 3.11 --no-annotate \
  --custom-compile-command "make constraints"
SETTINGS ?=
OWN := $(if $(SETTINGS),--settings $(SETTINGS))

.PHONY: run test quick lowest bench soak rig venue check tools catalogues screens pictures constraints \
  install rollback uninstall clean

run: .venv/ready
	$(BIN)/companion run --twin $(OWN)

test: check tools
	$(BIN)/python -m pytest -n auto --dist worksteal
	PYTHON="$(PYTHON)" sh tests/lowest.sh

lowest:
	PYTHON="$(PYTHON)" sh tests/lowest.sh

quick: .venv/dev
	$(BIN)/python -m pytest -n auto -m "not slow and not soak and not pi" -q

tools:
	sh tests/get_tools.sh

check: .venv/dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/dev
	$(BIN)/python -m tests.bench

soak: .venv/dev
	$(BIN)/python -m pytest -m soak -s --timeout 0

rig: .venv/dev  # the installed product on a kernel with software parts, as root; docs/rig.md
	$(BIN)/python -m tests.rig $(if $(QUICK),--quick) $(if $(SUITE),--suite $(SUITE))

venue: .venv/dev  # a broker, a database, five tables that play and the venue's pages; docs/venue.md
	sh tests/venue/get_services.sh
	PORT="$(PORT)" $(BIN)/python -m tests.venue.look

catalogues: .venv/dev
	$(BIN)/pybabel -q extract -F babel.cfg -k text -k translate -k template -k Rule:3 -k require:3 -k should:3 -k house:2 \
	  --omit-header --sort-output --add-location=file --width=100 -o companion/locale/companion.pot .
ifneq ($(wildcard companion/locale/*/LC_MESSAGES/companion.po),)
	$(BIN)/pybabel -q update -N --ignore-obsolete --ignore-pot-creation-date --width=100 \
	  -i companion/locale/companion.pot -d companion/locale -D companion
	$(BIN)/pybabel -q compile -d companion/locale -D companion
endif

screens: .venv/dev
	$(BIN)/python -m tests.hardware.update_screens

pictures: .venv/dev  # of the documents: the wiring, and the pages of today (looked at in Chromium)
	$(BIN)/python -m tests.web.pictures
	$(BIN)/companion wiring --settings docs/build.toml --title "Table companion: the default build" \
	  --svg docs/pictures/wiring.svg --png docs/pictures/wiring.png

constraints: .venv/dev  # the newest releases that fit together, and the oldest promised; then make test
	$(BIN)/pip install --quiet --disable-pip-version-check uv
	$(FIT) --universal --all-extras --no-emit-package setuptools --output-file constraints.txt \
	  pyproject.toml
	$(FIT) --resolution lowest-direct --extra dev --python-platform x86_64-manylinux_2_28 \
	  --output-file tests/lowest.txt pyproject.toml

install rollback uninstall:  # as a service: PREFIX=/opt/companion, DESTDIR= a folder; docs/service.md
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" PYTHON="$(PYTHON)" sh systemd/install.sh $@

.venv/ready: pyproject.toml constraints.txt
	$(PYTHON) -m venv .venv
	$(ADD) -e .
	touch $@

.venv/dev: .venv/ready
	$(ADD) -e ".[dev]"
	touch $@

clean:
	rm -rf .venv build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis artefacts
