"""Every word of a mask, alone and combined, against the list of all level vectors."""

from __future__ import annotations

import random

import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import Infeasible, PolicyError
from incrowd.tables.mask import Patterns
from incrowd.tables.mask.patterns import build
from oracle import masks
from oracle.masks_drawn import draw, mask
from oracle.tables import Asked
from properties.asking import held, policy_of
from seeds import how_many, seeds

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
    for seed in range(how_many(400, 5)):
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
    for seed in range(how_many(150, 2)):
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


@seeds(2000, 30)
def test_vectors_are_listed_and_searched_in_the_order_of_the_definition(seed):
    """What a solver asks of a mask, for which the order of a million vectors is looked at by no release."""
    drawn = draw(seed, depth=seed % 4)
    found = masks.vectors(drawn.spec, drawn.columns, drawn.heights)
    ordered = masks.by_cost(found, drawn.heights, drawn.costs, drawn.ties)
    for listed in (1 << 20, 0):
        patterns = Patterns.of(drawn.spec, drawn.columns, drawn.heights, list_up_to=listed)
        blocks = list(patterns.by_cost(drawn.costs, drawn.ties))
        assert [tuple(map(int, row)) for block in blocks for row in block.levels] == ordered
        paid = [int(cost) for block in blocks for cost in block.costs]
        assert paid == [masks.cost_of(vector, drawn.costs) for vector in ordered]
    assert patterns.count() == len(found)
    assert all(
        patterns.allows(v) == (v in set(found)) for v in masks.product(*(range(top + 1) for top in drawn.heights))
    )
    low = tuple(drawn.rng.randint(0, top) for top in drawn.heights)
    assert patterns.cheapest_above(low, drawn.costs) == masks.cheapest_above(found, low, drawn.heights, drawn.costs)
    assert not found or patterns.reach() == masks.reach(found, drawn.heights)


def test_masks_of_many_columns_are_counted_and_those_too_entangled_refused():
    pairs = [[f"a{j}", f"b{j}"] for j in range(30)]  # in the given order they would need 2 ** 30 states
    said = {"together": pairs, "full_suppression": False}
    assert Patterns.of(said, [*next(zip(*pairs, strict=True)), *(b for _, b in pairs)], [1] * 60).count() == 2**30 - 1
    with pytest.raises(PolicyError, match="too entangled"):
        build({"together": [["c0", "c1"], ["c2", "c3"]]}, [f"c{j}" for j in range(24)], [1] * 24, most=20)
    with pytest.raises(PolicyError, match="'a' has 128 levels"):
        Patterns.of({}, ["a"], [128])
