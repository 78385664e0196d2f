"""How much the walk of the lattice holds."""

from __future__ import annotations

from dataclasses import dataclass

__all__ = ["TUNING", "Tuning"]


@dataclass(frozen=True, slots=True)
class Tuning:
    """What is held while level vectors are looked at.

    Attributes
    ----------
    tables : int
        Grouped tables held at most, beside the whole one.
    entries : int
        Entries of all of them at most, in entries of the whole one.
    shrunk : float
        A table is held where it has at most this part of the entries of the one it was made from.
    """

    tables: int = 256
    entries: int = 16
    shrunk: float = 0.8


TUNING = Tuning()
