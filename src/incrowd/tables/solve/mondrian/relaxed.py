"""Relaxed Mondrian under a name of its own."""

from __future__ import annotations

from dataclasses import dataclass, field

from incrowd.tables.solve.mondrian.mondrian import Mondrian

__all__ = ["MondrianRelaxed"]


@dataclass(frozen=True, kw_only=True)
class MondrianRelaxed(Mondrian):
    """`Mondrian` whose cuts halve the rows, equal values on both sides where need be.

    References
    ----------
    .. [1] K. LeFevre, D. DeWitt, R. Ramakrishnan, "Mondrian Multidimensional K-Anonymity", ICDE 2006, Section 3.2.
    """

    relaxed: bool = field(default=True, init=False)
    name: str = field(default="mondrian_relaxed", init=False)
    cites = ("LeFevreDeWittRamakrishnan2006",)
    summary: str = field(default="Mondrian that halves the rows, equal values on both sides if need be", init=False)
