"""One input: a command line or a call, with the files that it reads; stored as JSON, so that it can be run again."""

from __future__ import annotations

import base64
import json
from dataclasses import dataclass, field, replace

__all__ = ["CANARY", "Case", "load", "stored"]

CANARY = "Zebedee4711"  # part of every cell that is nobody's business


@dataclass(frozen=True)
class Case:
    """An input, whole in itself.

    Attributes
    ----------
    kind : str
        Which part it tries: a key of `fuzz.kinds.KINDS`.
    words : tuple of str
        The command line after the program's name; empty for a call.
    call : tuple of (str, str)
        Name of the function and the source of its arguments, one each: ``k=2`` or ``TABLE``; see `fuzz.calls`.
    files : tuple of (str, bytes)
        What lies in the working folder, by base name.
    shown : bool
        Whether the answer may hold cells, as a release on standard output does.
    named : bool
        Whether cells may have become names of columns, which messages may hold: a first line was changed.
    """

    kind: str
    words: tuple[str, ...] = ()
    call: tuple[str, ...] = ()
    files: tuple[tuple[str, bytes], ...] = field(default=(), repr=False)
    shown: bool = False
    named: bool = False

    def with_file(self, name: str, data: bytes) -> Case:
        """The same with another file of that name."""
        return replace(self, files=tuple((n, data if n == name else held) for n, held in self.files))

    @property
    def size(self) -> int:
        """Bytes of its files and characters of its words."""
        return sum(len(data) for _, data in self.files) + sum(map(len, (*self.words, *self.call)))


def _text(data: bytes):
    """A file as JSON holds it: text where it is text."""
    try:
        return data.decode("utf-8")
    except UnicodeDecodeError:
        return {"base64": base64.b64encode(data).decode("ascii")}


def stored(case: Case, why: str) -> str:
    """The case as text of a file, with the sentence that says what it found."""
    held = {
        "why": why, "kind": case.kind, "words": list(case.words), "call": list(case.call),
        "files": {name: _text(data) for name, data in case.files}, "shown": case.shown,
        "named": case.named,
    }  # fmt: skip
    return json.dumps({key: value for key, value in held.items() if value}, indent=1) + "\n"


def load(text: str) -> Case:
    """The case that `stored` wrote."""
    held = json.loads(text)
    files = {
        name: data.encode("utf-8") if isinstance(data, str) else base64.b64decode(data["base64"])
        for name, data in held.get("files", {}).items()
    }
    return Case(
        held["kind"], tuple(held.get("words", ())), tuple(held.get("call", ())), tuple(files.items()),
        held.get("shown", False), held.get("named", False),
    )  # fmt: skip
