"""Loops behind `incrowd.tables.solve.dynamic_programs`.

``chain_tree``   the forest of a chain of patterns
``subset_dp``    all sets of rows (Blocki and Williams, Theorem 1.3; papers/matching.md)
"""
