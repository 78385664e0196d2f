"""Loops behind `incrowd.tables.solve.bounds` and ``exact``: prices, cuts, their separation, reduced-cost fixing."""
