"""Loops behind `incrowd.networks` (papers/privacy-measures.md), in the order in which it is read.

``text``, ``build``             edge lists, and the graph as compressed sparse rows
``scan``, ``bfs``               breadth-first search, 64 sources at once and one alone
``pivot``, ``cycles``           two searches that spare thousands, and the cycles of what points at what
``partition``, ``closed_sets``  classes of equal distances, and sets that leave only large ones
``chain_state``, ``chain``, ``chain_classes``   a set's closure at rising levels: state, what is forced, what splits
``pairs``                       all pairs and triples
``walk``                        a planted pattern, found again
"""
