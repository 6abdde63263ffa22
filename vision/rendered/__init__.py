"""The twin of the tray: dice drawn with known truth."""
