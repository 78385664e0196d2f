"""p-sensitivity as the check reads it: at least p different values in every class, NULL being one.

T. M. Truta, B. Vinay, "Privacy Protection: p-Sensitive k-Anonymity Property", ICDE Workshops 2006.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from incrowd.tables.verify.requirements.reading import Judged
from incrowd.tables.verify.requirements.rules import Distinct, Rules, column_of

if TYPE_CHECKING:
    from incrowd.tables.values import Domain
    from incrowd.tables.verify.requirements.counts import Classes
    from incrowd.tables.verify.requirements.reading import Settings


def judge(asked: Settings, classes: Classes) -> Judged:
    """Return which classes meet it, and the greatest p that all of them meet."""
    column = classes.column(asked["column"])
    values = column.distinct()
    found = values[column.shown]
    return Judged((values >= asked["p"]) | ~column.shown, int(found.min()) if found.size else None)


def rules(asked: Settings, domain: Domain) -> Rules:
    """Return the number of values."""
    return Rules((Distinct(**column_of(domain, asked["column"]), least=int(asked["p"])),), united=True)


def share_limit(asked: Settings) -> None:
    """Return None: it limits no value's share."""
    return
