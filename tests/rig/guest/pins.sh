#!/bin/sh
# Inside the rig: no finger is on any button.
for line in $(seq 2 27); do
    for pull in /sys/devices/platform/gpio/gpiochip*/sim_gpio"$line"/pull; do
        echo pull-up >"$pull" 2>/dev/null || true
    done
done
