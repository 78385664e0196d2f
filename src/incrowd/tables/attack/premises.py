"""Which premises of the rules are proven by what was published, and which are assumed."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, PolicyError, did_you_mean
from incrowd.tables.attack.values import Published

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

    def to_dict(self) -> dict[str, str]:
        """Return them as the answer has them."""
        return {"valid": self.valid, "bound": self.bound, "settled": self.settled, "program": self.program}


def words_known(words: Collection[str]) -> tuple[str, ...]:
    """Return what the attacker is taken to know.

    Without `words` it is everything. PolicyError is raised if a word is none of `KNOWN`.
    """
    for word in words:
        if word not in KNOWN:
            raise PolicyError(f"knows: {word!r} is none of {', '.join(KNOWN)}{did_you_mean(word, KNOWN)}")
    return tuple(word for word in KNOWN if word in words) or KNOWN


def published_in(facts: Mapping[str, Any] | None) -> Published | None:
    """Return what facts say of a release; None where there are none.

    The facts are as ``incrowd anonymize --json`` prints them. InputError is raised if a number in them is none.
    """
    if facts is None:
        return None
    return Published(
        cost=_number(facts, "cost"), lower_bound=_number(facts, "lower_bound"),
        optimal=facts.get("optimal") is True, settled=facts.get("settled") is True,
        solver=facts["solver"] if isinstance(facts.get("solver"), str) else None,
    )  # fmt: skip


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


def premises_of(released: Released, published: Published | None, knows: Collection[str], *, valid: bool) -> Premises:
    """Return how the premises stand.

    Where `published` is None nothing was published, so that what rests on it is assumed. `knows` are words of `KNOWN`,
    and `valid` says whether the release meets the policy as far as it shows. InputError is raised if what was published
    is of another release. A release that is proven to be the cheapest is settled. What a cost that looks at the
    original says cannot be recounted from the release: then nothing is inferred from costs.
    """
    if not valid or "policy" not in knows:
        return Premises("proven" if valid else "no", "no", "no", "no")
    if not released.costs_known:
        return Premises("proven", "no", "no", "assumed" if "solver" in knows else "no")
    if published is None:
        return Premises(
            "proven", "assumed" if "bound" in knows else "no", "assumed" if "settled" in knows else "no",
            "assumed" if "solver" in knows else "no",
        )  # fmt: skip
    cost = Fraction(released.cost, released.scale)
    if published.cost is not None and published.cost != cost and not near(published.cost, cost):
        raise InputError("the facts are of another release: what its cells cost is not the cost that they name")
    slack, bound = 0, "no"
    if "bound" in knows:
        lowest = cost if published.optimal else published.lower_bound
        if lowest is not None:
            if lowest > cost and not near(lowest, cost):
                raise InputError("the facts are of another release: their lower bound is above what its cells cost")
            slack, bound = max(-(-(cost - lowest) * released.scale // 1), 0), "proven"
    settled = "no"
    if "settled" in knows or (bound == "proven" and slack == 0):
        settled = "proven" if published.settled or published.optimal or (bound, slack) == ("proven", 0) else "assumed"
    program = "no" if "solver" not in knows else "proven" if published.solver else "assumed"
    return Premises("proven", bound, settled, program, int(slack))  # type: ignore[arg-type]


def near(a: Fraction, b: Fraction) -> bool:
    """Return whether two numbers are the same but for their rounding as floats."""
    return abs(a - b) <= max(a, b) * Fraction(1, 10**12)
