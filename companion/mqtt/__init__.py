"""What a broker hears of this table: what is public, never in the path of a roll."""
