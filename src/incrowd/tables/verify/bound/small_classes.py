"""Classes of few rows listed one by one: which numbers of rows per kind meet every requirement.

A kind is a combination of sensitive values. Only where there are few such vectors at all.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from incrowd.errors import InputError
from incrowd.tables.verify.requirements.counts import Classes
from incrowd.tables.verify.requirements.reading import reading_of
from incrowd.tables.verify.requirements.rules import Shares, keep_shares

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.values import Domain
    from incrowd.tables.verify.bound.rule_tables import Asked

    Int64 = NDArray[np.int64]

__all__ = ["MOST_VECTORS", "Vectors", "number_of_vectors", "vectors_of"]

MOST_VECTORS = 1 << 15  # [V6]


class Vectors(NamedTuple):
    """Numbers of rows per kind of small classes, those that are 0 left out.

    Attributes
    ----------
    listed : bool
        Whether they are listed: else there are too many, and nothing is said.
    kinds : int
    begins : (a + 1,) int64
    kind, times : (e,) int64
    size : (a,) int64
        Rows of each class.
    """

    listed: bool
    kinds: int
    begins: Int64
    kind: Int64
    times: Int64
    size: Int64


def number_of_vectors(counts: Int64, most: int) -> int:
    """Return how many vectors of whole numbers from 0 to `counts` have a sum of 1 to `most`.

    It stops counting where `MOST_VECTORS` is exceeded. `counts` (c,) holds the rows of each kind, and `most`, the
    largest sum, is at least 1.
    """
    if most <= 0:
        return 0
    if most == 1 or len(counts) > MOST_VECTORS:
        return len(counts)
    ways = np.zeros(most + 1, np.int64)  # by sum
    ways[0] = 1
    for count in counts.tolist():
        upto = np.cumsum(ways)
        upto[count + 1 :] -= np.cumsum(ways)[: max(most - count, 0)]
        ways = upto
        if int(ways.sum()) - 1 > MOST_VECTORS:
            break
    return int(ways.sum()) - 1


def vectors_of(asked: Sequence[Asked], domain: Domain, most: int) -> Vectors:
    """Return the vectors of 1 to `most` rows that meet every requirement, where there are few vectors in all.

    `asked` are the requirements read on the domain. A model of which two classes that meet it need not meet it together
    is asked by its rules alone: an instance may be left out for another one that takes its rows in. So is a class that
    a reading cannot decide.
    """
    counts, kinds = domain.counts, len(domain.counts)
    none = np.zeros(0, np.int64)
    if number_of_vectors(counts, most) > MOST_VECTORS:
        return Vectors(False, 0, np.zeros(1, np.int64), none, none, none)
    found: list[list[tuple[int, int]]] = [[]]
    rows = [0]
    for s, count in enumerate(counts.tolist()):
        for a in range(len(found)):
            for v in range(1, min(count, most - rows[a]) + 1):
                found.append([*found[a], (s, v)])
                rows.append(rows[a] + v)
    found, size = found[1:], np.array(rows[1:], np.int64)
    lengths = np.array([len(vector) for vector in found], np.int64)
    owner = np.repeat(np.arange(len(found)), lengths)
    flat = np.array([pair for vector in found for pair in vector], np.int64).reshape(-1, 2)
    met = np.ones(len(found), np.bool_)
    for one in asked:
        left = np.flatnonzero(met)
        if left.size:
            met[left] = _met(one, domain, owner, flat, left)
    keep = met[owner]
    begins = np.concatenate(([0], np.cumsum(lengths[met]))).astype(np.int64)
    kind, times = np.ascontiguousarray(flat[keep, 0]), np.ascontiguousarray(flat[keep, 1])
    return Vectors(True, kinds, begins, kind, times, size[met])


def _met(one: Asked, domain: Domain, owner: Int64, flat: Int64, left: Int64) -> NDArray[np.bool_]:
    """Return which of some vectors meet a requirement, as far as it may be asked."""
    number = np.full(int(owner.max(initial=-1)) + 1, -1, np.int64)
    number[left] = np.arange(left.size)
    here = number[owner] >= 0
    classes = Classes(domain, number[owner[here]], flat[here, 0], flat[here, 1], left.size)
    if one.says.united:
        try:
            return reading_of(one.name).judge(one.settings, classes).met
        except InputError:
            return np.ones(left.size, np.bool_)
    met = np.ones(left.size, np.bool_)
    for rule in one.says.rules:
        if isinstance(rule, Shares):
            met &= keep_shares(rule, classes)
    return met
