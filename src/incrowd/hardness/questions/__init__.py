"""What is asked of a source problem, one question an object: is this a solution, is it good enough, how is it said.

``question``    what every question gives
``covers``      covers by few sets, and exact ones
``graphs``      cliques, halves, dominating sets, parts of the edges
``others``      assignments, matchings, classes of rows
"""
