"""The twins of all devices, no kinder than the real ones."""
