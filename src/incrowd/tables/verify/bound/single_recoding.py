"""Recount of a certificate of one recoding: the lattice is walked again, column by column, from the row types alone.

The certificate names the level vector; what is proved is that no vector of the mask has a release that costs less than
the bound. The walk fixes the levels of the columns one after the other, the others being at their top so far. Rows in
classes of fewer than k rows at that stand stay so however the others are lowered, for classes only become finer
[U3]: they are suppressed and looked at no more. A stand is left when it suppresses too many rows, when the mask allows
no vector with its first levels, or when its rows cost as much as the bound already [U4].
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError
from incrowd.tables.verify.bound.certificate import verdict_on
from incrowd.tables.verify.bound.strict_numbers import Unreadable, entries, numbers, read_head, whole
from incrowd.tables.verify.requirements.counts import Classes
from incrowd.tables.verify.requirements.reading import reading_of, settings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from incrowd.tables.verify.bound.certificate import Recheck, Table
    from incrowd.tables.verify.bound.requirement_bound import Required
    from incrowd.tables.verify.mask import MaskReading

    Int64 = NDArray[np.int64]


NAME, VERSION = "incrowd single recoding bound", 1
MOST_STEPS = 1 << 36  # entries grouped, over all stands of the walk


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """What is asked beside the table.

    `most_suppressed`: rows that may be fully suppressed. `suppressed`: fully suppressed rows of the release; None where
    they are not known. `shown`: whether the release's other rows can be read at a level vector; None where that is not
    known. `required`: what the policy asks of sensitive values; None for nothing.
    """

    mask: MaskReading
    most_suppressed: int
    suppressed: int | None = None
    shown: Callable[[tuple[int, ...]], bool] | None = None
    required: Required | None = None


def recheck(table: Table, asked: Asked, certificate: Mapping[str, Any], cost: int | None = None) -> Recheck:
    """Recount a certificate of one recoding for the whole table, which is as read from JSON.

    The table's types are told apart by the sensitive columns too where requirements are asked for. `cost` is the scaled
    cost of the release, recounted from its rows, which is compared with the claimed one. Raise `InputError` if the
    certificate cannot be read, or the walk is above `MOST_STEPS`, and `PolicyError` for a model that the check has no
    reading of. A sort of the row types that are left, at every stand that is not left: O(v t log t) time for v such
    stands, at most twice the vectors of the lattice, and O(m t) memory.
    """
    try:
        return _recheck(table, asked, certificate, cost)
    except Unreadable as error:
        raise InputError(f"the certificate cannot be read: {error}") from None


def _recheck(table: Table, asked: Asked, certificate: Mapping[str, Any], cost: int | None) -> Recheck:
    facts = {**table.facts(), "most_suppressed": asked.most_suppressed}
    claims = read_head(certificate, NAME, VERSION, facts, cost)
    wrong = list(claims.wrong)
    rules = [] if asked.required is None else [model.rule for model in asked.required.models]
    if entries(certificate, "requirements") != rules:  # [V2]
        wrong.append("requirements")
    value = 0
    if not wrong:
        vector = tuple(int(x) for x in numbers(certificate.get("levels"), "levels", len(table.levels)))
        claimed = whole(certificate, "suppressed_rows", least=0)
        walk = Walk(table, asked)
        own = walk.release(vector) if table.allows(vector) else None
        # [U5] the vector has the release at hand
        if own is None or own[0] != claims.cost or (asked.shown is not None and not asked.shown(vector)):
            wrong.append("levels")
        elif own[1] != claimed or asked.suppressed not in (None, claimed):
            wrong.append("suppressed_rows")
        else:
            value = walk.least(claims.lower_bound)
    return verdict_on(claims, value, wrong, cost)


class Walk:
    """The lattice of a table, walked column by column."""

    def __init__(self, table: Table, asked: Asked) -> None:
        codes = np.asarray(table.codes)
        self.table, self.asked = table, asked
        self.counts = np.asarray(table.counts, np.int64)
        self.heights = [level.height for level in table.levels]
        self.nodes = [level.up[:, codes[:, j]].astype(np.int64) for j, level in enumerate(table.levels)]
        self.paid = [level.cost[:, codes[:, j]].astype(np.int64) for j, level in enumerate(table.levels)]
        self.full = sum(int(level.cost[-1].max(initial=0)) for level in table.levels)
        self.top = tuple(self.heights)
        self.starred = table.allows(self.top)
        self.steps = 0

    def release(self, vector: tuple[int, ...]) -> tuple[int, int] | None:
        """Return the scaled cost and the suppressed rows of a vector's release; None where it has none [U1]."""
        left = np.arange(len(self.counts))
        number = np.zeros(len(left), np.int64)
        cost = np.zeros(len(left), np.int64)
        for j, level in enumerate(vector):
            left, number, cost = self._finer(j, level, left, number, cost)
        return self._judged(vector, left, number, cost)

    def least(self, bound: int) -> int:
        """Return the least scaled cost of a release under one vector, or `bound` if that is not more [U4]."""
        self.best = bound
        everything = np.arange(len(self.counts))
        none = np.zeros(len(everything), np.int64)
        if self.starred:
            self._stand(self.top, everything, none, sum(paid[-1] for paid in self.paid))
        self._walk((), everything, none, none)
        return self.best

    def _walk(self, begun: tuple[int, ...], left: Int64, number: Int64, cost: Int64) -> None:
        """Look at all vectors that begin with some levels."""
        j = len(begun)
        if j == len(self.heights):
            if begun != self.top and self.table.allows(begun):
                self._stand(begun, left, number, cost)
            return
        lowest = (0,) * (len(self.heights) - j - 1)
        for level in range(self.heights[j] + 1):
            if self.asked.mask.raised((*begun, level, *lowest)) is None:  # [M4]
                continue
            now = self._finer(j, level, left, number, cost)
            rows = self.counts[now[0]]
            suppressed = int(self.counts.sum()) - int(rows.sum())
            if suppressed and (not self.starred or suppressed > self.asked.most_suppressed):
                continue
            if int((now[2] * rows).sum()) + suppressed * self.full >= self.best:
                continue
            self._walk((*begun, level), *now)

    def _finer(self, j: int, level: int, left: Int64, number: Int64, cost: Int64) -> tuple[Int64, Int64, Int64]:
        """Return the types left in classes of k rows with one more column at a level, their classes and costs."""
        self.table.ask()
        self.steps += len(left)
        if self.steps > MOST_STEPS:
            raise Unreadable("the lattice is too large to be walked")
        cost = cost + self.paid[j][level][left]
        if level == self.heights[j]:
            return left, number, cost
        nodes = self.nodes[j][level][left]
        _, again = np.unique(number * (int(nodes.max(initial=0)) + 1) + nodes, return_inverse=True)
        again = again.reshape(-1)
        sizes = np.zeros(int(again.max(initial=-1)) + 1, np.int64)
        np.add.at(sizes, again, self.counts[left])
        kept = sizes[again] >= self.table.k  # [U3]
        return left[kept], again[kept], cost[kept]

    def _stand(self, vector: tuple[int, ...], left: Int64, number: Int64, cost: Int64) -> None:
        found = self._judged(vector, left, number, cost)
        if found is not None:
            self.best = min(self.best, found[0])

    def _judged(self, vector: tuple[int, ...], left: Int64, number: Int64, cost: Int64) -> tuple[int, int] | None:
        """Return the cost and the suppressed rows of the release that shows the types left, without failing classes."""
        rows = self.counts[left]
        starred = vector == self.top and any(self.top)
        required = self.asked.required
        if required is not None and len(left):
            _, again = np.unique(number, return_inverse=True)
            met = self._met(again.reshape(-1), left)[again.reshape(-1)]
            if starred and not met.all():
                return None
            left, cost, rows = left[met], cost[met], rows[met]
        total = int(self.counts.sum())
        out = total - int(rows.sum())
        suppressed = total if starred else out
        if suppressed > self.asked.most_suppressed or (out and not self.starred):  # [U2]
            return None
        if 0 < out < self.table.k and self.table.outliers == "forbid":
            return None
        if out and required is not None:
            gone = np.setdiff1d(np.arange(len(self.counts)), left)
            if not self._met(np.zeros(len(gone), np.int64), gone).all():
                return None
        return int((cost * rows).sum()) + out * self.full, suppressed

    def _met(self, number: Int64, types: Int64) -> NDArray[np.bool_]:
        """Return which classes meet every requirement, by the check's own reading of them."""
        required = self.asked.required
        assert required is not None
        classes = int(number.max(initial=-1)) + 1
        met = np.ones(classes, np.bool_)
        judged = Classes(required.domain, number.astype(np.int64), required.kinds[types], self.counts[types], classes)
        for model in required.models:
            met &= reading_of(model.name).judge(settings_of(model), judged).met
        return met
