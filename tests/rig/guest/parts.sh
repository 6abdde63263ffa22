#!/bin/sh
# Inside the rig, before anything else starts: solder the parts. A Pi would have them at boot.
set -eu
mount --bind /host/modules /usr/lib/modules
/lib/systemd/systemd-modules-load || true  # it ran before the modules were there
modprobe i2c-rec nr=1
echo pca9548 0x70 >/sys/bus/i2c/devices/i2c-1/new_device
sh /host/rig/pins.sh
