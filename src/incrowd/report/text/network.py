"""A measured network in words: what it means first, then the answer to what was asked."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING

from incrowd.networks.words import words_of
from incrowd.report.facts.network import verdict_facts
from incrowd.report.text.verdict import verdict_of_network

if TYPE_CHECKING:
    from incrowd.networks.answers import Measurement, Risks, Simulation


WIDTH = 100


def network_summary(found: Measurement | Risks | Simulation) -> str:
    """Return what an answer means for handing the network out, and the answer, for a reader new to the measure.

    `found` is the answer, with its graph. Lines have at most 100 characters, where words allow; labels stand only where
    the answer may name them.
    """
    verdict = verdict_of_network(verdict_facts(found))
    points = [f"  - {point}" for point in verdict.points]
    lines = [verdict.headline, *points, "", *words_of(found).splitlines()]
    return "\n".join(_filled(line) for line in lines)


def _filled(line: str) -> str:
    text = line.lstrip()
    indent = line[: len(line) - len(text)]
    more = indent + ("  " if indent else "")
    return textwrap.fill(
        text, WIDTH, initial_indent=indent, subsequent_indent=more, break_on_hyphens=False, break_long_words=False
    )
