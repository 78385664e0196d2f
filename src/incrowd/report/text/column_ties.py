"""What is said of columns that pass unchanged although they tell a quasi-identifier. Made from the facts alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.report.text.words import and_, count_of

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["pairs_words", "tie_questions"]

WHY = {
    "tells": "rows with the same {kept} nearly always have the same {known}",
    "follows": "rows with the same {known} nearly always have the same {kept}, so it shows {known} more coarsely",
    "in_step": "{kept} and {known} go up and down together",
}
"""In the order in which one of them is said, the most telling first."""


def tie_questions(facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield a question for every column that passed unchanged and tells a quasi-identifier that was changed.

    The facts are as `incrowd.report.facts.release.facts_of` returns them, with ``column_ties``.
    """
    said: dict[tuple[str, str], list[str]] = {}
    for tie in facts.get("column_ties", ()):
        how = next(how for how in WHY if how in tie["how"])
        said.setdefault((tie["column"], how), []).append(tie["quasi_identifier"])
    for (kept, how), known in said.items():
        were = "was" if len(known) == 1 else "were"
        yield (
            f"Does {kept} give away what was hidden of {and_(known)}? It passed unchanged and {and_(known)} {were} "
            f"changed, but {WHY[how].format(kept=kept, known=and_(known))}. If so, drop {kept}, or make it a "
            "quasi-identifier."
        )


def pairs_words(facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield that some pairs of columns were not compared, of a wide table or an interrupted run.

    The facts are as for `tie_questions`, with ``column_pairs``.
    """
    pairs = facts.get("column_pairs")
    if pairs and pairs["looked_at"] < pairs["possible"]:
        yield (
            f"whether a column that passed unchanged tells a quasi-identifier was looked at for {pairs['looked_at']:,} "
            f"of {count_of(pairs['possible'], 'pair')} of columns"
        )
