"""Loops behind `incrowd.tables.solve.matching` (docs/papers/matching.md), in the order in which it is read.

``metric``     what pairs and triples cost, plain or under masks
``assign``     the assignment by shortest augmenting paths
``repair``     cycles of the assignment into pairs and triples
``columns``    columns of the linear program: reduced costs, entries, triples
"""
