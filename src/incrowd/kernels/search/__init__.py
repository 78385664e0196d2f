"""Loops behind `incrowd.tables.solve.improve`.

``anneal``      annealing over candidate instances, and its moves
``class_anneal``   the same under requirements
``class_state``   its state: where everything lies, and how it changes
``violations``      by how much classes fail, and by how much a rule is broken
``regroup``   parts of classes paired anew by the metric of ``matching``, and the cycles cut
``free_moves``                   annealing over classes that show what their rows share, without candidates
``free_state``                   its state: what every class shows
"""
