"""The suppressed class, which components share: whether what they put there together will do, and what mends it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.count_rules import CountRule, Family
from incrowd.tables.solve.exact.under_requirements.component import RequiredComponent
from incrowd.tables.solve.exact.under_requirements.requirement_rows import SEPARABLE, broken_rows, value_counts
from incrowd.tables.solve.shared.requirement_check import closed_under_union

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.solve.bounds.lagrangian import Float64
    from incrowd.tables.solve.exact.component import Component
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.values import Int64, Problem


def reason_against(problem: Problem) -> str | None:
    """Return why the requirements cannot be stated in a linear program row by row, or None."""
    for requirement in problem.requirements:
        rules = requirement.count_rules()
        if not rules or not all(rule.exact and rule.family in SEPARABLE for rule in rules):
            return (
                f"no linear rows are known that say exactly what {requirement.describe()} asks for; take solver "
                "'improve', or 'subset_dp' for a dozen rows"
            )
    return closed_under_union(problem)


def suppression_fails(components: Sequence[Component]) -> bool:
    """Whether what the linear programs of all components put into the suppressed class breaks a requirement."""
    asked = [component for component in components if isinstance(component, RequiredComponent)]
    held = [_in_suppressed(component) for component in asked]
    for number, rule in enumerate(asked[0].asked.rules if held else ()):
        counts = sum((own[number] for own in held), np.zeros(rule.values))
        if counts.sum() < 1:
            continue
        one = np.ones(1)
        if broken_rows(rule, counts[None, :], one, needs=one.astype(np.int64), least=1e-3)[0].size:
            return True
    return False


def _in_suppressed(component: RequiredComponent) -> list[Float64]:
    """Return for every rule the rows of each value, (v,), that the linear program suppresses."""
    instances, answer = component.instances, component.answer
    if answer is None or answer.x is None:
        x = np.zeros(instances.pairs) if component.rows is None else component.rows.astype(np.float64)
    else:
        x = answer.x[: instances.pairs]
    mine = instances.owners == instances.suppressed
    return [
        np.bincount(code[mine], weights=x[mine], minlength=rule.values).astype(np.float64)
        for rule, code in zip(component.asked.rules, component.codes, strict=True)
    ]


# Rows moved into the suppressed class until its class meets the requirements too: a release of the whole from those of
# components.
#
# Components take the suppressed class as free and do not judge it, so what they put there together may break a
# requirement. Rows of other values follow, the cheapest first, from classes that do without them.
PASSES = 6
LOOK = 1024  # moves tried between two looks at the watch


def with_suppression_filled(
    instances: Instances, rows: Int64, kinds: NDArray[np.integer], rules: Sequence[CountRule], need: int, watch: Watch
) -> Int64 | None:
    """Return rows per pair with more of them suppressed, so that the class meets rules of shares and distinct values.

    `rows`, (p,), are rows per pair of instances with a suppressed class; classes outside the suppressed class have the
    rows they need and meet the rules. `kinds`, (t,), is the combination of sensitive values of each type, and `need`
    the rows that the suppressed class needs if it has any. None is returned where no rows that can be spared do, where
    a rule is of another kind, or when the watch said stop. A heuristic in floating point: who takes its rows judges
    them. O(rows of the table times values), `PASSES` times.
    """
    if any(rule.family not in (Family.SHARES, Family.DISTINCT) for rule in rules):
        return None
    owners, members, suppressed = instances.owners, instances.members, instances.suppressed
    codes = [rule.code[kinds] for rule in rules]
    held = [value_counts(instances, code[members], rows, rule.values) for rule, code in zip(rules, codes, strict=True)]
    size = np.bincount(owners, weights=rows, minlength=instances.size)
    into = np.full(instances.t, -1, np.int64)
    mine = np.flatnonzero(owners == suppressed)
    into[members[mine]] = mine
    some = np.flatnonzero((rows > 0) & (owners != suppressed) & (into[members] >= 0))
    some = some[np.argsort(instances.costs[suppressed] - instances.costs[owners[some]], kind="stable")]
    rows = rows.copy()
    tried = 0
    for _ in range(PASSES):
        moved = False
        for place in some.tolist():
            i, g = int(members[place]), int(owners[place])
            while rows[place] > 0:
                tried += 1
                if tried % LOOK == 0 and watch.stopped:
                    return None
                values = [int(code[i]) for code in codes]
                wanted = _wanted(rules, [own[suppressed] for own in held], values, size[suppressed], need)
                if wanted is None:
                    return rows
                left = size[g] - 1
                if (
                    not wanted
                    or left < instances.needs[g]
                    or not _spares(rules, [own[g] for own in held], values, left)
                ):
                    break
                size[g] -= 1
                size[suppressed] += 1
                for own, code in zip(held, codes, strict=True):
                    own[g, code[i]] -= 1
                    own[suppressed, code[i]] += 1
                rows[place] -= 1
                rows[into[i]] += 1
                moved = True
        if not moved:
            break
    last = _wanted(rules, [own[suppressed] for own in held], [0] * len(rules), size[suppressed], need)
    return rows if last is None else None


def _wanted(
    rules: Sequence[CountRule], suppressed: Sequence[Float64], values: Sequence[int], size: float, need: int
) -> bool | None:
    """Return whether a row with these values helps the suppressed class of so many rows; None: it needs no help."""
    if size == 0:
        return None
    broken = size < need
    for rule, counts, value in zip(rules, suppressed, values, strict=True):
        if rule.family == Family.DISTINCT:
            if np.count_nonzero(counts) < rule.least:
                if counts[value] > 0:
                    return False
                broken = True
        else:
            over = counts > rule.share * size + 1e-9
            if over.any():
                if over[value]:
                    return False
                broken = True
    return True if broken else None


def _spares(rules: Sequence[CountRule], held: Sequence[Float64], values: Sequence[int], size: float) -> bool:
    """Return whether a class meets the rules without a row with these values, with so many rows left."""
    for rule, counts, value in zip(rules, held, values, strict=True):
        left = counts.copy()
        left[value] -= 1
        if rule.family == Family.DISTINCT:
            if np.count_nonzero(left) < rule.least:
                return False
        elif (left > rule.share * size + 1e-9).any():
            return False
    return True
