"""Frames in, rolls out: what rests, what moved."""
