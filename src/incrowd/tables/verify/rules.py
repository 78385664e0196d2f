"""What a release is held to, read by `incrowd.check` from the words of the policy, its files and the table's values.

What makers read of these must not deceive the check: nothing of theirs is taken. A release whose cost has no reading in
the check is refused.
"""

from __future__ import annotations

import functools
import math
from collections import Counter
from dataclasses import dataclass, field, replace
from fractions import Fraction
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.check.exact import Unreadable, by_bytes
from incrowd.check.hierarchies import READINGS, Grid, Held, held_of, places_of, tree_of
from incrowd.check.mask import Mask, changing
from incrowd.check.policy import LOOKING
from incrowd.errors import InputError, PolicyError, count_of
from incrowd.tables.values import Levels
from incrowd.tables.verify.mask import MaskReading

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from numpy.typing import NDArray

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Opened

    Lines = Sequence[NDArray[np.int64] | None]


MOST_LEVELS = 120  # ranges that overlap at one place
MOST_PAIRS = 20_000_000
MOST_TARGETS = 10**6 + 1  # pairs of a value and a target's: one more than is taken
MOST = 2**62  # half of what 64 bits hold, so that sums of two costs fit too

Costs = list[list[Fraction]]
"""Of every line (a leaf) of a hierarchy at level 0, 1, ... h: lists of h + 1 fractions, one list a line."""


