"""Lower bounds for every release, whoever made it (docs/papers/pattern-guided.md).

``counting``             no row is cheaper than its cheapest frequent instance
``lagrangian``           prices: the Lagrangian dual (steps of HeldWolfeCrowder1974), its value in integers
``column_generation``    prices over stored instances, a scan over all of them between the rounds
``cuts``                 inequalities that hold for every release
``cuts_over_lattice``    prices and cuts over all instances
``block_cuts``           the same block by block, where the program is too large; blocks: ``type_blocks``
``under_requirements``   prices per row type and sensitive values, a valid class per instance
``certificate``   what a stranger needs to recount the bound
``tuning``               the constants of the search, and switches for its mechanisms

The instances are those of BredereckNichterleinNiedermeier2013, Section 2.2; the bounds go beyond it.
"""
