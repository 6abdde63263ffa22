"""Everything that keeps the companion honest."""
