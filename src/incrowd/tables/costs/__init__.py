"""What a change costs, one each: exact fractions from the user, integers for the solvers."""

from incrowd.tables.costs.scale import scaled_levels

__all__ = ["scaled_levels"]
