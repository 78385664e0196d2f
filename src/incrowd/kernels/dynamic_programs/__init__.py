"""Loops behind `incrowd.tables.solve.dynamic_programs`."""
