# make run: the virtual table. make test: everything that CI runs. Both install what they need.
PYTHON ?= python3
BIN := .venv/bin
SETTINGS ?=
OWN := $(if $(SETTINGS),--settings $(SETTINGS))

.PHONY: run test quick bench soak check tools catalogues screens pictures install rollback \
  uninstall clean

run: .venv/ready
	$(BIN)/companion run --twin $(OWN)

test: check tools
	$(BIN)/python -m pytest -n auto --dist worksteal

quick: .venv/ready
	$(BIN)/python -m pytest -n auto -m "not slow and not soak and not pi" -q

tools:
	sh tests/get_tools.sh

check: .venv/ready
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: .venv/ready
	$(BIN)/python -m tests.bench

soak: .venv/ready
	$(BIN)/python -m pytest -m soak -s --timeout 0

catalogues: .venv/ready
	$(BIN)/pybabel -q extract -F babel.cfg -k text -k translate -k require:3 -k should:3 \
	  --omit-header --sort-output --add-location=file --width=100 -o companion/locale/companion.pot .
ifneq ($(wildcard companion/locale/*/LC_MESSAGES/companion.po),)
	$(BIN)/pybabel -q update -N --ignore-obsolete --ignore-pot-creation-date --width=100 \
	  -i companion/locale/companion.pot -d companion/locale -D companion
	$(BIN)/pybabel -q compile -d companion/locale -D companion
endif

screens: .venv/ready
	$(BIN)/python -m tests.hardware.update_screens

pictures: .venv/ready
	$(BIN)/companion wiring --settings docs/build.toml --title "Table companion: the default build" \
	  --svg docs/pictures/wiring.svg --png docs/pictures/wiring.png

install rollback uninstall:  # as a service: PREFIX=/opt/companion, DESTDIR= a folder; docs/service.md
	PREFIX="$(PREFIX)" DESTDIR="$(DESTDIR)" PYTHON="$(PYTHON)" sh systemd/install.sh $@

.venv/ready: pyproject.toml
	$(PYTHON) -m venv .venv
	$(BIN)/pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $@

clean:
	rm -rf .venv build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis artefacts
