"""What people sit at: the command line and play in the terminal."""
