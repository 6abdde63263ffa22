#!/bin/sh
# Fetches the official MicroPython (WebAssembly, run by Node) into .tools, which git does not see.
set -eu
cd "$(dirname "$0")/../.."
have=.tools/node_modules/@micropython/micropython-webassembly-pyscript/micropython.mjs
if [ -f "$have" ]; then
    echo "MicroPython is there: $have"
    exit 0
fi
command -v node >/dev/null || { echo "MicroPython needs Node 20 or newer: install nodejs and npm" >&2; exit 1; }
mkdir -p .tools
npm install --no-audit --no-fund --no-save --prefix .tools \
    @micropython/micropython-webassembly-pyscript@1.27.0
[ -f "$have" ]
