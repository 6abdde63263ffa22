"""Glyph files, and what made them. README.md tells where they come from."""
