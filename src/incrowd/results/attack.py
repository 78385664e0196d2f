"""What a release was found to give away."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from incrowd.policy.python_words import lines_in_python
from incrowd.report.text.attack import attack_summary
from incrowd.report.text.words import count_of

if TYPE_CHECKING:
    from incrowd.tables.attack.answer import Inferences

__all__ = ["Attack"]


@dataclass(frozen=True, slots=True, eq=False)
class Attack:
    """What an attacker who knows how a release was made learns from it.

    Attributes
    ----------
    facts : dict
        Everything, as in ``--json``: names and numbers, never a cell.
    inferences : Inferences or None
        What is excluded, class by class, in codes; for those who hold the release. None for ranges, which are read by
        their labels alone.
    """

    facts: dict[str, Any]
    inferences: Inferences | None = field(repr=False)

    def __repr__(self) -> str:
        return (
            f"<Attack: values are excluded in {count_of(self.excluded_cells, 'cell')}, "
            f"{self.determined_cells:,} determined>"
        )

    @property
    def premises(self) -> dict[str, str]:
        """How each premise stands: ``valid``, ``bound``, ``settled``, ``program``; proven, assumed or no."""
        return dict(self.facts["premises"])

    @property
    def excluded_cells(self) -> int:
        """Hidden cells of which at least one value is excluded under proven premises."""
        return int(self.facts["excluded_cells"])

    @property
    def determined_cells(self) -> int:
        """Hidden cells whose value is known under proven premises."""
        return int(self.facts["determined_cells"])

    @property
    def claimed_cells(self) -> int:
        """Hidden cells of which at least one value is excluded under premises that are assumed."""
        return int(self.facts["claimed_cells"])

    @property
    def wrong(self) -> int | None:
        """Cells with a wrong inference under proven premises; None where no original was given."""
        return self.facts["wrong"]  # type: ignore[no-any-return]

    @property
    def claimed_wrong(self) -> int | None:
        """Cells with a wrong inference under assumed premises; None where no original was given."""
        return self.facts["claimed_wrong"]  # type: ignore[no-any-return]

    @property
    def insiders(self) -> dict[str, Any]:
        """What members of a class learn of the others in it."""
        return dict(self.facts["insiders"])

    @property
    def rules(self) -> list[dict[str, Any]]:
        """Counts by rule."""
        return list(self.facts["rules"])

    def summary(self) -> str:
        """Return it in words."""
        return lines_in_python(self.shell_summary())

    def shell_summary(self) -> str:
        """Return the summary in the words of the command line: options in place of keywords."""
        return attack_summary(self.facts)

    def _repr_html_(self) -> str:
        from incrowd.report.pages.cards import attack_card

        return attack_card(self.facts)

    def to_json(self) -> str:
        """Return the facts as ``--json`` prints them."""
        return json.dumps(self.facts, indent=2)
