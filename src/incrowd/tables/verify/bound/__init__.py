"""A certificate's lower bound recounted in integers, from the row types alone.

``strict_numbers``  what a certificate says, read strictly
``row_types``       the row types, counted here
``certificate``     prices, components, trees (``trees``), over every instance (``lattice``, ``lattice_cuts``)
``requirement_bound``  prices under requirements (version 2): the ``instances``, the requirements' rules
                    (``rule_tables``), their ``multipliers``, classes of few rows (``small_classes``), what a class of
                    an instance can gain (``class_values``, ``class_sizes``), trees (``requirement_trees``)
``matching``        the bound of a matching (``matching_loops``), under masks by ``mask``
"""
