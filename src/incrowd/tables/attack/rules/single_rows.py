"""Rule (P2): a row of a class that it may leave would have been shown in any cheaper class that shows its values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.tables.attack.classes.departures import leavable, may_leave
from incrowd.tables.attack.classes.expansion import excluded_by, saving_more
from incrowd.tables.attack.classes.joins import CheaperPairs

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.attack.values import Exclusions, Premise, Released

__all__ = ["SingleRows"]


@dataclass(frozen=True, slots=True)
class SingleRows:
    """Values that an existing, cheaper class shows are none of a row that could have moved there; see `Rule`.

    Attributes
    ----------
    premise : {"settled", "bound"}
        Under ``settled`` any gain is enough; under ``bound`` it has to be more than what the release may lie above the
        least cost.

    References
    ----------
    papers/attacks.md, rule S1 (settled) and B1 (bound).
    """

    premise: Premise = "settled"

    @property
    def name(self) -> str:
        """Its name in the answer."""
        return "single_rows" if self.premise == "settled" else "single_rows_by_bound"

    def find(self, released: Released, slack: int, watch: Watch) -> Exclusions:
        """Return the values that cells cannot have had."""
        least = slack if self.premise == "bound" else 0
        pairs = CheaperPairs(released, may_leave(released), 1, watch)
        found = excluded_by(released, saving_more(pairs, least), leavable(released))
        return found if pairs.complete else found.cut()
