"""The eye: arrays in, dice out."""
