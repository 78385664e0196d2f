"""A certificate's proof as the whole numbers that the program reads: every list with its length before it."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.proved.suggestions import halving, required_proof

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

    from numpy.typing import NDArray

    from incrowd.proved.requirements import Required


LISTS = {"C": ("instances",), "T": ("types", "instances"), "S": ("types",), "F": ("types", "part", "full")}


def numbers_of(claim: Mapping[str, Any], rows: NDArray[np.int64], required: Required | None = None) -> list[int]:
    """Return a certificate's proof as numbers.

    `claim` is a certificate by prices or by a matching, read already; `required` is what a certificate of version 12 is
    about. `rows` is (n, m + 1) int64: the values of the original rows, and the number of their other columns.
    """
    if required is not None and claim.get("version") == required.VERSION:
        return required_proof(required, claim, rows)
    if "matching" in claim:
        judged, told = [0], rows[:, :-1]
        if required is not None and claim.get("diverse"):
            # [M1]
            judged, told = halving(required.rules), required.told_apart(rows)
        return [2, *_matching(claim["matching"], told, judged)]
    prices, apart = claim["prices"], claim.get("components")
    head = [1, claim["parts"], len(prices), *prices, *([0] if apart is None else [1, *apart])]
    return head + _trees(claim.get("trees") or [], apart, len(prices))


def _matching(inner: Mapping[str, Any], rows: NDArray[np.int64], judged: Sequence[int]) -> list[int]:
    """Return a matching, its prices and sets row by row: the table's rows of a type are taken in order."""
    sets = inner["sets"]
    found = [inner["scale"], inner["divisor"], *judged, len(sets), *(one["price"] for one in sets)]
    # [T2]
    types = np.unique(rows, axis=0, return_inverse=True)[1].reshape(-1)
    free = {one: np.flatnonzero(types == one)[::-1].tolist() for one in set(inner["rows"])}
    at = {free[one].pop(): place for place, one in enumerate(inner["rows"])}
    for row in range(len(rows)):
        mine = [number for number, one in enumerate(sets) if at.get(row) in one["rows"]]
        found += [inner["prices"][at[row]] if row in at else 0, len(mine), *mine]
    return found


def _trees(trees: Sequence[Mapping[str, Any]], components: Sequence[int] | None, t: int) -> list[int]:
    found = [len(trees)]
    for tree in trees:
        # [B3] A leaf counts row types within the component.
        own = [i for i in range(t) if components is None or components[i] == tree["component"]]
        found += [tree["component"], *_list(tree["instances"]), len(tree["cuts"])]
        found += [number for cut in tree["cuts"] for number in _cut(cut)] + _node(tree["tree"], own)
    return found


def _cut(cut: Mapping[str, Any]) -> list[int]:
    lists = LISTS[cut["kind"]]
    found = [list(LISTS).index(cut["kind"]), *(number for name in lists for number in (len(cut[name]), *cut[name]))]
    return found + (_list(cut["pairs"]) if cut["kind"] == "S" else [])


def _node(node: Mapping[str, Any], own: Sequence[int]) -> list[int]:
    if "instance" in node:
        return [1, node["instance"], *_node(node["closed"], own), *_node(node["open"], own)]
    return [0, *_list([(own[at], change) for at, change in node["prices"]]), *_list(node["weights"])]


def _list(lines: Sequence[Iterable[int]]) -> list[int]:
    return [len(lines), *(number for line in lines for number in line)]
