"""The hands of the table: thin adapters of devices, and their twins."""
