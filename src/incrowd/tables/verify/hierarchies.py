"""Hierarchies read once more by `incrowd.check`, from the words of the policy, its files and the table's values.

What makers read of a hierarchy must not deceive the check: of theirs only the settings are taken, never a line.
"""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any, Protocol

from incrowd.check.exact import Unreadable, by_bytes
from incrowd.check.hierarchies import Grid, Hierarchy, hierarchy_of, made_hierarchy
from incrowd.check.mask import Mask
from incrowd.check.mask import changing as columns_changed
from incrowd.check.policy import LOOKING
from incrowd.check.words import proposed
from incrowd.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Opened

    Line = tuple[str | None, ...]


MOST_LEVELS = 120  # ranges that overlap at one place
MOST_PAIRS = 20_000_000


class Fitted(Protocol):
    """A hierarchy bound to a column: the check's own, or in a job, before it is published, the job's."""

    @property
    def height(self) -> int:
        """The star's level."""
        ...

    @property
    def hierarchy(self) -> Any:
        """Its ``lines``, ``level_costs`` and ``node_costs``, and whether it is ``packed`` of ranges that overlap."""
        ...

    def shown(self) -> list[tuple[str | None, ...]]:
        """Return per line the value and its labels as cells; where a missing value is shown as it is, None."""
        ...


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


def own(read: Hierarchy) -> OwnHierarchy:
    """Return a hierarchy that `check` has read."""
    return OwnHierarchy(read.lines, read.shown, read.level_costs, tuple(read.node_costs.items()))


def read_hierarchies(
    engine: Engine,
    opened: Opened,
    specs: Mapping[str, Any],
    made: Mapping[str, Any],
    *,
    star: str | None,
    complete: bool,
    cost: str,
    encoding: str,
) -> dict[str, Any]:
    """Return the hierarchy of every column that has one; `made` are the makers', by column.

    `specs` are as a policy's file holds them, True for one that `auto` makes and False for the values alone. Of a
    hierarchy made by words of values that `check` does not read (digits other than 0 to 9) the makers' stays. One GROUP
    BY a column. Raise `InputError` where `check` cannot read a file.
    """
    policy = SimpleNamespace(
        folder=Path(), star=star, complete=complete, cost=cost.partition(":")[0], encodings=("utf-8", encoding)
    )
    found: dict[str, Any] = {}
    for name, spec in specs.items():
        values = _values(engine, opened, name)
        by_words = isinstance(spec, (bool, dict)) and "file" not in (spec if isinstance(spec, dict) else ())
        try:
            if isinstance(spec, bool):
                words = proposed(name, [value for value in values if value is not None]) if spec else None
                read = words and made_hierarchy(words, values, policy, complete=True)
                if words is None and policy.cost in LOOKING:  # its values and the star
                    read = Hierarchy([("NULL" if value is None else value,) for value in values], values, policy)
            elif isinstance(spec, list):
                read = Hierarchy(spec, values, policy)
            else:
                read = hierarchy_of(spec, values, policy)
        except Unreadable as error:
            if not by_words:
                raise InputError(f"column {name!r}: {error}") from None
            found[name] = made[name]
            continue
        if read is not None:
            found[name] = own(read)
    return found


def changing(said: Mapping[str, Any], names: Sequence[str], tops: Sequence[int]) -> list[bool]:
    """Return which columns the mask lets change, by their top levels. Raise `InputError` where it cannot be told."""
    try:
        problem = SimpleNamespace(mask=Mask(dict(said), tuple(names), tuple(tops)), heights=tuple(tops))
        return columns_changed(problem)  # type: ignore[no-any-return]
    except Unreadable as error:
        raise InputError(f"the check cannot read the mask: {error}") from None


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
