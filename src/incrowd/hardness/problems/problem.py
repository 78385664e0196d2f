"""What every kind of source problem gives: reading a file, and a form for an instance's folder."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, NoReturn

from incrowd.errors import InputError
from incrowd.hardness.problems.limits import MOST_NAME, MOST_PARTS

__all__ = ["Given", "Labels", "Problem", "bad", "counted", "label", "labels_of", "names_of", "tuples"]

Labels = Mapping[str, tuple[str, ...]]


@dataclass(frozen=True, slots=True)
class Given:
    """A source problem as its reader gave it.

    The parts of `source` are numbered from 0. `labels` hold their names by kind of part: ``nodes``, ``elements`` ...
    """

    source: Any
    labels: Labels


class Problem:
    """A kind of source problem.

    Attributes
    ----------
    name : str
        As ``source.json`` names it.
    holds : str
        What a file of it holds, in a few words.
    """

    name: ClassVar[str]
    holds: ClassVar[str]

    def read(self, text: str) -> Given:
        """Return the problem that a text, the whole file, holds.

        InputError is raised if it holds none; the message names the line.
        """
        raise NotImplementedError

    def pack(self, source: Any) -> dict[str, Any]:
        """Return a source as plain values for JSON."""
        raise NotImplementedError

    def unpack(self, held: Any) -> Any:
        """Return the source that plain values stand for; nothing of them is believed.

        `held` is as read from JSON. InputError or PolicyError is raised if it stands for no source.
        """
        raise NotImplementedError

    def counts(self, source: Any) -> dict[str, int]:
        """Return how many parts of every kind a source has: the kinds of its labels."""
        raise NotImplementedError


def bad(what: str) -> NoReturn:
    """Refuse what ``source.json`` holds: InputError is always raised, and `what` is what is wrong with it."""
    raise InputError(f"source.json does not fit: {what}; make the instance again")


def counted(held: Any, name: str, least: int, most: int) -> int:
    """Return the whole number that an object of JSON has under a name.

    `held` is an object, if nobody changed it. InputError is raised if there is no whole number from `least` to `most`.
    """
    found = held.get(name) if isinstance(held, dict) else None
    if not isinstance(found, int) or isinstance(found, bool) or not least <= found <= most:
        bad(f"{name} must be a whole number from {least} to {most}")
    return found


def tuples(held: Any, name: str, most: int = MOST_PARTS, width: int | None = None) -> tuple[tuple[int, ...], ...]:
    """Return the lists of small whole numbers that an object of JSON has under a name.

    `held` is an object, if nobody changed it. There are at most `most` lists, and at most twice as many numbers in all
    of them together. Every list has `width` numbers; None: any number from 1. InputError is raised if it is anything
    else.
    """
    found = held.get(name) if isinstance(held, dict) else None
    if not isinstance(found, list) or len(found) > most or not all(isinstance(one, list) for one in found):
        bad(f"{name} must be a list of at most {most:,} lists")
    if sum(len(one) for one in found) > 3 * most or not all(
        isinstance(number, int) and not isinstance(number, bool) and abs(number) <= most
        for one in found
        for number in one
    ):
        bad(f"{name} must hold small whole numbers, and not too many")
    if width is not None and any(len(one) != width for one in found):
        bad(f"each of {name} must have {width} numbers")
    return tuple(tuple(one) for one in found)


def labels_of(held: Any, counts: Mapping[str, int]) -> Labels:
    """Return the labels that plain values stand for.

    `held` is as read from JSON: none, or all kinds of parts with a different name for every part, of which `counts`
    says how many there are of every kind. InputError is raised if it is anything else.
    """
    if held == {}:
        return {}
    if not isinstance(held, dict) or set(held) != set(counts):
        bad("labels must name " + ", ".join(counts))
    for kind, number in counts.items():
        names = held[kind]
        if not isinstance(names, list) or len(names) != number or len(set(map(str, names))) < number:
            bad(f"labels of {kind} must be {number} different names")
        if not all(isinstance(name, str) and 0 < len(name) <= MOST_NAME for name in names):
            bad(f"labels of {kind} must be names")
    return {kind: tuple(held[kind]) for kind in counts}


def label(labels: Labels, kind: str, number: int, other: str) -> str:
    """Return the name of a part, whose number counts from 0.

    `labels` are empty where the source's parts have none; `other` is what the part is called without a name.
    """
    return labels[kind][number] if kind in labels else other


def names_of(labels: Labels, kind: str, numbers: Sequence[int], prefix: str = "") -> list[str]:
    """Return the names of parts; without labels the prefix and the number, which counts from 0."""
    return [label(labels, kind, number, f"{prefix}{number}") for number in numbers]
