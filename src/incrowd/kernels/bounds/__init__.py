"""Loops behind `incrowd.tables.solve.bounds` and ``exact``: prices and cuts (docs/papers/pattern-guided.md).

``prices``         reduced costs over a list of instances, and subgradient steps (Held, Wolfe and Crowder 1974)
``cuts``           counting cuts that a point violates, and what prices and multipliers are worth
``inner_values``   what every instance can add to it under requirements, and better multipliers for these
``inner_classes``  the best class of every instance, row by row
``cheapest_valid``  the cheapest instance that may hold a valid class, for every row type
``range_boxes``    prices over all ranges of some columns; along one of them: ``range_line``
"""
