"""What a command of `compare_runs.py` is, and the words that most commands share."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path

__all__ = ["DATA", "FEW", "IN", "ROLES", "WORK", "Command", "anonymize", "without"]

IN = "../../in/"
DATA = "../../data/"
WORK = ["--work", "400", "--seed", "7"]
ROLES = ["--qi", "age,sex,zip,job", "--identifier", "id"]
FEW = ["--qi", "age,sex,job", "--identifier", "id"]

Before = Callable[[Path, Path], None]


@dataclass
class Command:
    """One command: its name, what it is given, whose files it reads, and what is done to its folder before."""

    name: str
    arguments: list[str]
    before: Before | None = None
    stdin: str = "/dev/null"
    needs: set[str] = field(default_factory=set)

    def __post_init__(self) -> None:
        for word in self.arguments:
            for part in word.split("=")[-1:]:
                if part.startswith("../") and not part.startswith("../../"):
                    self.needs.add(part.split("/")[1])


def anonymize(name: str, table: str, *more: str) -> Command:
    """Return the command that releases a table into ``release.csv`` of its folder."""
    return Command(name, ["anonymize", table, "-o", "release.csv", *more])


def without(words: list[str], *options: str) -> list[str]:
    """Return the words without these options and their values."""
    kept, words = [], list(words)
    while words:
        word = words.pop(0)
        if word in options:
            words.pop(0)
        else:
            kept.append(word)
    return kept
