"""Mondrian, the peer of all papers (LeFevreDeWittRamakrishnan2006).

``mondrian``        the solver: parts, a pattern for each, the bound
``median_splits``   the table cut at medians (Figure 6), strict or relaxed (Section 3.2)
``relaxed``         the relaxed one under a name of its own
"""
