"""Which cells may change together: the pattern mask, its words and its automaton.

`Mask` says the rules, ``|`` and ``&`` combine masks, `compile` turns them into the set of level vectors that
solvers walk through. A verifier uses `PatternMask.allows`, which reads the rules and never the automaton.
"""

from incrowd.tables.mask.composed import AllOf, AnyOf, PatternMask
from incrowd.tables.mask.empty import explain_empty
from incrowd.tables.mask.patterns import Patterns
from incrowd.tables.mask.words import Mask, mask_from_dict

__all__ = ["AllOf", "AnyOf", "Mask", "PatternMask", "Patterns", "explain_empty", "mask_from_dict"]
