"""What a release's measures say, read off its rows by the definitions; and whether it is settled."""

from __future__ import annotations

import random
from collections import defaultdict

import pytest

from incrowd.errors import Infeasible
from oracle import measures
from oracle.tables import drawn
from properties.asking import ask, rows_of
from seeds import how_many

KINDS = {
    "stars": {},
    "stars, suppress": {"outliers": "suppress", "mask": {"max_stars": 1}},
    "hierarchies, suppress": {"hierarchies": ["c"], "outliers": "suppress", "mask": {"max_stars": 1}},
    "hierarchies": {"hierarchies": ["a", "b"]},
    "missing": {"nulls": True},
    "rules": {"require": ["l-diversity l=3/2 column=v"]},
}
SOLVERS = ("greedy", "improve", "mondrian", "auto")


def near(told, value):
    assert told == pytest.approx(float(value), rel=1e-9, abs=1e-12)


@pytest.mark.few(3)
@pytest.mark.parametrize("kind", KINDS)
def test_every_measure_is_what_its_definition_says(kind):
    for seed in range(how_many(60, 1)):
        rng = random.Random(f"{kind} {seed}")
        asked = drawn(f"{kind} {seed}", rows=(8, 24), values=4, k=rng.choice((2, 3)), **KINDS[kind])
        try:
            release = ask(asked, rng.choice(SOLVERS), work=300, keep_order=True)
        except Infeasible:  # such rows are drawn too
            continue
        rows = asked.explained(*rows_of(release.table), in_order=True)
        heights, outliers, told = asked.heights, asked.said.get("outliers", "forbid"), release.measures
        node_of = lambda j, level, value, asked=asked: asked.shown(j, value, level)
        n, cells = len(rows), len(rows) * len(heights)
        near(told["suppressed_cells"]["cells"], measures.suppressed_cells(rows, heights))
        near(told["suppressed_cells"]["fraction"], measures.suppressed_cells(rows, heights) / cells)
        near(told["changed_cells"]["cells"], measures.changed_cells(rows))
        near(told["changed_cells"]["fraction"], measures.changed_cells(rows) / cells)
        classes = measures.classes(rows, heights, outliers)
        assert told["classes"] == {
            key: value if key != "mean" or value is None else float(value) for key, value in classes.items()
        }
        assert told["discernibility"] == measures.discernibility(rows, heights, outliers)
        if classes["count"]:
            near(told["c_avg"], measures.c_avg(rows, heights, outliers, asked.k))
        near(told["usefulness"], measures.usefulness(rows, set()))
        near(told["ncp"], measures.ncp(rows, heights, node_of))
        near(told["loss"], measures.loss(rows, heights, node_of))
        near(told["precision"], measures.precision(rows, heights))
        bits, everything = measures.entropy(rows, node_of)
        near(told["entropy"]["bits"], bits)
        near(told["entropy"]["fraction"], bits / everything if everything else 0)
        risks = measures.risks(rows, heights, outliers)
        if risks:
            near(told["risks"]["prosecutor"], risks[0])
            near(told["risks"]["prosecutor_mean"], sum(risks) / len(risks))
            near(told["risks"]["marketer"], classes["count"] / (n - classes["outliers"]))
            for above in told["risks"]["above"]:
                rows_above = sum(risk > above["threshold"] for risk in map(float, risks))
                assert above["rows"] == rows_above
            assert told["risks"]["unique_rows"] == sum(risk == 1 for risk in risks)


def unsettled(asked, rows):
    """Whether one row could move to another class, or a class be shown otherwise, at less cost."""
    classes = defaultdict(list)
    for i, (_, vector, shown) in enumerate(rows):
        classes[shown].append((i, vector))
    top = (asked.star,) * len(asked.quasi)

    def may(shown, members):
        return (len(members) >= asked.k or (asked.suppress and shown == top)) and asked.meets(members)

    for shown, members in classes.items():
        mine = [i for i, _ in members]
        now = sum(asked.row_cost(asked.cells[i], vector) for i, vector in members)
        for vector in asked.vectors:
            if len({asked.row_shown(asked.cells[i], vector) for i in mine}) == 1:
                other = asked.row_shown_as(asked.cells[mine[0]], vector)
                joined = mine + [i for i, _ in classes.get(other, ()) if other != shown]
                if sum(asked.row_cost(asked.cells[i], vector) for i in mine) < now and may(other, joined):
                    return True
        for i, vector in members:
            rest = [x for x in mine if x != i]
            if rest and not may(shown, rest):
                continue
            for other, others in classes.items():
                there = others[0][1]
                fits = asked.row_shown_as(asked.cells[i], there) == other
                if other == shown or not fits or not may(other, [x for x, _ in others] + [i]):
                    continue
                if asked.row_cost(asked.cells[i], there) < asked.row_cost(asked.cells[i], vector):
                    return True
    return False


def test_a_release_that_is_called_settled_has_no_cheaper_move_of_one_row_or_class():
    called = 0
    for seed in range(how_many(150, 6)):
        rng = random.Random(f"settled {seed}")
        how = rng.choice(list(KINDS.values()))
        asked = drawn(f"settled {seed}", rows=(10, 40), values=4, k=rng.choice((2, 3, 4)), **how)
        release = ask(asked, rng.choice(("greedy", "improve", "mondrian", "forest" if not how else "greedy")), work=200)
        if release.facts["settled"]:
            called += 1
            assert not unsettled(asked, asked.explained(*rows_of(release.table))), seed
    assert called > 2
