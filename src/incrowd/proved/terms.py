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
    from incrowd.tables.verify.release.groups import Rules


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Asked:
    """The policy's part of the question.

    `mask`: as a policy writes it. `text`: quasi-identifiers that were turned into text. `levels`: whether cells are
    changed by levels. `judged`: columns that requirements look at.
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
