"""What every kind of source problem gives: reading a file, and a form for an instance's folder."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, ClassVar, NoReturn

from incrowd.errors import InputError, PolicyError

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path


# What every question about a source problem gives: a solution is judged by its definition, and said in words.
@dataclass(frozen=True, slots=True)
class Told:
    """A solution in words.

    `sentence`: what it is, such as ``a cover by 3 sets``. `lines`: its parts, by the names that the source gave them.
    `facts`: the same for JSON.
    """

    sentence: str
    lines: tuple[str, ...]
    facts: dict[str, Any]


class Question:
    """A question about a source problem.

    `asked`: what a solution is, such as ``a cover``. `goal`: what the number asked for says, such as ``sets of the
    cover at most``; empty where none is asked for.
    """

    asked: ClassVar[str]
    goal: ClassVar[str] = ""

    def solves(self, source: Any, solution: Any) -> bool:
        """Return whether it is a solution at all, by the definition; `solution` is as the way back gives it."""
        raise NotImplementedError

    def meets(self, source: Any, solution: Any, goal: int | None) -> bool:
        """Return whether a solution, of which `solves` is true, is as good as asked for.

        `goal` is the number asked for.
        """
        return True

    def tell(self, source: Any, solution: Any, labels: Labels) -> Told:
        """Return a solution, of which `solves` is true, in words.

        `labels` are the names that the source's reader gave its parts, empty without.
        """
        raise NotImplementedError


# How large a source problem, and the table or network that is made of it, may be; asked before allocating.
MOST_BYTES = 1 << 22  # of a file
MOST_ITEMS = 5_000  # nodes, elements, variables, rows
MOST_PARTS = 50_000  # edges, sets, clauses, triples; and elements that the sets name together
MOST_NAME = 200  # characters of a name
MOST_CELLS = 4_000_000  # of a table that is made
MOST_JOINS = 4_000_000  # edges of a network that is made


def refuse_cells(rows: int, columns: int) -> None:
    """Refuse a table that would be too large.

    PolicyError is raised if there are more than four million cells; `rows` and `columns` are at least 0.
    """
    if rows * columns > MOST_CELLS:
        raise PolicyError(
            f"the table would have {rows:,} rows and {columns:,} columns, more than {MOST_CELLS:,} cells; "
            "take a smaller source problem"
        )


def refuse_joins(edges: int) -> None:
    """Refuse a network that would be too large.

    PolicyError is raised if there are more than four million edges; `edges` is at least 0.
    """
    if edges > MOST_JOINS:
        raise PolicyError(
            f"the network would have {edges:,} edges, more than {MOST_JOINS:,}; take a smaller source problem"
        )


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

    `name`: as ``source.json`` names it. `holds`: what a file of it holds, in a few words.
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


# The bytes of a source problem's file as numbered lines of words, without blank lines and comments.
COMMENTS = ("#", "%")
APART = re.compile(r"[\s,;]+")
DIMACS = re.compile(r"(?m)^[ \t]*p[ \t]+[a-z]")
DIGITS = re.compile(r"[+-]?[0-9]{1,9}\Z")
Words = list[tuple[int, list[str]]]


def bytes_of(path: Path, what: str, *, most: int = MOST_BYTES, then: str = "that is too large a problem") -> bytes:
    """Return the bytes of a file of a bounded size: at most `most`, four megabytes by default.

    `what` is what messages call the file, and `then` what the message says of a larger one. InputError is raised if the
    file cannot be read, is no ordinary file, or is larger.
    """
    try:
        if not path.is_file():
            raise InputError(
                f"{what} {path.name!r} is no file" if path.exists() else f"there is no {what} {path.name!r}"
            )
        with path.open("rb") as file:
            held = file.read(most + 1)
    except OSError as error:
        raise InputError(f"{what} {path.name!r} cannot be read: {error.strerror}") from None
    except ValueError:  # a zero byte in the path
        raise InputError(f"the name of {what} holds a zero byte") from None
    if len(held) > most:
        raise InputError(f"{what} {path.name!r} has more than {most >> 20} megabytes; {then}")
    return held


def text_of(held: bytes, what: str) -> str:
    """Return bytes of UTF-8, with or without a byte order mark, as a text.

    `what` is what messages call the file. InputError is raised if there is a zero byte, or they are not UTF-8.
    """
    if b"\0" in held:
        raise InputError(f"{what} is no text: it holds zero bytes")
    try:
        return held.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InputError(f"{what} is no UTF-8 text; convert it first") from None


def is_dimacs(text: str) -> bool:
    """Return whether a text has a problem line of DIMACS, such as ``p edge 5 7``."""
    return DIMACS.search(text) is not None


def words_of(text: str) -> Words:
    """Return the number and the words of every line that is neither blank nor a comment.

    Words stand between blanks, commas or semicolons; a comment begins with ``#`` or ``%``. InputError is raised if a
    word has more than 200 characters, or there are more than 100,000 lines.
    """
    return _cut(text, COMMENTS, APART.split)


def blank_words(text: str, marks: tuple[str, ...]) -> Words:
    """Return the number and the words of every line, words between blanks only.

    `marks` are what a comment begins with. InputError is raised as of `words_of`.
    """
    return _cut(text, marks, str.split)


def _cut(text: str, marks: tuple[str, ...], cut: Callable[[str], list[str]]) -> Words:
    found = []
    for number, line in enumerate(text.split("\n"), 1):
        bare = line.strip()
        if not bare or bare.startswith(marks):
            continue
        words = [word for word in cut(bare) if word]
        if any(len(word) > MOST_NAME for word in words):
            raise InputError(f"line {number} of the source holds a word of more than {MOST_NAME} characters")
        if words:
            found.append((number, words))
        if len(found) > 2 * MOST_PARTS:
            raise InputError(f"the source has more than {2 * MOST_PARTS:,} lines; that is too large a problem")
    return found


def whole(word: str, number: int, least: int, most: int, what: str) -> int:
    """Return the whole number that a word is.

    It lies from `least` to `most`. `number` is the line that the word stands in, and `what` is what it counts or names,
    both for the message. InputError is raised if the word is none (``nan``, a decimal), or out of range.
    """
    if not DIGITS.match(word) or not word.isascii():
        raise InputError(f"line {number} of the source: {what} must be a whole number")
    if not least <= int(word) <= most:
        raise InputError(f"line {number} of the source: {what} must be from {least} to {most}, not {int(word)}")
    return int(word)


class Names:
    """Names as numbers from 0, in the order in which they come.

    `what` is what is named, for messages: ``node``, ``element``. There may be at most `most` names.
    """

    def __init__(self, what: str, most: int) -> None:
        self.what, self.most = what, most
        self.place: dict[str, int] = {}
        self.closed = False

    def number(self, name: str, line: int) -> int:
        """Return the number of a name; a new one gets the next.

        `line` is where it stands, for the message. InputError is raised if the name is NaN, one too many, or new
        although all were declared.
        """
        if name.lower() == "nan":
            raise InputError(f"line {line} of the source: NaN is no name of {'an' if self.what[0] in 'aeiou' else 'a'} "
                             f"{self.what}")  # fmt: skip
        if name not in self.place:
            if self.closed:
                raise InputError(f"line {line} of the source names {self.what}s that were not declared")
            if len(self.place) >= self.most:
                raise InputError(f"the source has more than {self.most:,} {self.what}s; that is too large a problem")
            self.place[name] = len(self.place)
        return self.place[name]

    def labels(self) -> tuple[str, ...]:
        """Return the names by their numbers."""
        return tuple(self.place)
