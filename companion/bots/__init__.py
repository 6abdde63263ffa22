"""Players that take an empty seat: each sees what its seat may see, and nothing else."""
