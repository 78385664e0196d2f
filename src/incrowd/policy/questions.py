"""What a job asks of its policy before it begins."""

from __future__ import annotations

from typing import TYPE_CHECKING

from incrowd.errors import InputError, PolicyError, count_of
from incrowd.tables.range_columns import ranged_names

if TYPE_CHECKING:
    from incrowd.policy.job import Policy


def complete(policy: Policy) -> Policy:
    """Return the policy itself, if it says enough to release a table.

    PolicyError is raised if it names no quasi-identifiers, no k, or no numbers for ranges.
    """
    if not policy.quasi_identifiers:
        _ = policy.roles  # says so
    if policy.k is None:
        raise PolicyError("k is not given: ask for one, as k = 5")
    if policy.recoding == "ranges" and not policy.numeric:
        raise PolicyError(
            "recoding=ranges shows numbers as ranges, but no quasi-identifier is declared numeric: declare one as "
            "numeric, or leave recoding out and give texts hierarchies"
        )
    if policy.recoding == "grid" and not ranged_names(policy):  # [G1]
        raise PolicyError("recoding=grid needs a numeric quasi-identifier without a hierarchy: name it as numeric")
    return policy


def star_of(policy: Policy) -> str | None:
    """Return the text of a star; None where suppressed cells become NULL."""
    return policy.star if policy.suppressed == "text" else None


def check_rows(policy: Policy, rows: int) -> None:
    """Refuse with an InputError a k above the number of the table's rows."""
    if policy.k is not None and policy.k > rows:
        raise InputError(f"k={policy.k} is more than the table's {count_of(rows, 'row')}; choose a smaller k")
