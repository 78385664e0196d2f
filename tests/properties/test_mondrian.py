"""Mondrian as told in plain Python: the same classes, row by row."""

from __future__ import annotations

import random
from collections import Counter
from fractions import Fraction

import pyarrow as pa
import pytest

import incrowd
from oracle import mondrian
from oracle.rules import test_of as rule_of
from oracle.tables import drawn
from properties.asking import ask, held
from seeds import how_many


def numbers(seed):
    """Rows of two columns of numbers, one of texts and a sensitive one."""
    rng = random.Random(f"mondrian {seed}")
    pools = [rng.sample(["1", "2", "2.5", "4", "7", "-3", "1e1", "30"], 5), [str(x) for x in rng.sample(range(50), 6)]]
    return [
        (*(rng.choice(pool) for pool in pools), rng.choice("xyz"), rng.choice("pqr"))
        for _ in range(rng.randint(12, 40))
    ]


@pytest.mark.parametrize("kind", ["strict", "relaxed", "under a rule"])
def test_ranges_are_those_of_the_classes_that_cuts_at_medians_leave(kind):
    for seed in range(how_many(12, 1)):  # some later ones have columns equally wide but for rounding
        rows = numbers(seed)
        table = pa.table({name: list(cells) for name, cells in zip("abcs", zip(*rows, strict=True), strict=True)})
        rules = ["l-diversity l=2 column=s kind=distinct"] if kind == "under a rule" else []
        tests = [rule_of(text, [{"s": row[3]} for row in rows]) for text in rules]
        k = 2 + seed % 3
        lines = [mondrian.Line([row[j] for row in rows], numeric=j < 2) for j in range(3)]
        allowed = lambda side, tests=tests: all(test([{"s": row[3]} for row in side]) for test in tests)
        parts = mondrian.parts(rows, k, lines, relaxed=kind == "relaxed", allowed=allowed)
        shown = Counter()
        for part in parts:
            cells = tuple(mondrian.label([row[j] for row in part], numeric=j < 2) for j in range(3))
            shown.update((*cells, row[3]) for row in part)
        release = incrowd.anonymize(
            table, quasi_identifiers=["a", "b", "c"], sensitive=["s"], numeric=["a", "b"], k=k, recoding="ranges",
            solver="mondrian:relaxed=yes" if kind == "relaxed" else "mondrian", require=rules,
        )  # fmt: skip
        found = Counter(tuple(row.values()) for row in release.table.to_pylist())
        if kind == "relaxed":  # equal rows fall on both sides: which, nobody can tell
            strip = lambda some: Counter(
                {row[:3]: sum(n for other, n in some.items() if other[:3] == row[:3]) for row in some}
            )
            found, shown = strip(found), strip(shown)
        assert found == shown
        changed = sum(
            n * sum(cell not in {row[j] for row in rows} for j, cell in enumerate(row[:3])) for row, n in found.items()
        )
        assert release.cost == changed


def test_with_labels_every_part_shows_the_cheapest_that_its_rows_share():
    for seed in range(how_many(60, 2)):
        hierarchies = [["a"], [], ["a", "b"]][seed % 3]
        asked = drawn(f"mondrian {seed}", rows=(14, 30), values=6, hierarchies=hierarchies, k=2 + seed % 2, copies=0.1)
        lines = [
            mondrian.Line([row[j] for row in asked.cells], asked.lines.get(name)) for j, name in enumerate(asked.quasi)
        ]
        cost = Fraction(0)
        for part in mondrian.parts(asked.cells, asked.k, lines):
            ways = [v for v in asked.vectors if len({asked.row_shown(row, v) for row in part}) == 1]
            cost += min(sum(asked.row_cost(row, v) for row in part) for v in ways)
        assert held(asked, ask(asked, "mondrian")) == cost
