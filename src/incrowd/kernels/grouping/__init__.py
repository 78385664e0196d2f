"""Rows that look alike: which instances k rows share, and lists of their members."""
