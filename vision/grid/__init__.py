"""Sword tiles laid out in a grid."""
