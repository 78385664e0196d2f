"""Which premises of the rules are proven by what was published, and which are assumed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, PolicyError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping

    from incrowd.tables.attack.values import Premise, Released, Standing


KNOWN = ("policy", "bound", "cost", "settled", "solver")
"""What an attacker may be taken to know beside the release."""


@dataclass(frozen=True, slots=True)
class Premises:
    """How each premise stands, and how far above the published bound the release is.

    `slack`: scaled cost above the lower bound; 0 where the release is, or is assumed to be, the cheapest.
    """

    valid: Standing
    bound: Standing
    settled: Standing
    program: Standing
    slack: int = 0

    def of(self, premise: Premise) -> Standing:
        """Return how a premise stands."""
        return getattr(self, premise)  # type: ignore[no-any-return]


def words_known(words: Collection[str]) -> tuple[str, ...]:
    """Return what the attacker is taken to know.

    Without `words` it is everything. PolicyError is raised if a word is none of `KNOWN`.
    """
    for word in words:
        if word not in KNOWN:
            raise PolicyError(f"knows: {word!r} is none of {', '.join(KNOWN)}{did_you_mean(word, KNOWN)}")
    return tuple(word for word in KNOWN if word in words) or KNOWN


def _number(facts: Mapping[str, Any], name: str) -> Fraction | None:
    value = facts.get(f"{name}_exact", facts.get(name))
    if value is None:
        return None
    try:
        if isinstance(value, bool):
            raise TypeError
        found = Fraction(repr(value) if isinstance(value, float) else value)
    except (TypeError, ValueError, ZeroDivisionError):
        raise InputError(
            f"the facts hold no number as {name!r}; give what `incrowd anonymize --json` printed"
        ) from None
    if not 0 <= found <= 2**62:
        raise InputError(f"the facts hold no cost as {name!r}; give what `incrowd anonymize --json` printed")
    return found


def premises_of(
    released: Released, facts: Mapping[str, Any] | None, knows: Collection[str], *, valid: bool
) -> Premises:
    """Return how the premises stand.

    The facts are what was published of the release, as ``incrowd anonymize --json`` prints them; where they are None
    nothing was, so that what rests on it is assumed. `knows` are words of `KNOWN`, and `valid` says whether the release
    meets the policy as far as it shows. InputError is raised if a number among the facts is none, or they are of
    another release. A release that is proven to be the cheapest is settled. What a cost that looks at the original says
    cannot be recounted from the release: then nothing is inferred from costs.
    """
    told = facts or {}
    stated, bound_of = _number(told, "cost"), _number(told, "lower_bound")
    if not valid or "policy" not in knows:
        return Premises("proven" if valid else "no", "no", "no", "no")

    def stands(word: str, *, proven: bool = False) -> Standing:
        return "no" if word not in knows else "proven" if proven else "assumed"

    if not released.costs_known:
        return Premises("proven", "no", "no", stands("solver"))
    if facts is None:
        return Premises("proven", stands("bound"), stands("settled"), stands("solver"))
    cost, optimal = Fraction(released.cost, released.scale), told.get("optimal") is True
    if stated is not None and not near(stated, cost):
        raise InputError("the facts are of another release: what its cells cost is not the cost that they name")
    lowest = cost if optimal else bound_of
    settled = stands("settled", proven=optimal or told.get("settled") is True)
    program = stands("solver", proven=isinstance(told.get("solver"), str))
    if "bound" not in knows or lowest is None:
        return Premises("proven", "no", settled, program)
    if lowest > cost and not near(lowest, cost):
        raise InputError("the facts are of another release: their lower bound is above what its cells cost")
    slack = max(-(-(cost - lowest) * released.scale // 1), 0)
    return Premises("proven", "proven", settled if slack else "proven", program, slack)


def near(a: Fraction, b: Fraction) -> bool:
    """Return whether two numbers are the same but for their rounding as floats."""
    return abs(a - b) <= max(a, b) * Fraction(1, 10**12)
