"""Loops behind `incrowd.tables.solve.improve`.

``anneal``, ``anneal_moves``      annealing over candidate instances, and its moves
``class_anneal``, ``class_moves``, ``class_state``, ``violations``   the same under requirements; ``array_views``   arrays unowned
``regroup``, ``regroup_cycles``   parts of groups paired anew by the metric of ``matching``, and the cycles cut
"""
