#!/bin/sh
# What tests/web/test_browser.py needs beside Python: Chromium, a Japanese font, axe-core.
# Run it as often as you like; it installs only what is missing.
set -eu
tools="$(cd "$(dirname "$0")/../.." && pwd)/.tools"
if ! command -v chromium >/dev/null; then
  sudo=""
  [ "$(id -u)" = 0 ] || sudo="sudo"
  $sudo apt-get -q -o DPkg::Lock::Timeout=120 update
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=120 \
    install --no-install-recommends chromium
fi
if [ ! -f "$tools/node_modules/axe-core/axe.min.js" ]; then
  mkdir -p "$tools"
  npm install --prefix "$tools" --no-audit --no-fund --silent axe-core@4
fi
