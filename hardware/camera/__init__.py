"""Frames with their times, from whatever camera the settings name."""
