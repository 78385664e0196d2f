"""What "private" means: one model a file."""
