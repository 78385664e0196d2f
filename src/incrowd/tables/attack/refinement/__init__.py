"""The combinatorial refinement program: which originals of a few classes leave no cheaper release of them.

==============  ========================================================================================================
`part`          a few classes with the rows that they may have had
`exchange`      rows shown elsewhere so that a release results which costs less, checked in whole numbers
`witness`       from an original of a part to such an exchange, by an exact solver
`program`       the originals of a part that no exchange found so far makes cheaper, as an integer program
`proof`         that an integer program has no solution: a tree whose leaves are checked in whole numbers
==============  ========================================================================================================
"""
