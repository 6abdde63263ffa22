#!/bin/sh
# The broker and the database of the venue's tests and of `make venue`, from the distribution's
# packages. Installs only what is missing, and says what.
set -eu
missing=""
PATH="$PATH:/usr/sbin" command -v mosquitto >/dev/null || missing="mosquitto"
[ -n "$(ls /usr/lib/postgresql/*/bin/initdb 2>/dev/null)" ] || missing="$missing postgresql"
[ -n "$missing" ] || exit 0
if [ "$(id -u)" != 0 ]; then
    echo "please install: $missing" >&2
    exit 1
fi
echo "Installing $missing from the distribution (PostgreSQL has some 60 MB): a minute or two." >&2
apt-get update -q >/dev/null
# shellcheck disable=SC2086  # several packages
DEBIAN_FRONTEND=noninteractive apt-get install -y -q $missing >/dev/null
