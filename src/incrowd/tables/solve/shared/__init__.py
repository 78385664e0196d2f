"""What several methods stand on, in the order in which it is read.

``problem_arrays``        a problem as flat arrays
``canonical_pattern``     the first allowed level vector above given ones
``instances``             the instances worth opening, as BredereckNichterleinNiedermeier2013 has them (Section 2.2)
``components``            parts of a problem that share no instance but the fully suppressed one
``pattern_scan``          cheapest patterns first, every frequent instance closes (Algorithm 1 there)
``row_assignment``        given instances, the best way to fill them (Theorem 3 there, Phase 2)
``strong_formulation``    the integer program over listed instances
``partial_plan``          a plan in the making
``requirement_check``     which classes meet the requirements
``refusals``              why a solver will not start
``time_limit``            how firm a time limit is, and ``time_share``: parts of the time that is left
``status``                how a search ended

Words that all of them use: an *instance* is a level vector with the nodes it shows, its *extent* the row types that
agree with it; it *needs* k rows, or none where it is *free* (the all-star one under ``outliers="suppress"``). The
*suppressed class* is the instance that every type agrees with; a free one caps the prices. The *reduced cost* of an
instance is the least sum of cost minus price over at least as many rows as it needs. Costs and prices are in scaled
units. A solver of instances builds on what is here and on ``bounds``: prices in ``lagrangian``, a bound for any release
in ``of_any_release``.
"""
