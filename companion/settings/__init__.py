"""One TOML file into frozen records, and whose file it is."""
