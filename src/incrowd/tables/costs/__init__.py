"""What a change costs, one file each: exact fractions from the user, integers for the solvers.

Read first `choose` (from the name that the policy gives to the levels a solver sees) and `scale` (fractions to
integers); `leaves`, `cells`, `levels`, `ncp`, `entropy` and `workload` are the costs, `logarithms` and `numbers` what
they count with. A new one is one file here and one line in the registry, and
`incrowd.tables.verify.release.costs` has to have a reading of its own, or no release is made with it.
"""

from incrowd.tables.costs.choose import cost_levels

__all__ = ["cost_levels"]
