"""The rig: a Pi 4 made of a real kernel and software parts, with the installed product."""
