"""One recoding for the whole table: a single level vector, rows in classes that fail suppressed whole.

``lattice``         the solver: vectors by what they cost before rows are suppressed, until none can be better
``level_vector``    what a release under one vector comes to: the rows it suppresses, its cost, why it is none
``class_tables``    a table grouped under a vector, from the smallest one below it that is held
``certificate``     the vector, for whoever walks the lattice again
``tuning``          how much is held
"""
