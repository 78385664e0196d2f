"""Certificates recounted: by `incrowd.check`, of row types that the engine counted, with loops where it is slow.

`check` says what a certificate means and decides; a loop here stands for one function of it and finds the same, faster:
the walk over the instances, the pairs of rows that are cheap, the classes of a walk for one recoding.
"""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.check.exact import Unreadable, refuse
from incrowd.check.policy import Model, settings_of
from incrowd.check.prices import MOST_MEMBERS, Instance, Problem
from incrowd.check.rules import Requirement
from incrowd.check.verdict import Verdict
from incrowd.errors import InputError, PolicyError
from incrowd.tables.verdict import Violation
from incrowd.tables.verify import lattice

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from incrowd.tables.values import Domain, Levels, Outliers

    Int64 = NDArray[np.int64]

PAIRS = 1 << 22  # pairs of rows looked at at once


@dataclass(frozen=True, slots=True)
class Recheck:
    """What a recount of a certificate found.

    `cost`: scaled cost of the release, as the certificate says and the recount confirms. `lower_bound`: the recounted
    bound, scaled; 0 when nothing was proven. `proven`: whether the whole claimed bound was recounted. `violations`:
    claims that the recount refutes.
    """

    cost: int
    lower_bound: int
    proven: bool
    violations: tuple[Violation, ...]


@dataclass(frozen=True, slots=True)
class AnyMask:
    """A mask of which it is known only whether it allows a level vector."""

    allows: Callable[[tuple[int, ...]], bool]

    def raised(self, vector: tuple[int, ...]) -> tuple[int, ...]:
        """Return levels that every allowed vector at or above one has."""
        return vector


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """The problem as the engine counted it.

    `codes`: (t, m) integer, row types in the order of the table sorted by UTF-8 bytes, NULL first. `counts`: (t,)
    integer. `mask`: says of a level vector whether it is allowed, and up to where it may be raised. `ask`: asked again
    and again by every recount; ends it by an exception. `more`: of the problem, by name.
    """

    codes: NDArray[np.integer]
    counts: NDArray[np.integer]
    levels: Sequence[Levels]
    mask: Any
    k: int
    outliers: Outliers
    scale: int
    ask: Callable[[], object] = lambda: None
    more: Mapping[str, Any] = field(default_factory=dict)


def recheck(
    table: Table, certificate: Mapping[str, Any], cost: int | None = None, prices: Callable[[int], Any] | None = None
) -> Recheck:
    """Recount a certificate.

    `cost` is the scaled cost of the release, recounted from its rows. `prices` returns those of so many row types of a
    certificate whose prices stand line by line; `certificate` is its head then [Z4]. Raises InputError if the
    certificate cannot be read.
    """
    try:
        return found_of(Verdict(Compiled(table), certificate, cost, prices))
    except Unreadable as error:
        raise InputError(f"the certificate cannot be read: {str(error).removeprefix('the certificate: ')}") from None


def found_of(verdict: Any) -> Recheck:
    """Return what a verdict of `check` found."""
    wrong = tuple(Violation(one, 1) for one in verdict.wrong)
    return Recheck(verdict.cost, verdict.bound, verdict.proven, wrong)


def models_of(models: Sequence[Any]) -> list[Model]:
    """Return the models of a policy as `check` reads their settings; `PolicyError` where it does not know one."""
    found = []
    for model in models:
        if settings_of(model.name) is None:
            raise PolicyError(
                f"model {model.name!r} cannot be verified: `incrowd.check` has no reading of it, and the check takes "
                "nobody's word; ask for other models"
            )
        found.append(Model(model.name, {one.name: getattr(model, one.name) for one in fields(model)}, Path()))
    return found


def required(models: Sequence[Any], kinds: Int64, domain: Domain) -> dict[str, Any]:
    """Return what a problem knows of sensitive values: `kinds` (t,) is the combination of the domain of each type."""
    columns = zip(*domain.sensitive.codes.T.tolist(), strict=True)
    texts = [tuple(values[code] for values, code in zip(domain.values, line, strict=True)) for line in columns]
    rows = domain.counts.tolist()
    every, names = dict(zip(texts, rows, strict=True)), list(domain.sensitive.names)
    asked = []
    for model in models_of(models):
        try:
            asked.append(Requirement(model, names, every))
        except Unreadable as error:
            raise PolicyError(f"{model.rule}: {error}") from None
    return {"kinds": texts, "kind_rows": rows, "kind": kinds.tolist(), "asked": asked}


