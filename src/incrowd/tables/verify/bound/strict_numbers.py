"""What a certificate says, read strictly: whole numbers of a known size, lists of a known length, nothing else.

A certificate is somebody else's file. Nothing is built, added or multiplied from it before it went through here.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Mapping, Set

    from numpy.typing import NDArray


LIMIT = 2**61  # no number of a certificate reaches it

HEAD = frozenset({
    "certificate", "version", "for", "rows", "row_types", "k", "outliers", "scale", "cost", "lower_bound",
    "lower_bound_checked", "proof",
})  # fmt: skip
BESIDE = {  # the head, by name and version
    ("incrowd k-anonymity bound", 1): {"parts", "prices", "components", "trees"},
    ("incrowd k-anonymity bound", 2): {"requirements", "parts", "prices", "whole_below", "multipliers", "trees"},
    ("incrowd k-anonymity bound", 3): {"parts"},
    ("incrowd 2-anonymity bound", 1): {"diverse", "matching"},
    ("incrowd single recoding bound", 1): {"requirements", "most_suppressed", "levels", "suppressed_rows"},
    ("incrowd ranges bound", 1): {"column", "step", "parts", "prices"},
    ("incrowd ranges bound", 2): {"columns", "steps", "parts", "prices"},
}
INNER = {  # of an object that stands under a key, or in its list
    "trees": {"component", "instances", "cuts", "tree"},
    "matching": {"scale", "divisor", "rows", "prices", "sets"},
    "sets": {"rows", "price"},
}
CUTS = {"C": {"instances"}, "T": {"types", "instances"}, "S": {"types", "pairs"}, "F": {"types", "part", "full"}}
BRANCH, LEAF = {"instance", "closed", "open"}, {"prices", "weights"}

Int64 = np.ndarray[Any, np.dtype[np.int64]]


class Unreadable(Exception):
    """A certificate that is not one."""


@dataclass(frozen=True, slots=True)
class Head:
    """What every certificate begins with.

    `cost`, `lower_bound`, `checked`: as claimed, scaled. `certified`: whether the whole bound is claimed to be proven
    by the certificate itself. `wrong`: names of the claims that the tables refute.
    """

    cost: int
    lower_bound: int
    checked: int
    certified: bool
    wrong: tuple[str, ...]


def read_head(
    certificate: Mapping[str, Any], name: str, version: int, facts: Mapping[str, int | str], cost: int | None
) -> Head:
    """Return the head of a certificate, compared with what the tables say.

    It must have this `name` and this `version`, and it must repeat `facts` of the table and the policy. `cost` is the
    scaled cost of the release, recounted. May raise `Unreadable`.
    """
    # [H1]
    if certificate.get("certificate") != name or whole(certificate, "version") != version:
        raise Unreadable(f"it is no {name!r} of version {version}")
    known_keys(certificate, HEAD | BESIDE.get((name, version), set()))
    wrong = []
    for key, fact in facts.items():  # [H2]
        said = certificate.get(key) if isinstance(fact, str) else whole(certificate, key, below=2**63)
        if said != fact:
            wrong.append(key)
    # [H3]
    claimed, bound, checked = (whole(certificate, key) for key in ("cost", "lower_bound", "lower_bound_checked"))
    if certificate.get("proof") not in ("certificate", "solver"):  # [H5]
        raise Unreadable("proof is neither 'certificate' nor 'solver'")
    if cost is not None and cost != claimed:  # [H3]
        wrong.append("cost")
    if not checked <= bound <= claimed:  # [H4]
        wrong.append("lower_bound")
    return Head(claimed, bound, checked, certificate["proof"] == "certificate", tuple(wrong))


def known_keys(certificate: Mapping[str, Any], top: Set[str]) -> None:
    """Refuse keys that no certificate has where they stand, numbers with a point, and notes that are none [F2, F3].

    `top` are the certificate's own keys. Every value of the file is looked at once, also where one object stands at
    many places. The refusal is an `Unreadable`.
    """
    if not isinstance(certificate.get("for", ""), str) or type(certificate.get("diverse", False)) is not bool:
        raise Unreadable("'for' is no text, or 'diverse' neither true nor false")
    left: list[tuple[str, Any]] = [("", certificate)]
    seen: set[tuple[str, int]] = set()
    while left:
        place, value = left.pop()
        if (place, id(value)) in seen:
            continue
        seen.add((place, id(value)))
        if isinstance(value, list):
            if any(type(one) is float for one in value):
                raise Unreadable("a number has a point or an exponent")
            left += [(place, one) for one in value if isinstance(one, (list, dict))]
            continue
        known = _keys_at(place, value) if place else top
        if not set(value) <= known:
            raise Unreadable("it has a key that no certificate has there")
        if any(type(one) is float for one in value.values()):
            raise Unreadable("a number has a point or an exponent")
        left += [(key, one) for key, one in value.items() if isinstance(one, (list, dict))]


def _keys_at(place: str, value: Mapping[str, Any]) -> Set[str]:
    """Return the keys of an object that stands under a key; none where no object belongs."""
    if place == "cuts":
        kind = value.get("kind")
        return {"kind"} | CUTS.get(kind if isinstance(kind, str) else "", set())
    if place in ("tree", "closed", "open"):
        return BRANCH if "instance" in value else LEAF
    return INNER.get(place, set())


def whole(source: Mapping[str, Any], name: str, least: int | None = None, below: int = LIMIT) -> int:
    """Return a whole number of a mapping, its absolute value less than `below`.

    `source` is an object of the certificate, `name` is what messages call the number, and `least` the smallest that is
    taken. Raise `Unreadable` for anything else: fractions, texts, true and false, nothing at all.
    """
    value = source.get(name)
    if type(value) is not int or not -below < value < below:  # [F2, F4]
        raise Unreadable(f"{name} is no whole number")
    if least is not None and value < least:
        raise Unreadable(f"{name} is below {least}")
    return value


def numbers(value: Any, name: str, length: int | None = None, below: int = LIMIT) -> Int64:
    """Return a flat list of whole numbers, their absolute values less than `below`, as an array.

    The value comes from the certificate, and `name` is what messages call it. There must be `length` numbers, or any
    number of them where it is None. Raise `Unreadable` for anything else, or a list of another length.
    """
    if not isinstance(value, list) or (length is not None and len(value) != length):
        raise Unreadable(f"{name} is no list of {'' if length is None else f'{length} '}numbers")
    if not all(type(x) is int and -below < x < below for x in value):
        raise Unreadable(f"{name} holds something else than whole numbers")
    found: NDArray[np.int64] = np.array(value, np.int64)
    return found


def entries(source: Mapping[str, Any], name: str) -> list[Any]:
    """Return a list of a mapping, an object of the certificate, whatever the list holds. May raise `Unreadable`."""
    value = source.get(name)
    if not isinstance(value, list):
        raise Unreadable(f"{name} is no list")
    return value
