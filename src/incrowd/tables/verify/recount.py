"""Certificates recounted: by `incrowd.check`, of row types that the engine counted, with loops where it is slow.

`check` says what a certificate means and decides; a loop here stands for one function of it and finds the same, faster:
the walk over the instances, and the pairs of rows that are cheap.
"""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.check.exact import Unreadable, refuse
from incrowd.check.prices import MOST_MEMBERS, Instance, Problem
from incrowd.check.rules import Requirement
from incrowd.check.verdict import Verdict
from incrowd.errors import InputError, PolicyError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from incrowd.tables.values import Levels, Outliers
    from incrowd.tables.verify.row_types import Counted

    Int64 = NDArray[np.int64]
    Every = Mapping[tuple[str | None, ...], int]

PAIRS = 1 << 22  # pairs of rows, or of an allowed vector and an instance, looked at at once
WORD = 1 << 62  # keys stay below it


def recheck(
    problem: Compiled,
    certificate: Mapping[str, Any],
    cost: int | None = None,
    prices: Callable[[int], Any] | None = None,
) -> Any:
    """Recount a certificate, and return `check`'s verdict.

    `cost` is the scaled cost of the release, recounted from its rows. `prices` returns those of so many row types of a
    certificate whose prices stand line by line; `certificate` is its head then [Z4]. Raises InputError if the
    certificate cannot be read.
    """
    with readable():
        return Verdict(problem, certificate, cost, prices)


@contextlib.contextmanager
def readable() -> Iterator[None]:
    """Say as an `InputError` why a certificate cannot be read."""
    try:
        yield
    except Unreadable as error:
        said = str(error).removeprefix("the certificate: ")
        said = said if said.startswith("the certificate ") else f"the certificate cannot be read: {said}"
        raise InputError(said) from None


def asked_of(models: Sequence[Any], names: Sequence[str], every: Every) -> list[Requirement]:
    """Return what models ask of classes, by the rows of every combination of their columns' values."""
    asked = []
    for model in models:
        try:
            asked.append(Requirement(model, list(names), every))
        except Unreadable as error:
            raise PolicyError(f"{model.rule}: {error}") from None
    return asked


def required(models: Sequence[Any], types: Counted, names: Sequence[str]) -> dict[str, Any]:
    """Return what a problem knows of sensitive values, which are the last columns of its row types."""
    codes = types.codes[:, -len(names) :]
    kinds, kind = np.unique(codes, axis=0, return_inverse=True)
    rows = np.zeros(len(kinds), np.int64)
    np.add.at(rows, kind.reshape(-1), types.counts)
    lines = [tuple(texts[code] for texts, code in zip(types.texts, line, strict=True)) for line in kinds.tolist()]
    asked = asked_of(models, names, dict(zip(lines, rows.tolist(), strict=True)))
    return {"kinds": lines, "kind_rows": rows.tolist(), "kind": kind.reshape(-1).tolist(), "asked": asked}


def told_apart(codes: NDArray[np.integer]) -> list[tuple[int, ...]]:
    """Return sensitive codes (t, s) without columns that tell the same values apart as an earlier one [M1]."""
    kept: dict[bytes, list[int]] = {}
    for column in codes.T:
        _, first, place = np.unique(column, return_index=True, return_inverse=True)
        kept.setdefault(first[place.reshape(-1)].tobytes(), column.tolist())
    return list(zip(*kept.values(), strict=True))


