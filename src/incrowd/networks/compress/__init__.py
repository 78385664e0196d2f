"""Smaller graphs with the same answers, and the way back."""
