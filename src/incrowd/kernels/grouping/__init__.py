"""Rows that look alike, in the order in which it is read.

``frequent``        which instances k rows share, by hash (Bredereck, Nichterlein and Niedermeier, Algorithm 1)
``instances``       lists of the rows that agree with each, and the levels that rows have in common
``median_splits``   Mondrian's cuts (LeFevre, DeWitt and Ramakrishnan 2006)
"""
