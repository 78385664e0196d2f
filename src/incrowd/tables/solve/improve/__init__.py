"""A much better release than the greedy's, with a bound, at any time (docs/papers/pattern-guided.md).

``improve``          the solver: instances, greedy and row assignment of BredereckNichterleinNiedermeier2013 around
``candidates``       the instances that the search may open
``annealing``        from hot to cold over the candidates (KirkpatrickGelattVecchi1983)
``block_dives``        blocks of row types solved anew: cuts, then a dive for whole instances
``bound_of_requirements``  the bound of what they meet more: prices per row type and sensitive value
``under_requirements``  another search, for problems that ask more than k
``tuning``           the constants of the search, and switches for its mechanisms
"""
