#!/bin/sh
# What the tests need beside Python: Node for MicroPython, Chromium for the pages, a small Debian,
# picamera2, a broker, a database. Installs only what is missing.
set -eu
cd "$(dirname "$0")/.."

install() {
    if [ "$(id -u)" != 0 ]; then
        echo "please install: $*" >&2
        return 1
    fi
    apt-get update -q >/dev/null && DEBIAN_FRONTEND=noninteractive apt-get install -y -q "$@" >/dev/null
}

command -v npm >/dev/null || install nodejs npm
sh tests/venue/get_services.sh
sh tests/firmware/get_micropython.sh
sh tests/web/get_browser.sh
sh tests/service/get_machine.sh
sh tests/hardware/get_picamera2.sh
