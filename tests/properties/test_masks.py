"""Every word of a mask, alone and combined, against the list of all level vectors."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import Infeasible, PolicyError
from oracle import masks
from oracle.masks_drawn import mask
from oracle.tables import Asked
from properties.asking import held, policy_of
from seeds import how_many

NAMES = ("age", "work", "edu", "sex")


def question(seed):
    """A table with a row for every level vector, in which no two rows share a value, and a mask."""
    rng = random.Random(f"mask {seed}")
    columns = rng.sample(NAMES, rng.randint(1, 4))
    heights = [rng.choice((1, 1, 2, 3)) for _ in columns]
    said = mask(rng, columns, dict(zip(columns, heights, strict=True)))
    every = list(masks.product(*(range(h + 1) for h in heights)))
    rows = [tuple(f"{name}{x}" for name in columns) for x in range(len(every))]
    lines = {
        name: [tuple(f"{name}{x}{'.' * level}" for level in range(h)) for x in range(len(every))]
        for name, h in zip(columns, heights, strict=True)
        if h > 1
    }
    asked = Asked(tuple(columns), rows, {"quasi_identifiers": list(columns), "k": 1, "mask": said}, lines)
    return asked, every


def test_a_check_counts_the_rows_whose_vector_a_mask_does_not_allow():
    for seed in range(how_many(400, 7)):
        asked, every = question(seed)
        original = pa.table({name: [row[j] for row in asked.rows] for j, name in enumerate(asked.columns)})
        shown = [asked.row_shown_as(row, vector) for row, vector in zip(asked.cells, every, strict=True)]
        released = pa.table({name: [row[j] for row in shown] for j, name in enumerate(asked.columns)})
        wrong = [vector for vector in every if vector not in asked.vectors]
        if not asked.vectors:
            with pytest.raises(PolicyError):
                incrowd.verify(original, released, **policy_of(asked))
            continue
        found = {one.rule: one.count for one in incrowd.verify(original, released, **policy_of(asked))}
        if "faithful" in found:  # a label of a column that the mask never changes is no label at all
            assert len(wrong) > 0 and found.get("mask", 0) <= len(wrong), seed
        else:
            assert found == ({"mask": len(wrong)} if wrong else {}), seed


@pytest.mark.parametrize("solver", ["exact", "greedy"])
def test_a_release_is_the_cheapest_that_a_mask_allows(solver):
    """A crowd of each pair of rows that agree nowhere but where a vector has them agree."""
    for seed in range(how_many(150, 9)):
        asked, _ = question(seed)
        rng = random.Random(seed)
        rows = []
        for x in range(3):
            first = tuple(f"{name}{x}" for name in asked.columns)
            differ = rng.sample(range(len(first)), rng.randint(1, len(first)))
            rows += [
                first,
                tuple(f"{name}{x + 3}" if j in differ else first[j] for j, name in enumerate(asked.columns)),
            ]
        if any(len(lines) < 6 for lines in asked.lines.values()) or not asked.vectors:
            continue
        said = {**asked.said, "k": 2, "outliers": rng.choice(("forbid", "suppress"))}
        tied = {  # values x and x + 3 have one label above
            name: [(line[0], *lines[x % 3][1:]) for x, line in enumerate(lines[:6])]
            for name, lines in asked.lines.items()
        }
        small = Asked(asked.columns, rows, said, tied)
        least = small.least()
        table = pa.table({name: [row[j] for row in rows] for j, name in enumerate(small.columns)})
        try:
            release = incrowd.anonymize(table, **policy_of(small), solver=solver)
        except Infeasible:
            assert least is None or solver == "greedy"
            continue
        cost = held(small, release)
        assert release.exact_lower_bound <= least <= cost
        if solver == "exact":
            assert cost == least
        assert release.facts["patterns_allowed"] == len(small.vectors)
