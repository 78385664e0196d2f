"""What a release gives away by itself: rules with their premises, counted by cell.

==============  ========================================================================================================
`values`        the policy as far as an attack is told of it, the release as an attacker holds it, what a rule finds
`domains`       the values a column is known to have: from a hierarchy, a file, or the release itself
`read`          a released table -> classes, by one GROUP BY; premise P0: whether it meets the policy as far as it shows
`premises`      which premises are proven by what was published, which are assumed
`rules`         the rules
`classes`       what rules are made of: pairs of classes, rows that may leave, classes that could be shown finer
`answer`        all rules asked of one release; cells excluded and determined, by rule and premise
`by_plan`       the release of a plan, for a look by the way while it is made; what blunting takes back, at which cost
`score`         inferences held against the original; how often the best guess at a hidden cell is right
`sketch`        how many people two tables share, from keyed hashes
`column_ties`   columns that pass unchanged although they tell a quasi-identifier
`others`        other releases of the same people, or of some of them, in the same codes: who may be whom
==============  ========================================================================================================

What the letters P0 to P3 stand for, and why the rules hold, is in ``docs/papers/attacks.md``.
"""
