"""Tables, releases and certificates handed to the checker that is proved, as whole numbers. Nothing here is proved.

``check``         a release and its certificate: where the program is, what it is asked, and its answer in words
``question``      the policy, the table, the release and all else, as the program reads it; what columns show at levels
``requirements``  what classes are asked beside k as whole numbers
``proofs``        a certificate's prices, trees, cuts or matching as whole numbers
``suggestions``   rows' level vectors, multipliers and all else that the program need not believe
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Collection

    from incrowd.tables.roles import Roles
    from incrowd.tables.verify.release.groups import Rules


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Asked:
    """The policy's part of the question.

    `text`: quasi-identifiers that were turned into text. `levels`: whether cells are changed by levels. `judged`:
    columns that requirements look at.
    """

    roles: Roles
    rules: Rules
    text: Collection[str]
    star: str | None
    levels: bool
    judged: Collection[str] = ()
