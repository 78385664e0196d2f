"""Ranges of some columns on a grid, other columns by their hierarchies: a release and a bound over all ranges.

``solver``      the method: a first release, prices, annealing, a certificate
``one_column``  the table's only quasi-identifier: classes along its sorted rows, by a dynamic program
``lattice``     all instances, patterns of the other columns times values and runs of cells, priced without a list
``kinds``       which of them a mask leaves
``prices``      rounds of price steps on stored instances, each ended by a scan over all
``line_prices`` first prices of one column alone, raised as far as its runs allow
``classes``     from parts of a plan to the instances that they show, and back
``search``      annealing over the instances that prices favour, and dives in blocks of row types
``tuning``      constants of the search
"""
