#!/bin/sh
# A small Debian that tests/service boots with a real systemd; kept in .tools, made only if missing.
# Where it cannot be had (no root, no network) the tests that need it are skipped, and say so.
set -eu
cd "$(dirname "$0")/../.."
missing=""
for tool in systemd-analyze:systemd systemd-nspawn:systemd-container mmdebstrap:mmdebstrap \
    linux.uml:user-mode-linux mke2fs:e2fsprogs; do
    command -v "${tool%%:*}" >/dev/null || missing="$missing ${tool##*:}"
done
if [ -n "$missing" ] && [ "$(id -u)" = 0 ]; then
    apt-get -q -o DPkg::Lock::Timeout=120 update >/dev/null
    # shellcheck disable=SC2086
    DEBIAN_FRONTEND=noninteractive apt-get -q -y -o DPkg::Lock::Timeout=120 \
        install --no-install-recommends $missing >/dev/null
elif [ -n "$missing" ]; then
    echo "please install, or the tests of the service are skipped:$missing" >&2
    exit 0
fi
[ "$(id -u)" = 0 ] || { echo "only root can boot the machine of tests/service" >&2; exit 0; }
tree=.tools/debian
if [ ! -d "$tree" ]; then
    rm -rf "$tree.part"
    mmdebstrap --quiet --variant=minbase --include=systemd-sysv,dbus,make,python3-venv \
        --dpkgopt='path-exclude=/usr/share/doc/*' --dpkgopt='path-exclude=/usr/share/locale/*' \
        bookworm "$tree.part" || { echo "no Debian tree: the service is not booted" >&2; exit 0; }
    mv "$tree.part" "$tree"
fi
wheels=.tools/wheels  # so that the machine needs no network
get() { python3 -m pip download -q --no-deps -d "$wheels" "$@"; }
[ -d "$wheels" ] || get 'setuptools>=70.1'  # building the package needs it
[ -n "$(find "$wheels" -name 'lgpio-*')" ] ||  # for the machine's Python, not for this one
    get --only-binary=:all: --python-version 3.11 --platform "manylinux_2_34_$(uname -m)" 'lgpio>=0.2.2'
