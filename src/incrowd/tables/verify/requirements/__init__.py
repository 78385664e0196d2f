"""What classes must meet beside k, as the check reads it: one model a file, from its definition.

Nothing here is shared with `tables/models`, which the solvers ask: a mistake there must not deceive the check. A
reading gets a model's settings as the policy has them, the counts of every class and of the whole table, and answers
in whole numbers and fractions which classes meet the model and what all of them reach. A model ``some-name`` is read
by the module ``some_name``; one without a module is refused by name, never believed.

==================== ==========================================================================
`reading`            what a reading is, and where the one of a model is found
`rules`              what models ask of a class in exact rules on its rows per value, for bounds
`counts`             the values of a column counted in classes; arithmetic that cannot wrap around
`logarithms`         ratios against logarithms, decided exactly
`distances`          how far apart sensitive values are: ranks, numbers, trees, matrices
`transport`          the earth mover's distance of a class in any metric, with its own proof
`l_diversity` ...    one module a model: `alpha_k`, `beta_likeness`, `delta_disclosure`, `l_diversity` (with
                     `entropy` and `joint` for two of its kinds), `p_sensitive`, `t_closeness`
==================== ==========================================================================

k-anonymity has no file here: the number of rows of every class is recounted for every release (`release/groups.py`).
"""
