"""The bytes of a source problem's file as numbered lines of words, without blank lines and comments."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from incrowd.errors import InputError
from incrowd.hardness.problems.limits import MOST_BYTES, MOST_NAME, MOST_PARTS

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

__all__ = ["Names", "Words", "blank_words", "bytes_of", "is_dimacs", "text_of", "whole", "words_of"]

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
