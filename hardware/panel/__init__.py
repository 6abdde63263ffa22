"""Buttons, lamps and the off switch over gpiozero."""
