"""An extract of adverse reaction reports that is made up: Table 5 runs on it where the published one is not at hand.

The paper prints no marginals of its data set Canada. What it says is kept: 324,489 reports of nine attributes, and the
names of these. All else is made up here: the values, their shares, what is missing, and that columns do not depend on
one another but for the missing measures, which are missing together.
"""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import InputError
from incrowd.reproduce.data_sets import CANADA

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from incrowd.reproduce.experiment import Experiment

__all__ = ["SAID", "made", "reports"]

SAID = (
    "MADE DATA: only the number of reports and the names of the columns are the paper's; values, shares and gaps are "
    "made up, so no sentence is judged; put the published reports.txt into --data, and leave out --made, for the rest"
)
SEED = 2013
# What each text column says, with its share in a thousand; the rest is empty.
SHARES = {
    "report_type": {"Spontaneous": 860, "Study": 110, "Published": 20, "Other": 10},
    "gender": {"Female": 560, "Male": 400, "Unknown": 40},
    "outcome": {"Unknown": 400, "Recovered": 270, "Not recovered": 150, "Recovering": 90, "Death": 70, "Sequelae": 20},
    "seriousness": {"Yes": 720, "No": 280},
    "reporter_type": {"Physician": 300, "Consumer": 280, "Pharmacist": 200, "Nurse": 90, "Other professional": 130},
    "source": {"Manufacturer": 600, "Community": 220, "Hospital": 140, "Other": 40},
}
# Of the numeric columns: mean, spread, least and greatest value, and the share in a thousand that is empty.
NUMBERS = {"age": (52, 20, 0, 104, 180), "weight": (73, 18, 2, 200, 640), "height": (167, 12, 40, 215, 760)}


def reports(rows: int, seed: int = SEED) -> Iterator[tuple[str, ...]]:
    """Yield made-up reports: nine texts each, in the order of the data set's columns.

    Parameters
    ----------
    rows : int
        How many, from 0.
    seed : int
        The same seed makes the same reports.

    Notes
    -----
    O(rows) time and memory.
    """
    rng = np.random.default_rng(seed)
    columns: dict[str, list[str]] = {}
    for name, shares in SHARES.items():
        parts = np.array([*shares.values(), max(1000 - sum(shares.values()), 0)], np.float64)
        drawn = rng.choice(len(parts), size=rows, p=parts / parts.sum())
        texts = [*shares, ""]
        columns[name] = [texts[i] for i in drawn.tolist()]
    gaps = rng.integers(0, 1000, rows)  # one draw for all: who gives no age gives no weight either
    for name, (mean, spread, least, most, empty) in NUMBERS.items():
        values = np.clip(np.rint(rng.normal(mean, spread, rows)), least, most).astype(np.int64)
        columns[name] = ["" if gap < empty else str(value) for value, gap in zip(values, gaps, strict=True)]
    yield from zip(*(columns[name] for name in CANADA.columns), strict=True)


def made(experiment: Experiment) -> Experiment:
    """Return the experiment on the made extract.

    Parameters
    ----------
    experiment : Experiment
        Of the data set Canada.

    Raises
    ------
    InputError
        If it is another.
    """
    if experiment.data is not CANADA:
        raise InputError("--made goes with canada alone; the other tables have their data, or a file that can be had")

    def reader(_: Path | None) -> Iterator[tuple[str, ...]]:
        return reports(CANADA.rows)

    data = dataclasses.replace(
        CANADA, name="an extract MADE UP in place of Canada's", file=None, source="nowhere", reader=reader, made=SAID
    )
    return dataclasses.replace(experiment, name=f"{experiment.name}-made", data=data)
