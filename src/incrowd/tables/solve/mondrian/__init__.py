"""Mondrian (LeFevre, DeWitt and Ramakrishnan 2006): ``median_splits``, then a plan; ``relaxed`` is its other name."""
