"""What a job would take, as Python hands it out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from incrowd.errors import count_of
from incrowd.memory import MB, in_words

if TYPE_CHECKING:
    from collections.abc import Iterable


@dataclass(frozen=True, repr=False)
class Estimate:
    """What a job would take: memory, disk and time.

    Attributes
    ----------
    facts : dict
        As in ``--json``: ``rows``, ``row_types``, ``memory_mb``, ``disk_mb``, ``seconds`` by stage (None where nobody
        can say), ``measured`` (the stages whose seconds are those of this run), ``solver``, and ``factor``: how far
        off what is not measured may be, up or down.
    """

    facts: dict[str, Any]

    def __repr__(self) -> str:
        stages = {stage: taken for stage, taken in self.facts["seconds"].items() if stage != "total"}
        more = " and a search of unknown length" if None in stages.values() else ""
        memory = in_words(self.facts["memory_mb"] * MB)
        seconds = sum(taken or 0 for taken in stages.values())
        return f"<Estimate of {self._asked()}: {memory} of memory, {seconds:.1f} s{more}>"

    def _repr_html_(self) -> str:
        from incrowd.report.pages.page import estimate_card

        return estimate_card(self.facts, f"Estimate of {self._asked()}")

    def _asked(self) -> str:
        """Return what was looked at."""
        return count_of(self.facts["rows"], "row")

    def to_json(self) -> str:
        """Return the facts as JSON."""
        return json.dumps(self.facts, indent=2, ensure_ascii=False)

    def summary(self) -> str:
        """Return the estimate in words."""
        return "\n".join(self._lines()) + "\n"

    def _lines(self) -> Iterable[str]:
        facts, factor = self.facts, self.facts["factor"]
        yield f"{count_of(facts['rows'], 'row')}, {count_of(facts['row_types'], 'row type')}; nothing was released."
        yield f"memory   about {in_words(facts['memory_mb'] * MB)} at most (within a factor of {factor['memory']})"
        yield f"disk     about {in_words(facts['disk_mb'] * MB)} (within a factor of {factor['disk']})"
        for stage, seconds in facts["seconds"].items():
            if seconds is None:
                told = f"not known: {facts['solver']} has no time limit"
            else:
                told = f"{seconds:8.1f} s" + ("  (measured)" if stage in facts["measured"] else "")
            yield f"{stage:8} {told}"
        yield (
            f"What is not measured is right within a factor of {factor['seconds']} on a machine as busy as now; a "
            "search may end before its time limit."
        )


class NetworkEstimate(Estimate):
    """What a question about a network would take: memory, disk and time.

    Its `facts` are as in ``--json``: ``nodes``, ``edges``, ``memory_mb``, ``disk_mb``, ``seconds`` by stage (None where
    nobody can say), ``measured`` and ``factor`` as for a table.
    """

    def _asked(self) -> str:
        """Return what was looked at."""
        return f"{count_of(self.facts['nodes'], 'node')} and {count_of(self.facts['edges'], 'edge')}"

    def _lines(self) -> Iterable[str]:
        facts, factor = self.facts, self.facts["factor"]
        yield f"{count_of(facts['nodes'], 'node')} and {count_of(facts['edges'], 'edge')}; nothing was searched."
        yield f"memory   about {in_words(facts['memory_mb'] * MB)} at most (within a factor of {factor['memory']})"
        yield f"disk     {in_words(facts['disk_mb'] * MB)} at most"
        seconds = facts["seconds"]
        yield f"read     {seconds['read']:8.1f} s  (measured)"
        if seconds["solve"] is None:
            yield "solve    not known: no time limit was asked for"
        else:
            yield f"solve    {seconds['solve']:8.1f} s  (its limit; a search may end before)"
