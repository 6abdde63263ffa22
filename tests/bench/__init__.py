"""Every measuring program: `make bench` prints each figure beside a peer or a limit."""
