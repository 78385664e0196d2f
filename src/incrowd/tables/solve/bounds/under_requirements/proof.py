"""The bound in whole numbers: prices and multipliers that anyone can recount, and how they are written down."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.tables.count_rules import Family
from incrowd.tables.solve.bounds.certificate import NAME
from incrowd.tables.solve.bounds.under_requirements.layout import CLOSE, column_of, rules_of
from incrowd.tables.solve.bounds.under_requirements.multipliers import whole_multiplier
from incrowd.tables.solve.shared.certificate_head import head

if TYPE_CHECKING:
    from collections.abc import Callable

    from incrowd.kernels.bounds.inner_lists import Lists
    from incrowd.kernels.bounds.inner_values import Multipliers
    from incrowd.tables.count_rules import CountRule
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Bound, Int64, Problem

__all__ = ["VERSION", "Proof", "by_requirements", "proof_of"]

VERSION = 2


@dataclass(frozen=True, slots=True, eq=False)
class Proof:
    """What a bound under requirements rests on.

    Attributes
    ----------
    value : int
        In `parts` of a scaled cost unit, recounted in whole numbers.
    parts : int
    prices : (t,) int64
        In `parts` of a unit.
    below : int
        Classes with fewer rows were looked at in whole numbers.
    multipliers : tuple of (instance, rule, numbers)
        The numbers that say a multiplier, of the rule's own values.
    """

    value: int
    parts: int
    prices: Int64
    below: int
    multipliers: tuple[tuple[int, int, tuple[int, ...]], ...]


def proof_of(
    problem: Problem, lists: Lists, own: Multipliers, prices: Int64, parts: int,
    recount: Callable[[Int64], Int64],
) -> Proof:  # fmt: skip
    """Return prices and multipliers in whole numbers, and what they come to.

    `own` was found by a search; each multiplier is rounded to one that is valid, and dropped where it gains nothing.
    `recount` leads from y per slot to what every instance adds at most. O(values^2) for each multiplier in use, and two
    recounts.
    """
    none = np.zeros_like(own.y)
    plain = recount(none)
    y = none.copy()
    found: list[tuple[int, int, tuple[int, ...]]] = []
    for r, (_, rule) in enumerate(rules_of(problem)):
        if rule.family == Family.DISTINCT:
            continue
        # Where nothing is gained without multipliers, or nothing was looked for, none is needed.
        for g in np.flatnonzero((plain > 0) & lists.large).tolist():
            here = slice(int(lists.first[r, g]), int(lists.first[r, g + 1]))
            whole = whole_multiplier(
                rule, float(lists.level[r]), lists.value[here].astype(np.int64), own.raw[here], own.extra[here],
                float(own.weight[r, g]),
            )  # fmt: skip
            if whole is not None:
                y[here], numbers = whole
                found.append((g, r, tuple(numbers)))
    values = recount(y)
    worse = values > plain
    for g in np.flatnonzero(worse).tolist():
        for r in range(lists.family.size):
            y[lists.first[r, g] : lists.first[r, g + 1]] = 0
    values = np.minimum(values, plain)
    kept = tuple(entry for entry in found if values[entry[0]] < plain[entry[0]])
    assert float(values.astype(np.float64).sum()) < 2.0**61, "prices cut too fine for 64 bits"
    value = int((prices * lists.counts).sum()) - int(values.sum())
    return Proof(value, parts, prices, lists.whole_below, kept)


def by_requirements(
    problem: Problem, instances: Instances, cost: int, bound: Bound, proof: Proof
) -> dict[str, Any]:  # fmt: skip
    """Return the certificate of a bound under requirements.

    The file says as a certificate of prices does (`incrowd.tables.solve.bounds.certificate`), and::

        version         2: row types differ in quasi-identifiers or in the sensitive columns that requirements name
        requirements    as the policy writes them
        whole_below     classes with fewer rows are looked at in whole numbers
        multipliers     level vector, one row type of the instance, place of the requirement, numbers

    The numbers are, by what the requirement says (v, u: values of its column by rank): pairs v, mu_v for shares; mu and
    F of all values for closeness; mu and P of all values for entropy; mu, u and T, again and again, for recursive.

    `instances` are as `instances_of` lists them, `cost` is the scaled cost of the release, and `bound` the one that the
    proof is of. `proof` holds prices and multipliers in whole numbers.
    """
    rules = rules_of(problem)
    written = []
    for g, r, numbers in proof.multipliers:
        place, rule = rules[r]
        named = [*instances.vectors[g].tolist(), int(instances.reps[g]), place]
        written.append([*named, *_of_column(problem, place, rule, numbers)])
    return {
        **head(problem, cost, bound, NAME, VERSION),
        "requirements": [asked.rule for asked in problem.requirements],
        "parts": proof.parts,
        "prices": proof.prices.tolist(),
        "whole_below": proof.below,
        "multipliers": written,
    }


def _of_column(problem: Problem, place: int, rule: CountRule, numbers: tuple[int, ...]) -> list[int]:
    """Return a multiplier's numbers with the column's values in place of the rule's."""
    value = column_of(problem, place)
    column = np.zeros(int(value.max(initial=0)) + 1, np.int64)  # the rule's value of each value of the column
    column[value] = rule.code
    if rule.family in CLOSE:
        return [numbers[0], *(numbers[1 + v] for v in column.tolist())]
    return list(numbers)
