"""Loss over the thresholds, as Python hands it out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, count_of, did_you_mean
from incrowd.policy.python_calls import lines_in_python

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True, slots=True)
class Tradeoff:
    """Loss over the thresholds; nothing was released, so nothing was verified.

    Attributes
    ----------
    facts : dict
        Everything, as in ``--json``; names and counts, never a cell. ``points`` holds one entry per solver and
        combination of thresholds.
    """

    facts: dict[str, Any]

    def __repr__(self) -> str:
        return f"<Trade-off of {count_of(self.facts['rows'], 'row')}: {count_of(len(self.points), 'point')}>"

    @property
    def points(self) -> list[dict[str, Any]]:
        """One entry per solver and combination: thresholds, cost, lower bound, gap, suppressed share, classes."""
        return list(self.facts["points"])

    @property
    def table(self) -> Any:
        """The points as an Arrow table."""
        import pyarrow as pa

        return pa.Table.from_pylist(
            [{**point, "l": _text(point["l"]), "t": _text(point["t"])} for point in self.points]
        )

    def plot(self, of: str = "cost") -> Any:
        """Draw cost and lower bound over k, or what releases give away over their cost.

        Parameters
        ----------
        of : {"cost", "attack"}
            ``cost``: a line per solver and other thresholds. ``attack``: a line per release, as it is and blunted,
            where ``attack=True`` was asked.

        Returns
        -------
        Drawing
            It shows itself in a notebook; ``.save("tradeoff.svg")`` writes it.

        Raises
        ------
        InputError
            If there is no such chart, or nothing was attacked.
        """
        from incrowd.report.pages.tradeoff import attack_chart, chart

        drawn = {"cost": chart, "attack": attack_chart}
        if of not in drawn:
            raise InputError(f"a trade-off has no chart {of!r}; it has cost and attack{did_you_mean(of, drawn)}")
        return drawn[of](self.facts)

    def summary(self) -> str:
        """Return the points as text."""
        return lines_in_python(self.shell_summary())

    def shell_summary(self) -> str:
        """Return the summary in the words of the command line: options in place of keywords."""
        from incrowd.report.text.tradeoff import tradeoff_summary

        return tradeoff_summary(self.facts)

    def to_json(self) -> str:
        """Return the facts as JSON."""
        return json.dumps(self.facts, indent=2, ensure_ascii=False)

    def report(self, path: str | Path) -> None:
        """Write table and curve as one HTML file.

        Parameters
        ----------
        path : str or Path
            Of the HTML file.

        Raises
        ------
        InputError
            If it cannot be written.
        """
        from incrowd.report.pages.page import write_page
        from incrowd.report.pages.tradeoff import tradeoff_page

        write_page(tradeoff_page(self.facts), path)

    def _repr_html_(self) -> str:
        from incrowd.report.pages.tradeoff import tradeoff_card

        return tradeoff_card(self.facts)


def _text(value: Any) -> str | None:
    return None if value is None else str(value)
