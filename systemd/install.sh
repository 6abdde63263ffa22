#!/bin/sh
# Installs the table companion as a service, or upgrades it. As often as you like; docs/service.md.
#
#   sh systemd/install.sh [install | rollback | uninstall | units]
#
# Each version has a virtual environment of its own under $PREFIX/releases. A new one is built and
# tried first; then the link $PREFIX/current is swapped; if the service does not start, it is
# swapped back. With DESTDIR only files are written: no user is made, nothing is started.
set -eu

source="$(cd "$(dirname "$0")/.." && pwd)"
PREFIX="${PREFIX:-/opt/companion}"
DESTDIR="${DESTDIR:-}"
PYTHON="${PYTHON:-python3}"
BOARD="${BOARD:-/proc/device-tree/model}"  # a machine that has it has pins
root="$DESTDIR$PREFIX"
etc="$DESTDIR/etc/companion"
systemd="$DESTDIR/etc/systemd"
here="$root/current"

say() { echo "companion: $*" >&2; }
fail() { say "$*"; exit 1; }
live() { [ -z "$DESTDIR" ] && [ -d /run/systemd/system ]; }

# --- a version ------------------------------------------------------------------------------------

release() {  # its name: the version, and what the sources are
    version="$(sed -n 's/^version = "\(.*\)"/\1/p' "$source/pyproject.toml")"
    files="$(cd "$source" && find companion hardware vision firmware systemd pyproject.toml \
        constraints.txt -type f ! -name '*.pyc' | LC_ALL=C sort)"
    sum="$(cd "$source" && echo "$files" | tr '\n' '\0' | xargs -0 sha256sum | sha256sum | cut -c1-10)"
    echo "$version-$sum"
}