def told_apart(codes: NDArray[np.integer]) -> list[tuple[int, ...]]:
    """Return sensitive codes (t, s) without columns that tell the same values apart as an earlier one [M1]."""
    kept: dict[bytes, list[int]] = {}
    for column in codes.T:
        _, first, place = np.unique(column, return_index=True, return_inverse=True)
        kept.setdefault(first[place.reshape(-1)].tobytes(), column.tolist())
    return list(zip(*kept.values(), strict=True))


class Compiled(Problem):
    """A problem whose row types lie in arrays, for the loops that go over all of them."""

    def __init__(self, table: Table) -> None:
        levels = [list(zip(one.up.tolist(), one.cost.tolist(), strict=True)) for one in table.levels]
        codes, counts = np.asarray(table.codes), np.asarray(table.counts, np.int64)
        super().__init__(  # type: ignore[no-untyped-call]
            codes.tolist(), counts.tolist(), levels, table.mask, table.k, table.outliers, table.scale
        )
        self.told, self.asking = (codes, counts, table.levels), table.ask
        self.layout: Layout | None = None
        facts = table.more.get("facts", {})
        for name, value in table.more.items():
            setattr(self, name, self.facts | facts if name == "facts" else value)

    def ask(self) -> None:
        """End the recount by an exception where it shall stop."""
        self.asking()

    def instances(self, prices: Sequence[int], parts: int, skip: Any, *, everything: bool) -> Iterator[Instance]:
        """Yield what `Problem.instances` does."""
        codes, counts, levels = self.told
        self.layout = view = self.layout or Layout(codes, levels, self.vectors)
        which, begins, members = lattice.find(
            view.nodes, view.paid, view.start, view.heights, view.width, view.word, view.words, view.vectors,
            view.place, view.radix, self.uniform, counts, self.k, view.number(skip), everything, parts,
            np.array(prices, np.int64), MOST_MEMBERS, self.ask,
        )  # fmt: skip
        refuse(len(members) > MOST_MEMBERS, "the table has too many instances to recount")
        vectors, types, ends = list(self.vectors), members.data, begins.tolist()
        costs = view.costs(which, members[begins[:-1]]).tolist()
        for g, vector in enumerate(which.tolist()):
            yield Instance(vectors[vector], types[ends[g] : ends[g + 1]], self.k, parts * costs[g])

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


class Layout:
    """A table laid out for the walk over its level vectors: nodes and costs a line, key words."""

    def __init__(self, codes: NDArray[np.integer], levels: Sequence[Levels], vectors: Mapping[Any, None]) -> None:
        tops = [level.height for level in levels]
        self.heights = np.array(tops, np.int64)
        self.start = np.concatenate(([0], np.cumsum(self.heights + 1)[:-1])).astype(np.int64)
        self.vectors = np.array(list(vectors), np.int64).reshape(-1, len(tops))
        self.radix = np.ones(len(tops), np.int64)
        for j in range(len(tops) - 1, 0, -1):
            self.radix[j - 1] = self.radix[j] * (tops[j] + 1)
        self.place = np.full(int(self.radix[0]) * (tops[0] + 1), -1, np.int32)
        self.place[self.vectors @ self.radix] = np.arange(len(self.vectors))
        self.nodes = np.concatenate([one.up[:, codes[:, j]] for j, one in enumerate(levels)]).astype(np.int64)
        self.paid = np.concatenate([one.cost[:, codes[:, j]] for j, one in enumerate(levels)]).astype(np.int64)
        # Key words: columns side by side, as many as 62 bits hold. A starred column adds 0.
        self.word, self.width = np.zeros(len(tops), np.int64), np.zeros(len(self.nodes), np.int64)
        self.words, room = 1, 1
        for j, level in enumerate(levels):
            size = int(level.up.max()) + 1
            if room * size >= 2**62:
                self.words, room = self.words + 1, 1
            self.word[j] = self.words - 1
            self.width[self.start[j] : self.start[j] + tops[j] + 1] = room
            room *= size

    def costs(self, which: NDArray[np.integer], types: NDArray[np.integer]) -> Int64:
        """Return the scaled cost of a row per instance, given by vector and one of its types."""
        total = np.zeros(len(which), np.int64)
        for j, first in enumerate(self.start):
            total += self.paid[first + self.vectors[which, j], types]
        return total

    def number(self, vector: tuple[int, ...] | None) -> int:
        """Return the number of an allowed level vector, -1 for none."""
        return -1 if vector is None else int(self.place[int(np.array(vector, np.int64) @ self.radix)])
