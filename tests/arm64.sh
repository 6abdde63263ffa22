#!/bin/sh
# The same processor family as a Pi, emulated: an arm64 Debian (qemu-user), `make install` into a
# folder there, and `make quick`. Not part of make test: it needs root, the network and a quarter of an hour.
#
#   sh tests/arm64.sh [folder]          default: .tools/arm64
set -eu
cd "$(dirname "$0")/.."
tree="$(realpath -m "${1:-.tools/arm64}")"
export QEMU_CPU=cortex-a72  # with qemu's own "max" numpy prints false warnings
[ "$(id -u)" = 0 ] || { echo "this needs root" >&2; exit 1; }

for tool in qemu-aarch64-static:qemu-user-static mmdebstrap:mmdebstrap arch-test:arch-test; do
    command -v "${tool%%:*}" >/dev/null ||
        DEBIAN_FRONTEND=noninteractive apt-get -q -y install --no-install-recommends "${tool##*:}"
done
binfmt=/proc/sys/fs/binfmt_misc
[ -e "$binfmt/register" ] || mount -t binfmt_misc binfmt_misc "$binfmt"
if [ ! -e "$binfmt/qemu-aarch64" ]; then  # F: the emulator is opened now, so chroots need no copy
    head='\x7fELF\x02\x01\x01\x00\x00\x00\x00\x00\x00\x00\x00\x00\x02\x00\xb7\x00'
    mask='\xff\xff\xff\xff\xff\xff\xff\x00\xff\xff\xff\xff\xff\xff\xff\xff\xfe\xff\xff\xff'
    echo ":qemu-aarch64:M::$head:$mask:$(command -v qemu-aarch64-static):F" >"$binfmt/register"
fi

if [ ! -d "$tree" ]; then
    mkdir -p "$(dirname "$tree")" && rm -rf "$tree.part"
    mmdebstrap --quiet --variant=minbase --architectures=arm64 \
        --include=python3-venv,make,tar bookworm "$tree.part"
    mv "$tree.part" "$tree"
fi

# packages are fetched out here, where there is a network and no emulation
python="$(chroot "$tree" python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')"
python3 -c 'import tomllib; p = tomllib.load(open("pyproject.toml", "rb"))["project"]
print("\n".join(p["dependencies"] + p["optional-dependencies"]["dev"] + ["setuptools>=70.1"]))' \
    >"$tree/wanted.txt"
cat constraints.txt >>"$tree/wanted.txt"
if ! cmp -s "$tree/wanted.txt" "$tree/wheels/wanted.txt"; then
    python3 -m pip download -q -d "$tree/wheels" -r "$tree/wanted.txt" --only-binary=:all: \
        --python-version "$python" --platform manylinux2014_aarch64 \
        --platform manylinux_2_28_aarch64 --platform manylinux_2_34_aarch64
    cp "$tree/wanted.txt" "$tree/wheels/wanted.txt"
fi

rm -rf "$tree/src" "$tree/folder" && mkdir "$tree/src"
git archive HEAD | tar -xf - -C "$tree/src"
inside() {
    chroot "$tree" env -i PATH=/usr/sbin:/usr/bin:/sbin:/bin HOME=/root QEMU_CPU="$QEMU_CPU" \
        PIP_NO_INDEX=1 PIP_FIND_LINKS=/wheels TRIAL=1200 PATIENCE=40 "$@"  # emulation takes its time
}
trap 'umount "$tree/proc" "$tree/dev/shm" "$tree/dev/pts"' EXIT
for place in proc:proc dev/shm:tmpfs dev/pts:devpts; do
    mkdir -p "$tree/${place%%:*}"
    mountpoint -q "$tree/${place%%:*}" || mount -t "${place##*:}" "${place##*:}" "$tree/${place%%:*}"
done
echo "on $(inside uname -m), Python $python:"
began="$(date +%s)"
inside make -C /src install DESTDIR=/folder
inside /folder/opt/companion/current/bin/python -m companion version
echo "installed in $(($(date +%s) - began)) s"
# what is imported is compiled out here: the same bytes, without emulation
inside env PIP_NO_COMPILE=1 make -C /src .venv/dev
if [ "$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')" = "$python" ]; then
    python3 -m compileall -q -s "$tree" "$tree/src" >/dev/null || true
fi
echo "its tests can run after $(($(date +%s) - began)) s"
inside make -C /src quick
echo "all of it in $(($(date +%s) - began)) s"
