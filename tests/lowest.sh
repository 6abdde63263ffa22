#!/bin/sh
# The quick tests at the oldest releases that pyproject.toml promises (tests/lowest.txt, made by
# make constraints), in an environment of their own. The rules need the standard library only: they
# are left out. An old release may use what is deprecated: a warning is no failure here.
set -eu
cd "$(dirname "$0")/.."
there=.tools/lowest
python="${PYTHON:-python3}"
if ! "$python" -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))'; then
    echo "the oldest releases exist for Python 3.11 only: not tried here" >&2
    exit 0
fi
if ! cmp -s tests/lowest.txt "$there/installed.txt"; then
    rm -rf "$there"
    "$python" -m venv "$there"
    "$there/bin/pip" install --quiet --disable-pip-version-check -r tests/lowest.txt
    cp tests/lowest.txt "$there/installed.txt"
fi
PYTHONPATH="$PWD" exec "$there/bin/python" -m pytest -n auto --dist worksteal -q -W default \
    -m "not slow and not soak and not pi" --ignore tests/games
