"""A certificate's lower bound recounted in integers, from the row types alone.

``strict_numbers``  what a certificate says, read strictly
``row_types``       the row types, counted here
``certificate``     prices, components, trees (``trees``), over every instance (``lattice``, ``lattice_cuts``)
``matching``        the bound of a matching (``matching_loops``), under masks by ``mask``
``two_diversity``   which policies the matching's bound answers
"""
