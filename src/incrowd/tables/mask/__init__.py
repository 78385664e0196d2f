"""Which cells may change together: the pattern mask, its words and its automaton.

`words` is what a policy says, ``a | b`` and ``a & b`` are in `combine`, with why a mask leaves nothing, and what the
words mean stands in one table, `vocabulary`. All else reads a mask's `description`: `patterns` makes it the set of
level vectors that solvers walk through; `on_grid` says it of columns of ranges. The check reads masks by itself.
"""

from incrowd.tables.mask.combine import AllOf, AnyOf, PatternMask
from incrowd.tables.mask.patterns import Patterns
from incrowd.tables.mask.words import Mask, mask_from_dict

__all__ = ["AllOf", "AnyOf", "Mask", "PatternMask", "Patterns", "mask_from_dict"]
