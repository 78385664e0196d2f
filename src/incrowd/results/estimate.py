"""What a job would take, as Python hands it out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.errors import count_of
from incrowd.memory import MB, in_words
from incrowd.report.document import Card, Document, Verdict
from incrowd.report.result import Result

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Estimate(Result):
    """What a job would take: memory, disk and time.

    Attributes
    ----------
    seconds
        By stage; None where nobody can say.
    measured
        The stages whose seconds are those of this run.
    factor
        How far off what is not measured may be, up or down.
    """

    rows: int
    row_types: int
    memory_mb: int
    disk_mb: float
    seconds: Mapping[str, float | None]
    measured: Sequence[str]
    factor: Mapping[str, int]
    solver: str
    version: str

    def __repr__(self) -> str:
        stages = {stage: taken for stage, taken in self.seconds.items() if stage != "total"}
        more = " and a search of unknown length" if None in stages.values() else ""
        seconds = sum(taken or 0 for taken in stages.values())
        memory = in_words(self.memory_mb * MB)
        return f"<Estimate of {count_of(self.rows, 'row')}: {memory} of memory, {seconds:.1f} s{more}>"

    def document(self, *, paper: bool = False) -> Document:
        """Return what every door shows of it."""
        sizes = f"{count_of(self.rows, 'row')}, {count_of(self.row_types, 'row type')}"
        cards = [
            Card(f"about {in_words(self.memory_mb * MB)}", "memory", f"at most; {self._within('memory')}"),
            Card(f"about {in_words(self.disk_mb * MB)}", "disk", self._within("disk")),
            *self._stages(),
        ]
        said = [f"{card.label}: {card.value}{f' ({card.hint})' if card.hint else ''}." for card in cards]
        last = "These seconds are for a machine as busy as now; a search may end before its time limit."
        title = f"Estimate of {count_of(self.rows, 'row')}"
        return Document(
            title,
            [f"{sizes}; nothing was released."],
            Verdict("told", "Nothing was searched. A release would take:", [*said, last]),
            cards,
        )

    def _stages(self) -> Iterator[Card]:
        for stage, seconds in self.seconds.items():
            if seconds is None:
                yield Card("not known", stage, f"{self.solver} has no time limit")
            else:
                yield Card(f"{seconds:.1f} s", stage, "measured" if stage in self.measured else self._within("seconds"))

    def _within(self, what: str) -> str:
        return f"within a factor of {self.factor[what]}"
