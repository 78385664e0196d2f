"""Loops behind `incrowd.tables.solve.bounds` and ``exact``: prices and cuts (papers/pattern-guided.md).

``prices``         reduced costs over a list of instances, and subgradient steps (Held, Wolfe and Crowder 1974)
``lattice_scan``   the same over all instances of some patterns, without a list
``cuts``           counting cuts that a point violates, and what prices and multipliers are worth
``block_terms``    reduced costs with the terms of cuts, and the pairs of a block's program
``separation``     the sets of rows behind such cuts, by local search
``inner_lists``    instances and rules that a bound under requirements reads
``inner_members``  an instance's members at given prices
``inner_values``   what every instance can add to it: the families' parts in
                   ``inner_small``, ``inner_large``, ``inner_shares``, ``inner_equal``, ``inner_rays``
``inner_classes``  the best class of every instance, row by row
``range_boxes``    prices over all ranges of some columns; along one of them: ``range_line``
``fixing``         what no release up to a given cost can have
"""
