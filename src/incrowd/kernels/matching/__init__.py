"""Loops behind `incrowd.tables.solve.matching`."""
