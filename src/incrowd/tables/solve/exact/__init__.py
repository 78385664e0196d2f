"""The least release, proven (papers/pattern-guided.md): reductions, components, prices, branch and cut.

``exact``                the solver: components apart, then together
``component``            one component: its bound, its best release, and how they meet
``suppressed_group``     the fully suppressed group with 1 to k - 1 further rows, decided exactly
``branch_and_cut``       best first, with ``dive`` (releases) and ``reduced_cost_fixing`` (smaller programs)
``proof_tree``           what is proven: prices, cut multipliers, and a tree over instances
``certificate``          what a stranger needs to recount it
``under_requirements``   the same for problems that ask more than k
``tuning``               the constants of the search, and switches for its mechanisms

The integer program is made from that of BredereckNichterleinNiedermeier2013 (Section 2.2); the rest goes beyond it.
"""
