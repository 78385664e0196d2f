"""Loops behind `incrowd.tables.solve.improve`.

``anneal``, ``anneal_moves``      annealing over candidate instances, and its moves
``class_anneal``, ``class_moves``   the same under requirements
``class_layout``, ``class_state``   its state: where everything lies, and how it changes
``class_lack``, ``violations``      by how much classes fail, and by how much a rule is broken
``array_views``                   arrays that pass from kernel to kernel at no cost
``regroup``, ``regroup_cycles``   parts of groups paired anew by the metric of ``matching``, and the cycles cut
``splitmix``                      the random numbers of all annealings
``loose_moves``                   annealing over classes that show what their rows share, without candidates
``loose_state``                   its state: what every class shows
``loose_transfers``               its rows that move, and what undoes it
``near_types``                    row types near each row type
"""
