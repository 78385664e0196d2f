"""Ranges of some columns on a grid, other columns by their hierarchies: a release and a bound over all ranges.

``solver``      the method: a first release, prices, annealing, a certificate
``lattice``     all instances, patterns of the other columns times values and runs of cells, priced without a list
``search``      annealing over the instances that prices favour, and dives in blocks of row types
"""