build() {  # $1: where. Made under another name, so that a half one is never taken for a whole one
    say "building $(basename "$1")"
    rm -rf "$1" "$1.part"
    mkdir -p "$1.part"
    "$PYTHON" -m venv --system-site-packages "$1.part"
    work="$(mktemp -d)"
    (cd "$source" && tar -cf - --exclude=__pycache__ --exclude=vision/train --exclude=companion/bots/train companion hardware \
        vision firmware pyproject.toml README.md LICENSE) | tar -xf - -C "$work"
    extra="[mqtt]"
    [ ! -e "$BOARD" ] || extra="[pi,mqtt]"
    cp "$source/constraints.txt" "$work/constraints.txt"
    # apt's picamera2 is compiled for apt's numpy: a newer one in the environment would break it
    if kept="$("$1.part/bin/python" -c 'import numpy; print(numpy.__version__)' 2>/dev/null)"; then
        grep -vE '^(numpy|opencv-python-headless)==' "$source/constraints.txt" >"$work/constraints.txt"
        echo "numpy==$kept" >>"$work/constraints.txt"
    fi
    "$1.part/bin/python" -m pip install --quiet --disable-pip-version-check \
        --constraint "$work/constraints.txt" "$work$extra" ||
        { rm -rf "$work" "$1.part"; fail "the packages could not be installed; nothing was changed"; }
    rm -rf "$work"
    [ ! -e "$BOARD" ] || drivers "$1.part/bin/python"
    mkdir "$1.part/units"
    cp "$source"/systemd/*.service "$source"/systemd/*.path "$source"/systemd/*.conf \
        "$source"/systemd/*.rules "$1.part/units/"
    # the scripts name their interpreter by its final place
    for script in "$1.part/bin/companion" "$1.part/bin/companion-eye"; do
        sed -i "1s|^#!.*|#!$PREFIX/releases/$(basename "$1")/bin/python|" "$script"
    done
    verify "$1.part" || { rm -rf "$1.part"; fail "the new version does not work; nothing was changed"; }
    mv "$1.part" "$1"
}

drivers() {  # $1: a Python. It sees apt's, now or later; else a wheel. None is worth a failure
    while read -r name least use; do
        "$1" -c "import importlib.util as u; raise SystemExit(not u.find_spec('$name'))" ||
            "$1" -m pip install --quiet --disable-pip-version-check --only-binary=:all: \
                "$name>=$least" 2>/dev/null ||
            say "$name is missing: $use. sudo apt install python3-$name," \
                "then sudo systemctl restart companion"
    done <<-END
	spidev 3.6 displays on SPI do not work
	END
}

verify() {  # $1: an environment. It answers, takes the settings that are there, and starts
    trial="$(mktemp -d)"
    ok=0
    "$1/bin/python" -m companion version >/dev/null || ok=1
    [ ! -f "$etc/companion.toml" ] ||
        "$1/bin/python" -m companion settings --check "$etc/companion.toml" >/dev/null || ok=1
    (cd / && STATE_DIRECTORY="$trial" timeout "${TRIAL:-120}" \
        "$1/bin/python" -m companion run --twin --port 0 --once >"$trial/said" 2>&1) ||
        { ok=1; cat "$trial/said" >&2; }
    rm -rf "$trial"
    return "$ok"
}

# --- the machine ----------------------------------------------------------------------------------

people() {  # the groups of the devices, and a user who owns nothing but the games
    for group in gpio i2c spi video dialout; do
        getent group "$group" >/dev/null || groupadd --system "$group"
    done
    getent passwd companion >/dev/null ||
        useradd --system --user-group --no-create-home --home-dir /var/lib/companion \
            --shell /usr/sbin/nologin companion
}

settings() {  # yours are never touched
    mkdir -p "$etc"
    [ -f "$etc/companion.toml" ] || "$here/bin/python" -m companion settings >"$etc/companion.toml"
}

units() {  # $1: the folder they come from
    for part in companion companion-safe; do
        mkdir -p "$systemd/system/$part.service.d"
        cp "$1/sandbox.conf" "$systemd/system/$part.service.d/sandbox.conf"
    done
    for unit in "$1"/*.service "$1"/*.path; do
        sed "s|@PREFIX@|$PREFIX|g" "$unit" >"$systemd/system/$(basename "$unit")"
    done
    mkdir -p "$systemd/journald.conf.d" "$DESTDIR/etc/udev/rules.d" "$DESTDIR/etc/modules-load.d"
    cp "$1/journald.conf" "$systemd/journald.conf.d/companion.conf"
    rm -f "$DESTDIR"/etc/udev/rules.d/*-companion.rules  # another version has another number
    cp "$1"/*.rules "$DESTDIR/etc/udev/rules.d/"
    [ ! -f "$1/modules-load.conf" ] ||
        cp "$1/modules-load.conf" "$DESTDIR/etc/modules-load.d/companion.conf"
}

point() {  # $1: the name of a release. A rename: there is no instant without a version
    ln -s "releases/$1" "$root/current.new"
    mv -T "$root/current.new" "$here"
}

start() {  # ready, and still there a little later
    live || return 0
    systemctl daemon-reload
    systemctl --no-block try-restart systemd-journald.service 2>/dev/null || true
    systemctl restart systemd-modules-load.service 2>/dev/null || true
    udevadm control --reload 2>/dev/null && udevadm trigger 2>/dev/null || true
    systemctl enable --quiet companion.service companion-off.path
    systemctl reset-failed companion.service 2>/dev/null || true
    systemctl start companion-off.path
    systemctl restart companion.service || return 1
    sleep "${STEADY:-5}"
    systemctl is-active --quiet companion.service
}

activate() {  # $1: the name of a release
    point "$1"
    units "$here/units"
    settings
    mkdir -p "$DESTDIR/usr/local/bin"
    ln -sfn "$PREFIX/current/bin/companion" "$DESTDIR/usr/local/bin/companion"
    start
}

current() { [ ! -L "$here" ] || basename "$(readlink "$here")"; }

swap() {  # $1: the new release, $2: the old one or ""
    if activate "$1"; then
        [ -z "$2" ] || [ "$1" = "$2" ] || echo "$2" >"$root/previous"
        return 0
    fi
    systemctl status --no-pager --lines 20 companion.service >&2 || true
    [ -n "$2" ] && [ "$1" != "$2" ] ||
        fail "the service does not start; it is in safe mode, and says why. Then run this again"
    say "the new version does not start: going back to $2"
    activate "$2" || fail "$2 does not start any more either: see journalctl -u companion"
    fail "still the old version, $2; the new one is kept in $root/releases/$1 for a look"
}

tidy() {  # the current and the previous version stay
    for old in "$root"/releases/*; do
        case "$(basename "$old")" in
            "$(current)" | "$(cat "$root/previous" 2>/dev/null)") ;;
            *) rm -rf "$old" ;;
        esac
    done
}

# --- what can be asked for ------------------------------------------------------------------------

case "${1:-install}" in
    install)
        [ -n "$DESTDIR" ] || [ "$(id -u)" = 0 ] || fail "run this as root: sudo make install"
        "$PYTHON" -c 'import sys, venv, ensurepip; sys.exit(sys.version_info < (3, 11))' ||
            fail "Python 3.11 or newer with venv is needed: apt install python3-venv"
        new="$(release)" old="$(current)"
        mkdir -p "$root/releases"
        [ -n "$DESTDIR" ] || people
        [ -d "$root/releases/$new" ] || build "$root/releases/$new"
        if [ "$new" = "$old" ] && live && systemctl is-active --quiet companion.service; then
            units "$here/units"
            systemctl daemon-reload
            say "$new runs already; nothing to do"
            exit 0
        fi
        swap "$new" "$old"
        tidy
        say "$new is installed; settings: /etc/companion/companion.toml, games: /var/lib/companion"
        ;;
    rollback)
        old="$(current)" new="$(cat "$root/previous" 2>/dev/null)" || fail "there is no previous version"
        swap "$new" "$old"
        say "back at $new"
        ;;
    uninstall)
        if live; then
            systemctl disable --quiet --now companion.service companion-safe.service companion-off.path ||
                true
        fi
        for unit in companion.service companion-safe.service companion-off.service companion-off.path; do
            rm -rf "$systemd/system/$unit" "$systemd/system/$unit.d"
        done
        rm -f "$systemd/journald.conf.d/companion.conf" "$DESTDIR/etc/modules-load.d/companion.conf"
        rm -f "$DESTDIR"/etc/udev/rules.d/*-companion.rules
        rm -f "$DESTDIR/usr/local/bin/companion"
        rm -rf "$root"
        ! live || systemctl daemon-reload
        say "removed. Your games (/var/lib/companion) and settings (/etc/companion) are kept;" \
            "delete them by hand, and the user companion, if you do not want them any more"
        ;;
    units)
        [ -n "$DESTDIR" ] || people
        units "$source/systemd"
        ;;
    *)
        fail "install, rollback, uninstall or units, not $1"
        ;;
esac
