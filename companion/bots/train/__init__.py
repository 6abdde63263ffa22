"""How the tables of the players were solved; runs by hand and ships nowhere."""
