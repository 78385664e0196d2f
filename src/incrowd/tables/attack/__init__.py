"""What a release gives away by itself: rules with their premises, counted by cell.

==============  ========================================================================================================
`terms`         the policy, as far as an attack is told of it
`values`        the release as an attacker holds it, what was published, and what a rule finds
`domains`       the values a column is known to have: from a hierarchy, a file, or the release itself
`made_values`   values below the labels of a hierarchy that was made of a column's values
`read`          a released table -> classes, by one GROUP BY
`valid`         premise P0: whether the release meets the policy, as far as it shows
`premises`      which premises are proven by what was published, which are assumed
`protocol`      what a rule answers
`rules`         one rule a file
`classes`       what rules are made of: pairs of classes, rows that may leave, classes that could be shown finer
`release_kinds` releases of one vector for the whole table, and of ranges
`by_plan`       the release of a plan, for a look by the way while it is made
`answer`        all rules asked of one release
`count`         cells excluded and determined, by rule and premise
`guesses`       how often the best guess at a hidden cell is right
`score`         inferences held against the original
`blunt_curve`   what blunting takes back, and at which cost
`sketch`        how many people two tables share, from keyed hashes
`column_ties`   columns that pass unchanged although they tell a quasi-identifier
`others`        another release in the same codes; what both say together
`composition`   other releases of the same people, or of some of them: who may be whom
==============  ========================================================================================================

What the letters P0 to P3 stand for, and why the rules hold, is in ``docs/papers/attacks.md``.
"""
