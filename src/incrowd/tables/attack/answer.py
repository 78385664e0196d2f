"""All rules asked of one release: what they find, by rule, by premise and by column."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError
from incrowd.tables.attack.classes import Lowerings, lowerings
from incrowd.tables.attack.premises import Premises
from incrowd.tables.attack.read import broken_rules
from incrowd.tables.attack.rules import RULES, Rule, candidates, insiders
from incrowd.tables.attack.values import Exclusions

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.attack.values import Premise, Released, Standing
    from incrowd.tables.values import Int64


@dataclass(frozen=True, slots=True, eq=False)
class Found:
    """What one rule found, and how its premise stands.

    `exclusions`: None of them where the premise stands at ``no``.
    """

    rule: str
    premise: Premise
    standing: Standing
    exclusions: Exclusions


@dataclass(frozen=True, slots=True, eq=False)
class Inferences:
    """What all rules found in a release.

    `premises`: as they stand once the rules have looked: one that is only assumed and that the release contradicts is
    gone. `contradicted`: whether the release contradicts that it is settled. `bound_contradicted`: whether it
    contradicts that nothing costs less than the bound, and perhaps no more.
    """

    released: Released
    premises: Premises
    found: tuple[Found, ...]
    contradicted: bool = False
    bound_contradicted: bool = False

    def union(self, standing: Standing) -> Exclusions:
        """Return what the rules exclude whose premise stands so: ``proven`` or ``assumed``."""
        out = Exclusions.of()
        for found in self.found:
            if found.standing == standing:
                out = out | found.exclusions
        return out

    @property
    def complete(self) -> bool:
        """Whether every rule looked at everything it could."""
        return all(found.exclusions.complete for found in self.found)


def attacked(released: Released, premises: Premises, watch: Watch, rules: Sequence[Rule] = RULES) -> Inferences:
    """Ask every rule whose premise is not ruled out.

    InputError is raised if what was published says that the release is settled, or that none costs less, and it shows
    that it is not.
    """
    found = []
    contradicted: set[str] = set()
    for rule in rules:
        standing = premises.of(rule.premise)
        slack = premises.slack if rule.premise == "bound" else 0
        # at no slack the bound proves that the release is settled, and the rules on that say no less
        if standing == "no" or (rule.name == "single_rows_by_bound" and slack == 0):
            found.append(Found(rule.name, rule.premise, "no", Exclusions.of()))
            continue
        exclusions = rule.find(released, slack, watch)
        if exclusions.contradictions or _impossible(released, exclusions):
            if standing == "proven":
                raise InputError(
                    "the facts are of another release: they say that no row could be shown cheaper in an existing "
                    "class, and in this release some could"
                    if rule.premise == "settled"
                    else "the facts are of another release: their lower bound is above what some release must cost"
                )
            contradicted.add(rule.premise)
        found.append(Found(rule.name, rule.premise, standing, exclusions))
    gone = {"settled", "bound"} if "settled" in contradicted else contradicted
    found = [
        dataclasses.replace(one, standing="no", exclusions=Exclusions.of()) if one.premise in gone else one
        for one in found
    ]
    if gone:
        premises = dataclasses.replace(premises, bound="no", settled="no" if "settled" in gone else premises.settled)
    return Inferences(released, premises, tuple(found), "settled" in contradicted, "bound" in contradicted)


def _impossible(released: Released, found: Exclusions) -> bool:
    """Return whether some cell would be left without any value."""
    for j, column in enumerate(released.columns):
        if column.closed:
            gone = np.bincount(found.unit[found.column == j], minlength=released.unit_class.size)
            if (gone >= candidates(released, j)[released.unit_class]).any():
                return True
    return False


def facts_of_attack(inferences: Inferences, watch: Watch) -> dict[str, Any]:
    """Return what was found in names and counts, as the answer has it: see ``docs/api.md``.

    The watch ends the look at insiders.
    """
    released, premises = inferences.released, inferences.premises
    proven, assumed = inferences.union("proven"), inferences.union("assumed")
    before = counted(released, Exclusions.of()).determined  # by their labels alone
    sure, maybe, claimed = (counted(released, one) for one in (proven, proven | assumed, assumed))
    (excluded, mass), (claimed_cells, claimed_mass) = sure.told(released), claimed.told(released)
    determined = sure.determined
    rows = released.unit_rows
    hidden = (released.levels > 0)[released.unit_class]
    facts: dict[str, Any] = {
        "rows": released.rows,
        "classes": int(released.sizes.size),
        "starred_cells": int((released.starred * released.sizes[:, None]).sum()),
        "hidden_cells": released.cells(hidden),
        "premises": {name: how for name, how in dataclasses.asdict(premises).items() if name != "slack"},
        "contradicted": inferences.contradicted,
        "bound_contradicted": inferences.bound_contradicted,
        "excluded_cells": excluded,
        "excluded_mass": mass,
        "determined_cells": released.cells(determined),
        "claimed_cells": claimed_cells,
        "claimed_mass": claimed_mass,
        "claimed_determined": released.cells(maybe.determined & ~determined),
        "wrong": None,
        "claimed_wrong": None,
        "known_rows": int(rows[(hidden.any(axis=1)) & (determined | ~hidden).all(axis=1)].sum()),
        "rules": [
            {"rule": one.rule, "premise": one.premise, "standing": one.standing} | _counts(released, one, before)
            for one in inferences.found
        ],
        "by_column": [
            {
                "name": column.name,
                "hidden": int((hidden[:, j] * rows).sum()),
                "excluded": int(((sure.excluded[:, j] > 0) * rows).sum()),
                "claimed": int(((claimed.excluded[:, j] > 0) * rows).sum()),
                "determined": int((determined[:, j] * rows).sum()),
                "domain_known": column.closed,
            }
            for j, column in enumerate(released.columns)
        ],
    }
    settled = premises.settled
    nothing = Lowerings(np.full(released.levels.shape, -1, np.int8), (), complete=True)
    lowered = nothing if settled == "no" else lowerings(released, watch)
    known = proven if settled == "proven" else proven | assumed
    facts["insiders"] = insiders(released, lowered, known) | {"standing": settled, "complete": lowered.complete}
    facts["complete"] = inferences.complete and facts["insiders"]["complete"]
    return facts


def facts_of_ranges(
    released: Released, named: Int64, standing: Standing, watch: Watch, *, grid: bool
) -> dict[str, Any]:
    """Return what labels of ranges say, in names and counts, as `facts_of_attack` does for levels.

    Release and `named` are as of `read_ranges`. `standing` says how it stands that this program wrote the labels (P3).
    Ends of a grid's ranges are its lines, which are no values, so nothing is claimed of them.

    References
    ----------
    docs/papers/attacks.md, rule E1.
    """
    broken = broken_rules(released)
    premises = Premises("no" if broken else "proven", "no", "no", "no" if broken else standing)
    told = "no" if grid else premises.program
    named = named * (told != "no")
    # of the two numbers that a label names each is had once in a class of two
    known = int(2 * (named[released.sizes == 2] > 0).sum())
    ends = {"rule": "ends", "premise": "program", "standing": told, "excluded": 0, "excluded_mass": None}
    by_size = [{"size": 2, "cells": known, "determined": known}] if known else []
    facts = facts_of_attack(attacked(released, premises, watch, ()), watch)
    return facts | {
        "broken": broken,
        "named_values": int(named.sum()),
        "named_certain": told == "proven",
        "rules": [ends | {"determined": 0, "wrong": None, "most_wrong": None}],
        "insiders": facts["insiders"] | {"cells": known, "determined": known, "by_size": by_size, "standing": told},
    }


def _counts(released: Released, one: Found, before: NDArray[np.bool_]) -> dict[str, Any]:
    counts = counted(released, one.exclusions)
    excluded, mass = counts.told(released)
    known = counts.determined & (before == (one.rule == "labels")) & (one.standing != "no")
    told = {"excluded": excluded, "excluded_mass": mass, "determined": released.cells(known)}
    return told | {"wrong": None, "most_wrong": None}


# How many cells the rules exclude values of, and determine.
@dataclass(frozen=True, slots=True, eq=False)
class Counted:
    """What exclusions come to, by unit and column.

    `excluded`: (u, m) int64, values excluded. `mass`: (u, m) float64, share of the rows, among those that show one of
    the values that the cell may have, whose value is excluded. `determined`: (u, m) bool, cells whose value is known.
    """

    excluded: Int64
    mass: NDArray[np.float64]
    determined: NDArray[np.bool_]

    def told(self, released: Released) -> tuple[int, float | None]:
        """Return the hidden cells of which a value is excluded, and the mean mass in them; None without any."""
        rows = released.unit_rows[:, None] * (self.excluded > 0)
        return int(rows.sum()), round(float((rows * self.mass).sum() / rows.sum()), 4) if rows.any() else None


def counted(released: Released, found: Exclusions) -> Counted:
    """Count what exclusions come to.

    The exclusions are of values below what the cell shows. It takes O(u m + e) for u units and e exclusions.
    """
    u, m = released.unit_class.size, released.m
    excluded, mass = np.zeros((u, m), np.int64), np.zeros((u, m))
    determined = np.zeros((u, m), np.bool_)
    hidden = released.levels > 0
    for j, column in enumerate(released.columns):
        here = found.column == j
        unit, value = found.unit[here], found.value[here]
        excluded[:, j] = np.bincount(unit, minlength=u)
        prior = column.shown.astype(np.float64)
        prior = prior if prior.any() else np.ones(column.size)
        below = np.stack([np.bincount(up, weights=prior, minlength=column.size)[up] for up in column.levels.up])
        total = below[released.levels[:, j], released.reps[:, j]][released.unit_class]
        gone = np.bincount(unit, weights=prior[value], minlength=u)
        mass[:, j] = np.divide(gone, total, out=np.zeros(u), where=total > 0)
        if column.closed:
            left = candidates(released, j)[released.unit_class] - excluded[:, j]
            determined[:, j] = hidden[released.unit_class, j] & (left == 1)
    return Counted(excluded, mass, determined)
