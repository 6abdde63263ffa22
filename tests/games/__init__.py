"""The promises of every game, and each game's own proofs."""
