"""A certificate's trees and cuts as the whole numbers that the program reads."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence
    from typing import Any

__all__ = ["numbers_of"]

KINDS = "CTSF"


def numbers_of(trees: Sequence[Mapping[str, Any]], components: Sequence[int] | None, t: int) -> list[int]:
    """Return trees as numbers, every list with its length before it.

    Parameters
    ----------
    trees : sequence of mapping
        As the certificate has them, read already.
    components : sequence of int or None
        Of every row type.
    t : int
        Number of row types.
    """
    found = [len(trees)]
    for tree in trees:
        part = tree["component"]
        # [B3] A leaf counts row types within the component.
        own = [i for i in range(t) if components is None or components[i] == part]
        found += [part, *_list(tree["instances"]), len(tree["cuts"])]
        for cut in tree["cuts"]:
            found += _cut(cut)
        found += _node(tree["tree"], own)
    return found


def _cut(cut: Mapping[str, Any]) -> list[int]:
    kind = cut["kind"]
    flat = {"C": ("instances",), "T": ("types", "instances"), "S": ("types",), "F": ("types", "part", "full")}[kind]
    found = [KINDS.index(kind)]
    for name in flat:
        found += [len(cut[name]), *cut[name]]
    return found + (_list(cut["pairs"]) if kind == "S" else [])


def _node(node: Mapping[str, Any], own: Sequence[int]) -> list[int]:
    if "instance" in node:
        return [1, node["instance"], *_node(node["closed"], own), *_node(node["open"], own)]
    moves = [(own[at], change) for at, change in node["prices"]]
    return [0, *_list(moves), *_list(node["weights"])]


def _list(lines: Sequence[Iterable[int]]) -> list[int]:
    return [len(lines), *(number for line in lines for number in line)]
