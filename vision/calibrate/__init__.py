"""Where the tray is, and whether that still holds."""
