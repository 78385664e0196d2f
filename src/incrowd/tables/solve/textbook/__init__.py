"""The papers' methods, literally: yardsticks for small tables.

``ilp``, ``ilp_requirements``   the integer program of Bredereck, Nichterlein and Niedermeier; requirements as
                                ``requirement_rows`` or ``no_good_cuts``
``two_phase``                   Theorem 3: guess the used instances, then assign the rows
``approximation``               Liang and Yuan
``simplex_matching``            Blocki and Williams, by an integer program over pairs and triples
``triple_search``               a local search over sets of triples
"""
