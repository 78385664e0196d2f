"""The claims of a certificate: form, sizes and names are checked before anything is built from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NoReturn

from incrowd.errors import InputError

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["QUESTIONS", "Claim", "Claims", "read_claims"]

FORMAT, VERSION = "incrowd-network-certificate", 1
QUESTIONS = {  # what is asked, and the kind of claims that can answer it
    "adim": "at_least",
    "profile": "at_least",
    "at_least": "at_least",
    "exactly": "exactly",
    "attackers": "attackers",
}
KINDS = ("at_least", "exactly", "attackers")
TOP = {"format", "version", "nodes", "edges", "question", "claims"}
LARGEST = 2**31 - 1  # no network has more nodes


@dataclass(frozen=True, slots=True)
class Claim:
    """One line of a certificate.

    Attributes
    ----------
    kind : str
        ``at_least``, ``exactly`` or ``attackers``.
    k : int
    members : tuple of int or None
        A set by index: its smallest crowd has `k` nodes (with ``at_least``: `k` or more).
    lower : int or None
        No set of that measure has fewer nodes; None: there is none at all (null with ``attackers``).
    allowed, lower_k : int
        With ``attackers``: so many of them reach no level below `lower_k`.
    """

    kind: str
    k: int
    members: tuple[int, ...] | None
    lower: int | None
    allowed: int = 0
    lower_k: int = 0

    @property
    def empty(self) -> bool:
        """Whether it says nothing: no set, and a bound that holds of every network."""
        return self.members is None and (self.kind == "attackers" or self.lower == 1)


@dataclass(frozen=True, slots=True)
class Claims:
    """A certificate after its form was checked.

    Attributes
    ----------
    nodes, edges : int
        Size of the network that it speaks of.
    question : str
    claims : tuple of Claim
    """

    nodes: int
    edges: int
    question: str
    claims: tuple[Claim, ...]


def read_claims(certificate: Mapping[str, Any]) -> Claims:
    """Check the form of a certificate, as JSON gives it, and return what it claims; nothing of it is believed.

    InputError is raised if it is no certificate of this version: a key missing or unknown, a kind or question unknown,
    a number that is no whole number of its range (a bool or 10.0 is none), a member named twice.
    """
    if not isinstance(certificate, dict) or certificate.get("format") != FORMAT:
        _unreadable("it should be the JSON object that `incrowd network --certificate` wrote")
    version = certificate.get("version")
    if not _whole(version, 0) or version != VERSION:
        _unreadable(f"its version should be {VERSION}, the only one known here")
    _keys(certificate, TOP, TOP, "it")
    for name in ("nodes", "edges"):
        if not _whole(certificate[name], 0, 2**62):
            _unreadable(f"{name!r} should be a whole number")
    question = certificate["question"]
    if not isinstance(question, str) or question not in QUESTIONS:
        _unreadable(f"its question should be one of {', '.join(QUESTIONS)}")
    claims = certificate["claims"]
    if not isinstance(claims, list):
        _unreadable("'claims' should be a list")
    return Claims(
        certificate["nodes"],
        certificate["edges"],
        question,
        tuple(_claim(c, f"claim {i}") for i, c in enumerate(claims, start=1)),
    )


def _claim(content: Any, where: str) -> Claim:
    if not isinstance(content, dict) or content.get("kind") not in KINDS:
        _unreadable(f"{where} should be an object whose kind is one of {', '.join(KINDS)}")
    kind = content["kind"]
    needed, known = {"kind", "k", "members", "lower"}, {"kind", "k", "members", "lower"}
    if kind == "attackers":
        needed, known = {"kind", "k", "members", "allowed", "lower_k"}, known | {"allowed", "lower_k"}
    _keys(content, needed, known, where)  # [N2]
    for name in sorted(needed & {"k", "allowed", "lower_k"}):
        if not _whole(content[name], 1):
            _unreadable(f"{name!r} of {where} should be a whole number from 1")
    lower = content.get("lower")
    if lower is not None and (kind == "attackers" or not _whole(lower, 1)):
        _unreadable(f"'lower' of {where} should be null" + ("" if kind == "attackers" else " or a whole number from 1"))
    members = content["members"]
    if members is not None:
        if not isinstance(members, list) or not all(_whole(x, 0) for x in members):
            _unreadable(f"'members' of {where} should be null or a list of node indices")
        if len(set(members)) != len(members):
            _unreadable(f"{where} names a member twice")
        members = tuple(members)
    return Claim(kind, content["k"], members, lower, content.get("allowed", 0), content.get("lower_k", 0))


def _keys(content: Mapping[str, Any], needed: set[str], known: set[str], what: str) -> None:
    missing = sorted(needed - content.keys())
    if missing:
        _unreadable(f"{what} lacks {missing[0]!r}")
    strange = len(content.keys() - known)
    if strange:
        _unreadable(f"{what} has {strange} key{'s' if strange > 1 else ''} that no certificate has")


def _whole(value: object, least: int, most: int = LARGEST) -> bool:
    """Tell whether a value is a whole number of a range; True and 10.0 are none."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _unreadable(why: str) -> NoReturn:
    raise InputError(f"the certificate cannot be read: {why}")
