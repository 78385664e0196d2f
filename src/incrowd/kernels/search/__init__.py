"""Loops behind `incrowd.tables.solve.improve`: annealing, and groups paired anew."""
