"""What the inner problems of a bound under requirements read: instances, rules and small classes as flat arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from incrowd.loops import njit

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "DISTINCT",
    "ENTROPY",
    "EQUAL",
    "LINE",
    "RECURSIVE",
    "SHARES",
    "TRANSPORT",
    "TREE",
    "Lists",
    "Metrics",
    "by_kind",
    "largest_classes",
    "slots",
]

# Families of rules, as in `incrowd.tables.count_rules`; EQUAL is a tree in which every value is a node of its own.
SHARES, DISTINCT, TREE, LINE, TRANSPORT, ENTROPY, RECURSIVE, EQUAL = 0, 1, 2, 3, 4, 5, 6, 7
# What is lost in a few floating-point operations, with room to spare.
ROUNDING = 1e-12


class Lists(NamedTuple):
    """G instances with P pairs, R rules; the values that an instance has of a rule's column are its slots.

    Attributes
    ----------
    begins, members, counts, needs
        As in `Instances`; at least one row is needed everywhere.
    kinds : (t,) int64
        Combination of sensitive values of each type.
    rows : (G,) int64
        N(g).
    family, least : (R,) int64
    level : (R,) float64
        As the rule has it, at least the true one.
    equal : (R,) float64
        Closeness: the threshold of the equal distance that the rule implies; 1 or more: nothing.
    at : (R, P) int32
        Slot of each pair.
    first : (R, G + 1) int64
        Where an instance's slots begin.
    share : (slots,) float64
        SHARES: the share a value may have, at least the true one; closeness: the share it has in the table.
    total : (slots,) int64
        Rows of the table with the slot's value.
    value : (slots,) int32
        The value.
    n : int
        Rows of the table.
    whole_below : int
        Smaller classes are looked at in whole numbers.
    listed : bool
        Whether these are listed: the valid ones' rows per kind.
    vectors : (c, kinds) int16
    sizes : (c,) int64
        Their rows, not falling.
    large : (G,) bool
        Whether an instance may hold a valid class of `whole_below` rows or more.
    """

    begins: NDArray[np.int64]
    members: NDArray[np.int32]
    counts: NDArray[np.int64]
    needs: NDArray[np.int64]
    kinds: NDArray[np.int64]
    rows: NDArray[np.int64]
    family: NDArray[np.int64]
    least: NDArray[np.int64]
    level: NDArray[np.float64]
    equal: NDArray[np.float64]
    at: NDArray[np.int32]
    first: NDArray[np.int64]
    share: NDArray[np.float64]
    total: NDArray[np.int64]
    value: NDArray[np.int32]
    n: int
    whole_below: int
    listed: bool
    vectors: NDArray[np.int16]
    sizes: NDArray[np.int64]
    large: NDArray[np.bool_]


class Metrics(NamedTuple):
    """The rules' distances between all values of their columns, laid one behind the other.

    Attributes
    ----------
    value_at : (R + 1,) int64
        Where a rule's values begin in `share`.
    share : (values,) float64
        Closeness: the share of each value in the table.
    length : (values,) float64
        LINE: the step from each place to the next (0 after the last), at most the true one.
    node_at : (R + 1,) int64
    node : (sum of heights * values,) int64
        TREE: node of each value at each height.
    distance_at : (R + 1,) int64
    distance : (sum of values^2,) float64
        TRANSPORT, at most the true one.
    """

    value_at: NDArray[np.int64]
    share: NDArray[np.float64]
    length: NDArray[np.float64]
    node_at: NDArray[np.int64]
    node: NDArray[np.int64]
    distance_at: NDArray[np.int64]
    distance: NDArray[np.float64]


@njit(cache=True, nogil=True)
def largest_classes(begins, members, counts, rows, family, least, equal, at, first, share):  # type: ignore[no-untyped-def]
    """Return an upper estimate of the rows of each instance's largest valid class, shape (G,); 0: it has none.

    The arrays are as in `Lists`. It takes O(members + slots * steps of an iteration that falls to the answer).
    """
    found = rows.copy()
    for g in range(rows.size):
        for r in range(family.size):
            found[g] = _largest(
                family[r], least[r], equal[r], share[first[r, g] : first[r, g + 1]], at[r], first[r, g],
                begins[g], begins[g + 1], members, counts, found[g],
            )  # fmt: skip
    return found


@njit(cache=True, nogil=True)
def _largest(family, least, equal, share, at, first, begin, end, members, counts, most):  # type: ignore[no-untyped-def]
    """Return the most rows, up to `most`, that one rule allows an instance."""
    if family == DISTINCT:
        return most if share.size >= least else 0
    close = family in (TREE, LINE, TRANSPORT, EQUAL)
    if not (family == SHARES or (close and equal < 1.0)):
        return most
    held = np.zeros(share.size, np.int64)
    for x in range(begin, end):
        held[at[x] - first] += counts[members[x]]
    while most > 0:
        reached = 0.0
        for s in range(share.size):
            if family == SHARES:
                reached += min(held[s] * 1.0, np.floor(share[s] * most))
            else:
                reached += min(held[s] * 1.0, share[s] * most * (1.0 + ROUNDING))
        if close:
            reached = np.floor(reached / (1.0 - equal) * (1.0 + ROUNDING))
        if reached >= most:
            break
        most = np.int64(reached)
    return most


@njit(cache=True, nogil=True)
def by_kind(begins, members, kinds):  # type: ignore[no-untyped-def]
    """Return every instance's members sorted by kind, those of a kind in the order given; O(p log p).

    `begins`, (g + 1,) int64, says where the members of each instance begin in `members`, (p,) int32, which lists row
    types instance by instance. `kinds`, (t,) int32, is the kind of each type.
    """
    result = np.empty_like(members)
    for g in range(begins.size - 1):
        here = members[begins[g] : begins[g + 1]]
        order = np.argsort(kinds[here], kind="mergesort")
        for x in range(here.size):
            result[begins[g] + x] = here[order[x]]
    return result


@njit(cache=True, nogil=True)
def slots(begins, members, kinds, code, values, offset):  # type: ignore[no-untyped-def]
    """Return the slot of each pair, where every instance's slots begin, and their values, increasing in an instance.

    `begins` and `members` are those of the instances, and `kinds` is (t,) int64. `code`, (kinds,) int32, is the value
    of each kind, `values` the number of values, and `offset` the first slot. It takes O(pairs + slots log slots).
    """
    at = np.empty(members.size, np.int32)
    first = np.empty(begins.size, np.int64)
    found = np.empty(members.size, np.int32)
    place = np.full(values, -1, np.int64)
    size = 0
    for g in range(begins.size - 1):
        first[g] = offset + size
        count = 0
        for x in range(begins[g], begins[g + 1]):
            v = code[kinds[members[x]]]
            if place[v] < 0:
                place[v] = 0
                found[size + count] = v
                count += 1
        here = found[size : size + count].copy()
        order = np.argsort(here, kind="mergesort")
        for s in range(count):
            found[size + s] = here[order[s]]
            place[here[order[s]]] = size + s
        for x in range(begins[g], begins[g + 1]):
            at[x] = offset + place[code[kinds[members[x]]]]
        for s in range(count):
            place[found[size + s]] = -1
        size += count
    first[begins.size - 1] = offset + size
    return at, first, found[:size].copy()
