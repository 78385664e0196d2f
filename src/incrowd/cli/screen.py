"""What people read, without the characters that move a terminal's cursor, change its colours or fake its lines.

A file from outside may have an escape sequence in a column's name, and a word of a command line may hold one.
"""

from __future__ import annotations

import os
import threading

import click

from incrowd.report.text.characters import visible

__all__ = ["in_one_line", "line_in_place", "show"]

LINE_ENDS = {0x09: "\u2409", 0x0A: "\u240a", 0x0D: "\u240d", 0x2028: "\u240a", 0x2029: "\u240a"}

CLEAR = "\r\x1b[K"  # to the line's beginning, and nothing on it

_bar: list[str] = []  # what stands in the terminal's last line, to be written over
_turn = threading.RLock()


def show(text: str, *, nl: bool = True, err: bool = False) -> None:
    """Write a text for people to standard output or standard error, with pictures for its control characters.

    The text's line ends stay. `nl` says whether a line end follows, and `err` that it goes to standard error.
    """
    with _turn:
        line_in_place("")
        click.echo(visible(text.replace("\r", LINE_ENDS[0x0D])), nl=nl, err=err)


def line_in_place(text: str) -> None:
    """Write a line to the terminal at standard error over the one that was written so before.

    `text` has no line ends; an empty one takes the line away. The cursor stays at its beginning, so that whatever else
    is written replaces it.
    """
    with _turn:
        if not text and not _bar:
            return
        _bar[:] = [text] if text else []
        shown = visible(in_one_line(text))
        try:
            os.write(2, f"{CLEAR}{shown}\r".encode() if text else CLEAR.encode())
        except OSError:  # nobody looks any more
            _bar.clear()


def in_one_line(text: str) -> str:
    """Return a sentence with pictures for its line ends and tabs too; it may repeat a name that was given."""
    return text.translate(LINE_ENDS)
