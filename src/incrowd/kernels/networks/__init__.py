"""Loops behind `incrowd.networks` (docs/papers/privacy-measures.md), in the order in which it is read.

``text``                        edge lists
``scan``, ``bfs``               breadth-first search, 64 sources at once and one alone
``partition``  classes of equal distances, and sets that leave only large ones
``chain``   a set's closure at rising levels: state, what is forced, what splits
"""
