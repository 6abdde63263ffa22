"""The games of many tables in one store: heard from a broker, proven, kept in PostgreSQL."""
