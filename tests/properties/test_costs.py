"""What a cell costs, by each name of a cost, by weights and by costs of one's own."""

from __future__ import annotations

import random

import pytest

from incrowd.errors import PolicyError
from incrowd.tables import column_counts
from oracle.tables import Asked, drawn
from properties.asking import answered, ask, held
from seeds import how_many

QUERIES = ((("a", "b"), 2, None), (("a",), 1, "s"), (("b", "c"), 3, "v"))


def numbers(seed, cost):
    """A column of numbers with a hierarchy of intervals beside texts."""
    rng = random.Random(f"{cost} {seed}")
    pool = rng.sample(["1", "2", "3.5", "7", "8", "20"], 5)
    rows = [(rng.choice(pool), rng.choice("xyz"), rng.choice("pq")) for _ in range(9)]
    lines = {"a": [(v, "low" if float(v) < 5 else "high") for v in sorted({row[0] for row in rows})]}
    return Asked(
        ("a", "b", "s"), rows, {"quasi_identifiers": ["a", "b"], "numeric": ["a"], "k": 2, "cost": cost}, lines
    )


@pytest.mark.few(3)
@pytest.mark.parametrize("cost", ["ncp", "levels", "cells", "entropy", "leaves"])
def test_numbers_cost_by_their_width_where_that_is_asked(cost):
    for seed in range(how_many(30, 1)):
        asked = numbers(seed, cost)
        answered(asked, "exact", asked.least())


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", ["by level", "by label", "by label, some"])
def test_costs_of_ones_own_are_what_a_release_costs(kind):
    for seed in range(how_many(30, 1)):
        plain = drawn(f"own {seed}", rows=(8, 9), values=5, hierarchies=["a", "b"], weights={"a": 2}, k=2)
        own = {}
        for name, lines in plain.lines.items():
            h = len(lines[0])
            if kind == "by level":
                own[name] = [*[0, "0.25", "0.5"][:h], "3/2"]
            else:
                own[name] = {"*": 2} | ({line[1]: "0.75" for line in lines if h > 1} if kind == "by label" else {})
            if kind == "by label" and h > 2:
                own[name] |= {line[2]: "1.5" for line in lines}
        asked = Asked(plain.columns, plain.rows, plain.said, plain.lines, own)
        answered(asked, ("exact", "ilp", "auto")[seed % 3], asked.least())


@pytest.mark.parametrize("solver", ["exact", "greedy"])
def test_a_workload_says_what_a_label_costs(solver, tmp_path):
    text = ""
    for columns, weight, target in QUERIES:
        names = ", ".join(f'"{name}"' for name in columns)
        text += f"[[query]]\ncolumns = [{names}]\nweight = {weight}\n" + (f'target = "{target}"\n' if target else "")
    (tmp_path / "work.toml").write_text(text)
    for seed in range(how_many(30, 1)):
        plain = drawn(f"workload {seed}", rows=(8, 9), values=4, hierarchies=["a"], k=2)
        said = {**plain.said, "cost": f"workload:{tmp_path / 'work.toml'}"}
        asked = Asked(plain.columns, plain.rows, said, plain.lines, queries=QUERIES)
        answered(asked, solver, asked.least())


def test_a_workload_of_too_many_pairs_of_values_is_refused(tmp_path, monkeypatch):
    (tmp_path / "work.toml").write_text('[[query]]\ncolumns = "a"\ntarget = "s"\n')
    monkeypatch.setattr(column_counts, "MOST_PAIRS", 2)
    plain = drawn("pairs of values", rows=(9, 9), k=2)
    asked = Asked(plain.columns, plain.rows, {**plain.said, "cost": f"workload:{tmp_path / 'work.toml'}"})
    with pytest.raises(PolicyError, match="'a' and 's' of the workload have too many pairs"):
        ask(asked, "greedy")


BLUNT = {
    1: (1.01, {"outliers": "suppress", "suppression_limit": 0.1}), 2: (1.03, {"require": ["l-diversity l=3/2 column=s"]}), 3: (1.1, {}),
}  # fmt: skip


@pytest.mark.few("2", "3")
@pytest.mark.parametrize("level", BLUNT)
def test_a_blunt_release_is_one_and_costs_no_more_than_its_level_allows(level):
    most, said = BLUNT[level]
    asked = drawn("blunt", columns=5, values=5, rows=(300, 300), k=3, copies=0.4, hierarchies=["a"], **said)
    sharp = ask(asked, "improve", work=100)
    releases = [ask(asked, "improve", work=100, blunt=level) for _ in range(how_many(8, 3))]
    for release in releases:
        cost = held(asked, release)
        assert sharp.exact_cost <= cost <= sharp.exact_cost * most
        assert release.exact_lower_bound == sharp.exact_lower_bound
        assert release.facts["seed"] is None
        assert release.facts["settled"] is False
    if level == 3:
        assert max(release.exact_cost for release in releases) > sharp.exact_cost


def test_a_value_of_few_rows_in_a_class_and_many_beside_it_is_shown_coarser_in_all():
    rows = [*((str(i), "x") for i in range(400)), *[("a", "x")] * 2, *[("a", "y")] * 300]
    asked = Asked(("a", "b"), rows, {"quasi_identifiers": ["a", "b"], "k": 2})
    assert [held(asked, ask(asked, "greedy", blunt=level)) for level in (None, 1, 3)] == [400, 402, 402]
