"""The least release, proven (docs/papers/pattern-guided.md): reductions, components, prices, branch and cut.

``exact``                the solver: components apart, then together
``component``            one component: its bound, its best release, and how they meet
``fixing``               what is left of a component for releases up to a given cost
``proof_tree``           what is proven: prices, cut multipliers, and a tree over instances
``under_requirements``   the same for problems that ask more than k
``tuning``               the constants of the search

The integer program is made from that of BredereckNichterleinNiedermeier2013 (Section 2.2); the rest goes beyond it.
"""
