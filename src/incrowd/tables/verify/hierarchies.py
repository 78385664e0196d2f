"""What a release is held to, read by `incrowd.check` from the words of the policy, its files and the table's values.

What makers read of these must not deceive the check: nothing of theirs is taken.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

from incrowd.check.exact import Unreadable, by_bytes
from incrowd.check.hierarchies import Grid, tree_of
from incrowd.check.mask import Mask, changing
from incrowd.check.policy import LOOKING
from incrowd.errors import InputError, PolicyError
from incrowd.tables.verify.release.costs import held_columns
from incrowd.tables.verify.release.groups import Rules

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Opened

    Line = tuple[str | None, ...]


MOST_LEVELS = 120  # ranges that overlap at one place
MOST_PAIRS = 20_000_000


@dataclass(frozen=True, eq=False)
class OwnHierarchy:
    """A hierarchy as `check` holds it, with the words that makers have for its parts.

    `packed`: whether its labels are ranges that overlap, in levels that do not nest: a value without a range at a level
    shows itself there.
    """

    lines: Sequence[tuple[str, ...]]
    cells: Sequence[Line]
    level_costs: Sequence[Fraction] | None = None
    node_costs: Sequence[tuple[str, Fraction]] = ()
    packed: bool = False

    @property
    def height(self) -> int:
        """The star's level."""
        return len(self.lines[0])

    @property
    def hierarchy(self) -> OwnHierarchy:
        """Itself."""
        return self

    def shown(self) -> list[Line]:
        """Return per line the value and its labels as cells; where a missing value is shown as it is, None."""
        return list(self.cells)


def read_rules(engine: Engine, opened: Opened, policy: Any) -> Rules:
    """Return what a release of an original is held to: the policy, and what the table's values make of it.

    One GROUP BY a column that has a hierarchy. Raise `PolicyError` where `check` cannot read a hierarchy, the mask or
    the cost, or these do not fit the table.
    """
    try:
        return _read_rules(engine, opened, policy)
    except Unreadable as error:
        raise PolicyError(str(error)) from None


def _read_rules(engine: Engine, opened: Opened, policy: Any) -> Rules:
    found: dict[str, Any] = {}
    for name in policy.quasi_identifiers:
        if name in policy.hierarchies or policy.auto or policy.cost in LOOKING:
            read = tree_of(policy, name, _values(engine, opened, name))
            if read is not None:
                found[name] = OwnHierarchy(read.lines, read.shown, read.level_costs, tuple(read.node_costs.items()))
    names, ranged = policy.quasi_identifiers, policy.ranged if policy.grid else ()
    tops = tuple(2 if name in ranged else found[name].height if name in found else 1 for name in names)
    changed = changing(SimpleNamespace(mask=Mask(policy.mask, names, tops), heights=tops))
    text = () if policy.star is None else tuple(name for name, on in zip(names, changed, strict=True) if on)
    steps = {} if policy.step is None else dict.fromkeys(ranged, policy.step)
    return Rules(
        policy=policy, hierarchies=found, text=text, steps=steps, held=held_columns(engine, opened, policy, found)
    )


def with_ranges(engine: Engine, original: Opened, released: Opened, rules: Rules) -> Rules:
    """Return rules in which ranged columns have the ranges that a release shows, read from its labels."""
    policy, found = rules.policy, dict(rules.hierarchies)
    for name in policy.ranged if policy.grid else ():
        before = _values(engine, original, name)
        after = _values(engine, released, name) if name in released.names else ()
        found[name] = read_ladder(before, after, name, policy.star, rules.steps.get(name))
    held = held_columns(engine, original, policy, found)  # of the values of ranged columns too
    return replace(rules, hierarchies=found, held=held)


def read_ladder(
    originals: Sequence[str | None],
    released: Sequence[str | None],
    column: str,
    star: str | None,
    step: Fraction | None,
) -> OwnHierarchy:
    """Return the ranges among released cells as lines: each value with every range that it lies in, or itself [G2].

    `originals` and `released` are the distinct values of the column, whose name is for messages. `star` is the star
    text, and `step` that of the grid. Without a step ends may be any number with as many decimals as the column has.
    Raise `InputError` if the original's values are neither numbers nor dates, one is missing or there is one number
    only, or the ranges overlap more than `MOST_LEVELS` deep. A cell that is no range of this grid gets no line, and
    counts as invented then. O((d + r) log d) for d values and r ranges, and O(1) for every pair of a range and a value
    in it.
    """
    try:
        grid = Grid(list(originals), step)
    except Unreadable as error:
        raise InputError(
            f"column {column!r} of the original: {error}, so recoding=grid can show no range of it; give it a "
            "hierarchy, or leave it out of numeric"
        ) from None
    texts = sorted(grid.numbers, key=grid.numbers.__getitem__)
    cells = [cell for cell in released if cell is not None and cell != star and cell not in grid.numbers]
    runs = sorted((*run, cell) for cell in cells if (run := grid.run(cell)) is not None)
    if sum(last - first for first, last, _ in runs) > MOST_PAIRS:
        raise InputError(f"the ranges released in column {column!r} hold more than {MOST_PAIRS:,} values together")
    levels: list[list[str]] = []  # in which no ranges overlap
    ends: list[int] = []
    for first, last, cell in runs:
        level = next((level for level, end in enumerate(ends) if end <= first), len(levels))
        if level == len(levels):
            levels.append(list(texts))
            ends.append(0)
        levels[level][first:last] = [cell] * (last - first)
        ends[level] = last
        if len(levels) > MOST_LEVELS:
            raise InputError(f"the ranges released in column {column!r} overlap more than {MOST_LEVELS} deep")
    lines = list(zip(texts, *levels, strict=True))
    return OwnHierarchy(lines, lines, packed=True)


def _values(engine: Engine, opened: Opened, name: str) -> list[str | None]:
    """Return the distinct values of a column, sorted by their bytes, a missing one first."""
    text = engine.text(opened.data[f"c{opened.names.index(name)}"])
    with engine.guard(f"reading the values of column {name!r}"):
        found = engine.fetch(opened.data.select(v=text).distinct())
    return sorted(found.column("v").to_pylist(), key=by_bytes)
