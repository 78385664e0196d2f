"""The rules, one a file.

=================  =====================================================================================================
`labels`           P0: a label that stands for one value
`single_rows`      P2: a row that fits a cheaper class would have been shown there; by the bound alone P1
`combinations`     P2: the same over several columns at once, where their values are known
`replaced_rows`    P1: a row of a class of exactly k, whose place another row could take
`insiders`         P2: what a member of a class learns of the others in it
=================  =====================================================================================================
"""
