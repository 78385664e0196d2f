"""Rule (P2): a row of a class that it may leave would have been shown in any cheaper class that shows its values."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.tables.attack.expansion import excluded_by
from incrowd.tables.attack.joins import cheaper_pairs
from incrowd.tables.attack.leaving import leavable, may_leave

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

        def pairs():  # type: ignore[no-untyped-def]
            for found in cheaper_pairs(released, may_leave(released), 1, watch):
                kept = found.gain > least
                if kept.any():
                    yield (found.finer or (-1,))[0], found.source[kept], found.target[kept]

        found = excluded_by(released, pairs(), leavable(released))
        return found if not watch.stopped else found.cut()
