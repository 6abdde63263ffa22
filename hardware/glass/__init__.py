"""Displays: a view drawn, and the bytes that change it."""
