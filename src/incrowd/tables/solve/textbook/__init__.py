"""The papers' methods, literally: yardsticks for small tables.

``ilp``                 the integer program of BredereckNichterleinNiedermeier2013 (Section 2.2)
``two_phase``           BredereckNichterleinNiedermeier2013 (Theorem 3): guess the used instances, then assign the rows
``approximation``       LiangYuan (Theorem 10): equal rows stay, all others are one class
``subsets``             over halves of the rows (BlockiWilliams2010, Theorem 1.3), over thirds (LiangYuan, Theorem 8)
``forest``              AggarwalEtAl2005: trees of near rows, cut into classes
``simplex_matching``    BlockiWilliams2010 (Theorem 1.1), by an integer program over pairs and triples
``triple_search``       AnshelevichKaragiozova2011: a local search over sets of triples, in polynomial time
"""
