"""Optimal 2-anonymity (and the core of optimal 2-diversity) by matching rows in pairs and triples.

``metric``   rows as vertices, what pairs and triples cost, under masks by ``keys``
``split``    why groups of two and three suffice
``core``     equal rows by their count: pools and exits
``relax``    the assignment relaxation: a bound and nearly all groups
``grouping`` repair, and the quick release
``region``   the linear program with odd-set cuts (``cuts``) around what is left over
``closing``  whole numbers at the bound, or a higher bound
``certificate``  the bound in integers, for `incrowd.tables.verify.matching_bound`
``optimal``, ``plan``, ``solver``  the whole, the plan, the solver
"""

from incrowd.tables.solve.matching.optimal import Result, optimal_groups
from incrowd.tables.solve.matching.solver import Matching

__all__ = ["Matching", "Result", "optimal_groups"]
