"""What a release gives away by itself: rules with their premises, counted by cell.

========================  ==============================================================================================
`values`                  the release as an attacker holds it, what was published, and what a rule finds
`asked`                   the policy, as far as an attack is told of it
`protocol`                what a rule answers, and the list of rules
`read`                    a released table -> classes, by one GROUP BY
`domains`                 the values a column is known to have: from a hierarchy, a file, or the release itself
`valid`                   premise P0: whether the release meets the policy, as far as it shows
`premises`                which premises are proven by what was published, which are assumed
`joins`                   pairs of classes of which one covers what the other may hold
`leaving`                 rows that may leave their class, and classes that may take them
`lowering`                columns in which a whole class could be shown finer
`labels`                  rule, P0: a label that stands for one value
`single_rows`             rule, P2: a row that fits a cheaper class would have been shown there
`combinations`            rule, P2: the same over several columns at once, where their values are known
`replaced_rows`           rule, P1: a row of a class of exactly k, whose place another row could take
`insiders`                what a member of a class learns of the others
`guessing`                how often the best guess at a hidden cell is right
`count`                   cells excluded and determined, by rule and premise
`score`                   inferences held against the original
========================  ==============================================================================================
"""