class Compiled(Problem):
    """A problem whose row types lie in arrays, for the loops that go over all of them.

    `codes`: (t, m) integer, row types in the order of the table sorted by UTF-8 bytes, NULL first. `counts`: (t,)
    integer. `mask`: says of a level vector whether it is allowed, and, for matchings, up to where it may be raised.
    `asking`: asked again and again by every recount; ends it by an exception. `more`: of the problem, by name.
    """

    def __init__(
        self, codes: NDArray[np.integer], counts: NDArray[np.integer], levels: Sequence[Levels], mask: Any, k: int,
        outliers: Outliers, scale: int, asking: Callable[[], object] = lambda: None, **more: Any,
    ) -> None:  # fmt: skip
        lists = [list(zip(one.up.tolist(), one.cost.tolist(), strict=True)) for one in levels]
        rows: Int64 = np.asarray(counts, np.int64)
        super().__init__(codes.tolist(), rows.tolist(), lists, mask, k, outliers, scale)  # type: ignore[no-untyped-call]
        self.told, self.asking = (codes, rows, levels), asking
        self.facts |= more.pop("facts", {})
        vars(self).update(more)

    def ask(self) -> None:
        """End the recount by an exception where it shall stop."""
        self.asking()

    def instances(self, prices: Sequence[int], parts: int, skip: Any, *, everything: bool) -> Iterator[Instance]:
        """Yield what `Problem.instances` does: of every level vector all groups of row types at once."""
        codes, counts, levels = self.told
        nodes = [level.up[:, codes[:, j]].astype(np.int64) for j, level in enumerate(levels)]
        paid = [parts * level.cost[:, codes[:, j]].astype(np.int64) for j, level in enumerate(levels)]
        sizes, asked = [int(level.up.max()) + 1 for level in levels], np.array(prices, np.int64)
        least, dearest = [costs.min(axis=1).tolist() for costs in paid], max(prices)
        vectors, zero, listed = Vectors(levels, self.vectors), np.zeros(self.t, np.int64), 0
        stack = [(zero, 1, zero)]  # keys, what they are below, costs, by a vector's first columns
        before: tuple[int, ...] = ()
        for vector in self.vectors:
            self.ask()
            lowest = sum(costs[at] for costs, at in zip(least, vector, strict=True))
            if vector == skip or (lowest >= dearest and not everything):  # [I1]
                continue
            same = next((j for j, (a, b) in enumerate(zip(vector, before, strict=False)) if a != b), len(before))
            del stack[same + 1 :]
            for j in range(same, len(vector)):
                keys, width, costs = stack[-1]
                if vector[j] < self.heights[j]:
                    if width * sizes[j] >= WORD:
                        keys, width = np.unique(keys, return_inverse=True)[1].reshape(-1), self.t
                    keys, width = keys + width * nodes[j][vector[j]], width * sizes[j]
                stack.append((keys, width, costs + paid[j][vector[j]]))
            before, (keys, _, costs) = vector, stack[-1]
            types, starts = grouped_types(keys, asked - costs, counts, self.k, everything=everything)
            listed += len(types)
            refuse(listed > MOST_MEMBERS, "the table has too many instances to recount")
            if not len(types):
                continue
            joint = np.zeros((len(starts), len(vector)), np.int64)  # the lowest levels at which types are alike
            for j, top in enumerate(vector):
                for at in range(top):
                    node = nodes[j][at, types]
                    unlike = np.maximum.reduceat(node, starts) != np.minimum.reduceat(node, starts)
                    joint[:, j] += unlike & (joint[:, j] == at)
            matter = vectors.matter(vector, joint, codes[types[starts]])
            for first, last in zip(
                starts[matter].tolist(), np.append(starts, len(types))[1:][matter].tolist(), strict=True
            ):
                yield Instance(vector, types[first:last].tolist(), self.k, int(costs[types[first]]))

    def cheap_pairs(
        self, everyone: Sequence[int], many: int, prices: Sequence[int], scale: int, divisor: int
    ) -> Iterator[tuple[int, int]]:
        """Yield what `Problem.cheap_pairs` does; no number reaches 2^61 [M1]."""
        codes, asked = self.told[0][np.array(everyone)], np.array(prices, np.int64)
        base, steps = np.zeros(len(everyone), np.int64), []  # by column and level: nodes, and what one level more costs
        for j, level in enumerate(self.told[2]):
            base += level.cost[0][codes[:, j]]
            for up, low, high in zip(level.up, level.cost, level.cost[1:], strict=False):
                steps.append((up[codes[:, j]], (high - low)[codes[:, j]]))
        some = max(PAIRS // max(len(everyone), 1), 1)
        for low in range(0, many, some):
            self.ask()
            rows = np.arange(low, min(low + some, many))
            costs = np.repeat(base[rows][:, None], len(everyone) - low, axis=1)
            for node, step in steps:
                costs += np.where(node[rows][:, None] != node[low:], step[rows][:, None], 0)
            cheap = 2 * scale * (costs // divisor) - asked[low:] < asked[rows][:, None]
            cheap &= np.arange(low, len(everyone)) > rows[:, None]
            for a, b in np.argwhere(cheap).tolist():
                yield low + a, low + b


def grouped_types(
    keys: Int64, gains: Int64, counts: Int64, k: int, *, everything: bool
) -> tuple[NDArray[np.intp], NDArray[np.intp]]:
    """Return the row types of groups of one key, side by side and rising in each, and where the groups begin.

    Groups have at least k rows [I2]; unless everything is wanted they can gain something, filled up to k rows [P2].
    All arguments but the last two are (t,).
    """
    opened = np.unique(keys if everything else keys[gains > 0])
    if not len(opened):
        return np.zeros(0, np.intp), np.zeros(0, np.intp)
    group = np.minimum(np.searchsorted(opened, keys), len(opened) - 1)
    types = np.flatnonzero(opened[group] == keys)
    types = types[np.argsort(group[types], kind="stable")]

    def starts_of(some: NDArray[np.intp]) -> NDArray[np.intp]:
        return np.flatnonzero(np.append(True, np.diff(group[some]) != 0)[: len(some)])

    def kept(some: NDArray[np.intp], starts: NDArray[np.intp], good: NDArray[np.bool_]) -> NDArray[np.intp]:
        return some[np.repeat(good, np.diff(np.append(starts, len(some))))]

    starts = starts_of(types)
    types = kept(types, starts, np.add.reduceat(counts[types], starts) >= k)
    if everything or not len(types):
        return types, starts_of(types)
    dear = types[np.lexsort((-gains[types], group[types]))]
    starts, rows, gain = starts_of(dear), counts[dear], gains[dear]
    before = np.cumsum(rows) - rows
    before -= np.repeat(before[starts], np.diff(np.append(starts, len(dear))))
    taken = np.where(gain > 0, rows, np.clip(k - before, 0, rows))
    types = kept(types, starts, np.add.reduceat(taken * gain, starts) > 0)
    return types, starts_of(types)


# Which instances matter: an instance whose rows another allowed level vector shows as well, and earlier, does not.


class Vectors:
    """The allowed level vectors of a table.

    There are m `levels`, and the vectors come in lexicographic order. `allowed`: (p, m) int64, the vectors.
    """

    def __init__(self, levels: Sequence[Levels], known: Mapping[tuple[int, ...], None]) -> None:
        self.levels, self.known = levels, known
        tops = [level.height for level in levels]
        self.allowed = np.array(list(known), np.int64).reshape(len(known), len(levels))
        self.stars = (self.allowed == np.array(tops, np.int64)).sum(axis=1)

    def matter(self, vector: tuple[int, ...], lowest: Int64, ranks: NDArray[np.integer]) -> NDArray[np.bool_]:
        """Return which instances of a level vector, which is an allowed one, matter [I3].

        lowest: (g, m), lowest levels at which the types of each are alike, column by column. ranks: (g, m), in each
        column the rank of the value of one of its types.
        """
        result: NDArray[np.bool_] = (lowest == np.array(vector, np.int64)).all(axis=1)
        if result.all():
            return result
        below, back = np.unique(lowest, axis=0, return_inverse=True)
        back = back.reshape(-1)
        for one, joint in enumerate(below):
            if tuple(joint.tolist()) in self.known:
                continue
            above = np.flatnonzero((self.allowed >= joint).all(axis=1))
            mine = np.flatnonzero((back == one) & ~result)
            step = max(PAIRS // max(len(above), 1), 1)
            for begin in range(0, len(mine), step):
                some = mine[begin : begin + step]
                first = self._first(above, ranks[some])
                result[some] = (self.allowed[first] == np.array(vector, np.int64)).all(axis=1)
        return result

    def _first(self, above: Int64, ranks: NDArray[np.integer]) -> Int64:
        """Return for every instance the first of some vectors by cost of a row, stars, order."""
        costs = np.zeros((len(ranks), len(above)), np.int64)
        for j, level in enumerate(self.levels):
            costs += level.cost[self.allowed[above, j][None, :], ranks[:, j][:, None]]
        stars = np.where(costs == costs.min(axis=1)[:, None], self.stars[above][None, :], len(self.levels) + 1)
        found: Int64 = above[stars.argmin(axis=1)]
        return found