@dataclass(frozen=True, kw_only=True)
class Rules:
    """What a release is judged by.

    `policy`: its words, as `incrowd.check.policy.Policy` reads them. `hierarchies`: by column, as `incrowd.check` binds
    them to the original table. `text`: quasi-identifiers that the release turns into text. `steps`: by ranged column,
    of the grid on which its ranges end, where somebody says it. `held`: what the original table holds of the values of
    each column, for costs that look at it. `kept`: columns of the original that the release has. `gaps`: by column the
    rows that miss a value, where stars are NULL and so a missing value looks like one.
    """

    policy: Any
    kept: tuple[str, ...] = ()
    hierarchies: Mapping[str, Any] = field(default_factory=dict)
    text: tuple[str, ...] = ()
    steps: Mapping[str, Fraction] = field(default_factory=dict)
    held: Mapping[str, Any] = field(default_factory=dict)
    gaps: Mapping[str, int] = field(default_factory=dict)

    @property
    def gapped(self) -> list[int]:
        """The places of the columns with gaps."""
        return [j for j, name in enumerate(self.names) if name in self.gaps]

    @property
    def names(self) -> tuple[str, ...]:
        """The quasi-identifiers, in the order of the columns given to the recounts."""
        return self.policy.quasi_identifiers  # type: ignore[no-any-return]

    @property
    def ladders(self) -> dict[int, Any]:
        """The hierarchies whose labels a release may show, by the place of the column."""
        return {j: tree for j, tree in self.climbed.items() if self.names[j] in self.text}

    @property
    def climbed(self) -> dict[int, Any]:
        """The hierarchies by the place of the column."""
        return {j: self.hierarchies[name] for j, name in enumerate(self.names) if name in self.hierarchies}

    @property
    def judged(self) -> set[str]:
        """The sensitive columns that a model judges."""
        return {name for model in self.policy.models for name in model.judged}

    @property
    def heights(self) -> tuple[int, ...]:
        """The star's level per column."""
        return tuple(self.hierarchies[name].height if name in self.hierarchies else 1 for name in self.names)

    @functools.cached_property
    def mask(self) -> MaskReading:
        """The mask as it is read over the quasi-identifiers."""
        ranged = [self.names.index(name) for name in self.policy.ranged] if self.policy.grid else []
        return MaskReading(self.policy.mask, self.names, self.heights, ranged)

    def star_cost(self, name: str) -> Fraction:
        """Return the cost of a star in a column without a hierarchy."""
        return self.policy.weights.get(name, Fraction(1))  # type: ignore[no-any-return]

    def line_costs(self, name: str) -> Costs:
        """Return what showing each leaf of a column's hierarchy at each level costs, its weight included.

        Takes O(L h) time and memory for L leaves and height h.
        """
        cost, weight = self.policy.cost, self.star_cost(name)
        try:
            found: Costs = READINGS[reading_of(cost)](self.hierarchies[name], self.held.get(name) or Held(Counter()))  # type: ignore[no-untyped-call]
        except Unreadable as error:
            raise PolicyError(f"cost {cost!r} cannot be verified: {error}") from None
        if weight == 1:
            return found
        # told apart by identity, which is quick: few objects stand for many nodes
        weighed = {key: value * weight for key, value in {id(value): value for line in found for value in line}.items()}
        return [[weighed[id(value)] for value in line] for line in found]

    def unchanged(self, names: Collection[str] | None = None) -> Fraction:
        """Return what the original's rows cost as they are, in some columns [T4, T8]: mostly 0."""
        some = set(self.names if names is None else names)
        found = sum((self.gaps[name] * self.star_cost(name) for name in self.gaps.keys() & some), Fraction(0))
        for name in self.held.keys() & self.hierarchies.keys() & some:
            told = zip(self.hierarchies[name].shown, self.line_costs(name), strict=True)
            found += sum((self.held[name].rows[line[0]] * paid[0] for line, paid in told), Fraction(0))
        return found

    def levels(self, sizes: Sequence[int], lines: Lines, rows: int) -> tuple[tuple[Levels, ...], int]:
        """Return every column's levels with whole costs, and how many of them one unit of the user's cost is.

        `sizes`, the distinct values of each column, and `lines` have length m: of a column that climbs its hierarchy
        (d,) int64, the line of each of its values. Takes O(L h + d h) time and memory per column. Raise `PolicyError`
        if the check has no reading of the cost, or its numbers do not fit in 64 bits over all rows.
        """
        told = [
            [[Fraction(0), self.star_cost(name)], [self.star_cost(name)] * 2] if line is None else self.line_costs(name)
            for name, line in zip(self.names, lines, strict=True)
        ]
        distinct = {id(value): value for column in told for line in column for value in line}
        scale = math.lcm(1, *(value.denominator for value in distinct.values()))
        largest = max(distinct.values(), default=Fraction(0))
        if max(Fraction(scale), rows * len(told) * largest * scale) >= MOST:
            raise PolicyError(
                "the weights have too many digits or lie too far apart to be added up exactly over "
                f"{count_of(rows, 'row')}; round them"
            )
        whole = {key: int(value * scale) for key, value in distinct.items()}
        out = []
        for name, size, costs, line in zip(self.names, sizes, told, lines, strict=True):
            scaled = np.array([[whole[id(value)] for value in paid] for paid in costs], np.int64)
            if line is None:
                up = np.stack([np.arange(size, dtype=np.int32), np.zeros(size, np.int32)])
                missing = (np.arange(size) == 0) & (name in self.gaps)  # a missing value is the first
                out.append(Levels(up, np.ascontiguousarray(scaled[missing.astype(np.int64)].T)))
            else:
                out.append(Levels(_nodes(self.hierarchies[name], line), np.ascontiguousarray(scaled[line].T)))
        return tuple(out), scale


def _nodes(tree: Any, lines: NDArray[np.int64]) -> NDArray[np.int32]:
    """Return which values share a label at each level, (h + 1, d): equal numbers, equal labels; the star is 0."""
    up = np.zeros((tree.height + 1, len(lines)), np.int32)
    up[0] = np.arange(len(lines))
    for level in range(1, tree.height):
        first = {label: i for i, label in enumerate(dict.fromkeys(line[level] for line in tree.lines))}
        numbers = np.array([first[tree.lines[line][level]] for line in lines.tolist()], np.int64)
        up[level] = np.unique(numbers, return_inverse=True)[1].reshape(-1)
    return up


def reading_of(cost: str) -> str:
    """Return the name of a cost that a policy names. Raise `PolicyError` if the check has no reading of it."""
    name = cost.partition(":")[0]
    if name not in READINGS:
        known = ", ".join(READINGS)
        raise PolicyError(f"cost {name!r} cannot be verified: the check has no reading of it, only of {known}")
    return name


