#!/bin/sh
# Fetches picamera2, without what it needs, into .tools: tests hold our calls against its signatures.
set -eu
cd "$(dirname "$0")/../.."
have=.tools/picamera2/picamera2/picamera2.py
if [ -f "$have" ]; then
    echo "picamera2 is there: $have"
    exit 0
fi
python=.venv/bin/python
"$python" -m pip --version >/dev/null 2>&1 || python=${PYTHON:-python3}
"$python" -m pip install --quiet --disable-pip-version-check --no-deps --no-compile \
    --target .tools/picamera2 "picamera2==0.3.38"
[ -f "$have" ]
