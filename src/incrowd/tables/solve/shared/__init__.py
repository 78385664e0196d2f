"""What several methods stand on, in the order in which it is read.

``problem_arrays``        a problem as flat arrays
``canonical_pattern``     the first allowed level vector above given ones
``instances``             the instances worth opening
``components``            parts of a problem that share no instance but the fully suppressed one
``pattern_scan``          cheapest patterns first, every frequent instance closes
``row_assignment``        given instances, the best way to fill them
``strong_formulation``    the integer program over listed instances
``partial_plan``          a plan in the making
``plan_of_groups``        groups of rows as a plan
``lowest_levels``         among levels of equal cost the lowest, once a solver is done
``requirement_check``     which groups meet the requirements
``without_requirements``  the same problem under k alone
``refusals``              why a solver will not start
``time_limit``            how firm a time limit is, and ``time_share``: parts of the time that is left
``status``                how a search ended
``certificate_head``      what every certificate begins with
``better``                the better of two results
"""
