"""The reader's own source problems: what a file of each holds, and how it is kept in an instance's folder.

``limits``        how large a source problem and what is made of it may be
``text``          bytes of a file as numbered lines of words, without comments
``problem``       what every kind of source problem gives: reading, packing, unpacking
``graph``         edge lists and DIMACS graphs; with the three classes of a tripartite graph
``sets``          sets of named elements
``formula``       clauses in DIMACS cnf
``triples``       triples of three kinds of elements
``rows``          a table to be made k-anonymous
``origin``        an instance of any of them
"""
