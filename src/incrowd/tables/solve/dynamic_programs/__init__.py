"""Optima by dynamic programs (docs/papers/t-closeness.md, docs/papers/matching.md).

``chain``       under a chain of patterns, over the forest of its instances (beyond the papers)
``subset_dp``   over the sets of rows that are left: small tables, any requirements (with ``joins``, ``row_prices``)
``subsets``     the papers' own recursions: over halves of the rows (BlockiWilliams2010, Theorem 1.3) and over thirds
                (LiangYuan, Theorem 8)
"""
