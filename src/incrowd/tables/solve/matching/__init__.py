"""Optimal 2-anonymity (and the core of optimal 2-diversity) by matching rows (docs/papers/matching.md).

Simplex Matching is BlockiWilliams2010 (Theorems 1.1, 3.1), with masks BredereckNichterleinNiedermeier2013 (Theorem 2),
for 2-diversity LiangYuan (Lemma 2, Theorem 11). Classes of two and three suffice:
``tests/oracle/pairs_and_triples.py`` cuts any other into such.

``metric``                 rows as vertices, what pairs and triples cost, under masks by ``mask_keys``
``all_pairs``              all pairs of those, in pieces and on all cores
``assignment_relaxation``  a lower bound and nearly all classes
``odd_set_lp``             the linear program with odd-set cuts around what is left over
``search``, ``optimal``    these steps in their order, with ``limits`` of time and memory
``solver``   the plan, which requirements this answers, the solver
``tuning``                 the constants of the search
"""

from incrowd.tables.solve.matching.optimal import Result, optimal_classes
from incrowd.tables.solve.matching.solver import Matching

__all__ = ["Matching", "Result", "optimal_classes"]
