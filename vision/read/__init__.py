"""One picture in, dice out."""
