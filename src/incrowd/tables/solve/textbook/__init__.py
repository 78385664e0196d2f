"""The papers' methods, literally: yardsticks for small tables.

``ilp``                 the integer program of BredereckNichterleinNiedermeier2013 (Section 2.2)
``ilp_requirements``    the same under requirements, as in LiangYuan (Theorem 9): each as ``requirement_rows``, or by
                        ``no_good_cuts``
``two_phase``           BredereckNichterleinNiedermeier2013 (Theorem 3): guess the used instances, then assign the rows
``approximation``       LiangYuan (Theorem 10): equal rows stay, all others are one group
``guarantee``           what the next three share: which problems they cover, and a release that names its ratio
``instance_cover``      ParkShim2007: the cheapest cover by instances
``ball_cover``          MeyersonWilliams2004: the cheapest cover by balls of near rows (``row_distances``)
``disjoint_groups``     groups out of the sets of a cover, which may overlap
``forest``              AggarwalEtAl2005: trees of near rows, cut into groups
``simplex_matching``    BlockiWilliams2010 (Theorem 1.1), by an integer program over pairs and triples
``triple_search``       AnshelevichKaragiozova2011: a local search over sets of triples, in polynomial time
``triple_changes``      the sets within two changes, and the matching of all other rows
"""
