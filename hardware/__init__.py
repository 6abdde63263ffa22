"""The hands: thin adapters to the devices of the table, and their twins."""
