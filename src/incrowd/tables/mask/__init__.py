"""Which cells may change together: the pattern mask, its words and its automaton.

`words` is what a policy says, ``a | b`` and ``a & b`` are in `combine`, and what the words mean stands in one table,
`vocabulary`. All else reads a mask's `description`: `compile` turns it into the set of level vectors that solvers walk
through (an `automaton` of the machines in `rules`; `patterns`, in the `order` of costs, by `list` or by `search`),
`explain` says it in sentences and `empty` why it leaves nothing; `on_grid` says it of columns of ranges. The check
reads masks by itself, in `incrowd.tables.verify.mask`.
"""

from incrowd.tables.mask.combine import AllOf, AnyOf, PatternMask
from incrowd.tables.mask.patterns import Patterns
from incrowd.tables.mask.words import Mask, mask_from_dict

__all__ = ["AllOf", "AnyOf", "Mask", "PatternMask", "Patterns", "mask_from_dict"]
