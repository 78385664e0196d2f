"""Rows that look alike, in the order in which it is read.

``frequent``        which instances k rows share, by hash (Bredereck, Nichterlein and Niedermeier, Algorithm 1)
``cheapest``        for each row the cheapest of them
``instances``       lists of the rows that agree with each, and the levels that rows have in common
``labels``, ``members``   numbers for crowds, and lists by label
``rollup``          classes under one level vector of the whole table
``nearest``         what a row and its nearest rows have in common
``median_splits``   Mondrian's cuts (LeFevre, DeWitt and Ramakrishnan 2006)
"""
