#!/bin/sh
# What tests/web/visit.py needs beside Python: Chromium, a Japanese font, axe-core.
# Run it as often as you like; it installs only what is missing.
set -eu
tools="$(cd "$(dirname "$0")/../.." && pwd)/.tools/web"  # a folder of its own: npm drops what it did not install
missing=""
command -v chromium >/dev/null || missing="chromium"
[ -n "$(fc-list :lang=ja 2>/dev/null)" ] || missing="$missing fonts-ipafont-gothic"
if [ -n "$missing" ]; then
  sudo=""
  [ "$(id -u)" = 0 ] || sudo="sudo"
  $sudo apt-get -q -o DPkg::Lock::Timeout=120 update
  # shellcheck disable=SC2086  # several packages
  $sudo env DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=120 \
    install --no-install-recommends $missing
fi
if [ ! -f "$tools/node_modules/axe-core/axe.min.js" ]; then
  mkdir -p "$tools"
  npm install --prefix "$tools" --no-audit --no-fund --silent axe-core@4
fi
