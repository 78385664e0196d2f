"""Spark's Java: ``process`` starts and ends it."""
