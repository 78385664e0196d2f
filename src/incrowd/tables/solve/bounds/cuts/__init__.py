"""Inequalities that hold for every release, beyond the papers; each a handful of integers to recheck.

``counting``     cuts T, C and S, by counting rows: which a point of the linear program breaks, and what they are worth
``separation``   the sets of types that a point breaks most
``flow``         cuts F: what full instances leave of some rows for others
"""
