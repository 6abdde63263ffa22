"""The mind: events in, views out. No device, clock, chance, socket or disk of its own."""
