"""What runs on the dice and on their hub (MicroPython), and, unchanged, in the twin."""

VERSION = "1.0.0"
