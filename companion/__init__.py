"""The mind of the table: rules, journal, views. No device and no camera in here."""

__version__ = "0.3.0"