def read_rules(engine: Engine, opened: Opened, policy: Any) -> Rules:
    """Return what a release of an original is held to: the policy, and what the table's values make of it.

    One GROUP BY a column that has a hierarchy. Raise `PolicyError` where `check` cannot read a hierarchy, the mask or
    the cost, or these do not fit the table.
    """
    names, ranged = policy.quasi_identifiers, policy.ranged if policy.grid else ()
    found: dict[str, Any] = {}
    try:
        for name in names:
            if name in policy.hierarchies or policy.auto or policy.cost in LOOKING:
                tree = tree_of(policy, name, _values(engine, opened, name))
                found |= {} if tree is None else {name: tree}
        tops = tuple(2 if name in ranged else found[name].height if name in found else 1 for name in names)
        changed = changing(SimpleNamespace(mask=Mask(policy.mask, names, tops), heights=tops))
        held = _held(engine, opened, policy, found)
    except Unreadable as error:
        raise PolicyError(str(error)) from None
    text = () if policy.star is None else tuple(name for name, on in zip(names, changed, strict=True) if on)
    gaps = {} if policy.star is not None else _gaps(engine, opened, names)
    steps = {} if policy.step is None else dict.fromkeys(ranged, policy.step)
    kept = policy.kept(opened.names)
    return Rules(policy=policy, kept=kept, hierarchies=found, text=text, steps=steps, held=held, gaps=gaps)


def with_ranges(engine: Engine, original: Opened, released: Opened, rules: Rules) -> Rules:
    """Return rules in which ranged columns have the ranges that a release shows, read from its labels."""
    policy, found = rules.policy, dict(rules.hierarchies)
    if not policy.grid:
        return rules
    for name in policy.ranged:
        before = _values(engine, original, name)
        after = _values(engine, released, name) if name in released.names else ()
        found[name] = read_ladder(before, after, name, policy.star, rules.steps.get(name))
    held = _held(engine, original, policy, found)  # of the values of ranged columns too
    return replace(rules, hierarchies=found, held=held)


def read_ladder(
    originals: Sequence[str | None],
    released: Sequence[str | None],
    column: str,
    star: str | None,
    step: Fraction | None,
) -> SimpleNamespace:
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
    low, _, first_lines = places_of(lines)
    # a value that stands in the levels above itself is in none of their ranges
    return SimpleNamespace(
        lines=lines, shown=lines, height=len(lines[0]), level_costs=None, node_costs={}, low=low, high=low,
        first=first_lines,
    )  # fmt: skip


def _held(engine: Engine, opened: Opened, policy: Any, names: Collection[str]) -> dict[str, Held]:
    """Return what an original table holds of some columns, where the policy's cost looks at that; else nothing.

    One GROUP BY a column, and one for every query of a workload that has a target beside it.
    """
    if policy.cost not in ("ncp", *LOOKING):
        return {}

    def counted(columns: Sequence[str]) -> Counter[tuple[str | None, ...]]:
        texts = {f"v{i}": engine.text(opened.data[opened.ids[name]]) for i, name in enumerate(columns)}
        with engine.guard("counting values for the cost"):
            lines = opened.data.select(**texts).group_by(list(texts)).aggregate(n=lambda rows: rows.count())
            found = engine.fetch(lines.limit(MOST_TARGETS) if len(columns) > 1 else lines)
        values = zip(*(found.column(name).to_pylist() for name in texts), strict=True)
        return Counter(dict(zip(values, found.column("n").to_pylist(), strict=True)))

    return {name: held_of(policy, name, opened.names, counted) for name in names}


def _gaps(engine: Engine, opened: Opened, names: Sequence[str]) -> dict[str, int]:
    """Return how many rows miss a value of some columns, where some do."""
    columns = (engine.plain(opened.data[opened.ids[name]]) for name in names)
    with engine.guard("looking for missing values"):
        found = opened.data.aggregate(**{f"m{j}": column.isnull().sum() for j, column in enumerate(columns)})
        missing = map(int, (number or 0 for number in engine.one(found).values()))
    return {name: number for name, number in zip(names, missing, strict=True) if number}


def _values(engine: Engine, opened: Opened, name: str) -> list[str | None]:
    """Return the distinct values of a column, sorted by their bytes, a missing one first."""
    text = engine.text(opened.data[opened.ids[name]])
    with engine.guard(f"reading the values of column {name!r}"):
        found = engine.fetch(opened.data.select(v=text).distinct())
    return sorted(found.column("v").to_pylist(), key=by_bytes)
