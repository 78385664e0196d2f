"""Hashes of rows: those that order a release, and sums of those that tell whether two tables hold the same rows.

``duckdb``   on DuckDB, and what every engine joins of a row
``spark``    the same order, and sums of its own, on Spark
"""
