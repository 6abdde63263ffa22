"""What lasts: the journal, its folding into states, and the records made from it."""
