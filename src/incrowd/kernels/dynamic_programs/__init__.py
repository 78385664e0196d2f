"""Loops behind `incrowd.tables.solve.dynamic_programs`.

``chain_tree``   the forest of a chain of patterns
``line_classes``, ``line_rooms``  classes along one ranged column, and how far prices there may rise
``subset_dp``    all sets of rows (Blocki and Williams, Theorem 1.3; papers/matching.md)
"""
