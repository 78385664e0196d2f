"""Numba only: arrays in, arrays out. Nothing here knows a table, a mask or a user.

``grouping``           rows that look alike
``bounds``             prices and cuts
``search``             annealing, classes paired anew
``matching``           pairs and triples
``dynamic_programs``   chains, classes along one column
``crowds``             which rows of two releases can belong together
``networks``           distances, partitions, closed sets
``transport``          the transportation problem, for the earth mover's distance
``hash_table``         where a key lies in a table with open addressing; for all of the above
"""
