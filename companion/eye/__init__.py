"""The eye's own process, and its far end in the daemon."""
