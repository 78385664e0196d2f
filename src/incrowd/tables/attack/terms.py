"""What an attack is told of the policy that a release was made under."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from incrowd.tables.hierarchy import Fitted, Spec
    from incrowd.tables.mask import PatternMask
    from incrowd.tables.values import Outliers

__all__ = ["Asked"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Asked:
    """The policy of a release, as an attacker holds it.

    Attributes
    ----------
    names : tuple of str, length m
        Quasi-identifiers.
    k : int
    star : str or None
        Text of a star (None: NULL).
    outliers : {"forbid", "suppress"}
    mask : PatternMask
    cost : str
        Name of the cost.
    weights : mapping of str to Fraction
    requirements : tuple of models
    hierarchies : mapping of str to Spec
        As the policy names them.
    complete : bool
        Whether values that a hierarchy lacks were put under its root.
    encoding : str
        Tried for files that are not UTF-8.
    suppression_limit : Fraction or None
        Share of the rows that may be fully suppressed.
    domains : mapping of str to sequence of str or None
        By column all values that are possible.
    fitted : mapping of str to Fitted
        Hierarchies as they were bound to the original, where the attack runs beside the release's making.
    """

    names: tuple[str, ...]
    k: int
    mask: PatternMask
    star: str | None = "*"
    outliers: Outliers = "forbid"
    cost: str = "leaves"
    weights: Mapping[str, Fraction] = field(default_factory=dict)
    requirements: tuple[Any, ...] = ()
    hierarchies: Mapping[str, Spec] = field(default_factory=dict)
    complete: bool = False
    encoding: str = "utf-8"
    suppression_limit: Fraction | None = None
    domains: Mapping[str, Sequence[str | None]] = field(default_factory=dict)
    fitted: Mapping[str, Fitted] = field(default_factory=dict)
