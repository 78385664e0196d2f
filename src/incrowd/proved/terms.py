"""The policy's part of the question that is put to the program."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from typing import Any

    from incrowd.tables.hierarchy import Fitted
    from incrowd.tables.roles import Roles
    from incrowd.tables.values import Outliers
    from incrowd.tables.verify.release.rules import Rules

__all__ = ["Asked"]


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Asked:
    """The policy's part of the question.

    Attributes
    ----------
    roles : Roles
    rules : Rules
    hierarchies : mapping of str to Fitted
    mask : mapping
        As a policy writes it.
    k : int
    outliers : {"forbid", "suppress"}
    text : collection of str
        Quasi-identifiers that were turned into text.
    star : str or None
    levels : bool
        Whether cells are changed by levels.
    judged : collection of str
        Columns that requirements look at.
    """

    roles: Roles
    rules: Rules
    hierarchies: Mapping[str, Fitted]
    mask: Mapping[str, Any]
    k: int
    outliers: Outliers
    text: Collection[str]
    star: str | None
    levels: bool
    judged: Collection[str] = ()
