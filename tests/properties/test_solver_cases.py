"""Tables made by hand or known from papers and data sets: what their least release costs, and what a solver says of them."""

from __future__ import annotations

import functools
import itertools
import json
import random

import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import Infeasible, PolicyError, SolverDeclined
from incrowd.tables.solve.exact.exact import Exact
from oracle.tables import Asked
from properties.asking import EXACT, SOLVERS, answered, ask, held
from seeds import how_many

GAP = [(2, 2, 2, 1), (2, 0, 1, 2), (1, 2, 1, 1), (0, 0, 0, 1), (1, 1, 1, 0), (0, 2, 2, 0), (0, 2, 1, 2)]


def asked_of(rows, secret=None, lines=None, **said):
    """Rows of numbers as a question, each with a sensitive value where there are any."""
    names = tuple(f"c{j}" for j in range(len(rows[0])))
    cells = [tuple(map(str, row)) for row in rows]
    if secret is not None:
        cells = [(*row, value) for row, value in zip(cells, secret, strict=True)]
    more = {} if secret is None else {"sensitive": ["s"]}
    columns = names if secret is None else (*names, "s")
    return Asked(columns, cells, {"quasi_identifiers": list(names), **more, **said}, lines or {})


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("solver", "copies"), [("matching", 3), ("matching", 5), ("matching_local", 1), ("matching_local", 3)]
)
def test_where_no_prices_meet_the_optimum_the_certificate_proves_less_and_says_so(solver, copies):
    """The linear program with every odd set has 18 2/3 a copy, the least is 19; twelve equal columns tell copies apart."""
    asked = asked_of([(*row, *[c] * 12) for c in range(copies) for row in GAP], k=2)
    release = ask(asked, solver)
    assert held(asked, release) == 19 * copies == release.exact_lower_bound
    assert (release.proof, release.certificate()["lower_bound"]) == ("solver", 19 * copies)


KEPT = {"mask": {"keep": ["c0"], "full_suppression": False}}
SHOWN = {"mask": {"max_stars": 0}, "outliers": "suppress"}
RULE = {"require": ["l-diversity l=2 column=s"]}
HARD = [  # rows, what is asked, what the least release costs
    ([(i, i, i) for i in range(7)], {}, "21"),
    ([(3, 1)] * 2, {}, "0"),
    ([(3, 1)] * 7, {}, "0"),
    ([(3, 1)], {"k": 1}, "0"),
    ([(i, i % 2) for i in range(10)], {"weights": {"c0": "1/1000", "c1": 5}}, "1/100"),
    ([(0, 0), (1, 1)], {"weights": {"c0": 10**12, "c1": 10**12}}, "4000000000000"),
    ([(0, 0, 0), (0, 0, 1), (5, 5, 5)], {"mask": {"max_stars": 1}, "outliers": "suppress"}, "5"),
    ([(0, 0, 0), (0, 0, 1), (5, 5, 5)], {"mask": {"max_stars": 1}}, "9"),
    ([(i // 3, i) for i in range(9)], {**KEPT, "k": 3}, "9"),
    ([(i, 0) for i in range(6)], SHOWN, "12"),
    ([(i, 0) for i in range(6)], {**SHOWN, "suppression_limit": 0.5}, "None"),
    ([(i // 2, 0) for i in range(6)], {**SHOWN, **RULE}, "0"),
    *((rows, {**KEPT, **rule}, "None")
      for rows in ([(i, 0) for i in range(6)], [(i // 2, i) for i in range(7)]) for rule in ({}, RULE)),
]  # fmt: skip


@functools.lru_cache
def hard(place):
    rows, said, least = HARD[place]
    asked = asked_of(rows, "ababababab"[: len(rows)], **{"k": 2, **said})
    assert str(asked.least()) == least
    return asked, asked.least()


@pytest.mark.parametrize("solver", SOLVERS)
def test_tables_that_are_hard_to_please(solver):
    for place in range(len(HARD)):
        asked, least = hard(place)
        release = answered(asked, solver, least)
        assert release is None or solver not in EXACT or release.optimal
        if HARD[place][1] == KEPT and solver in ("matching", "matching_textbook"):
            with pytest.raises(Infeasible) as refused:
                ask(asked, solver)
            assert refused.value.proven


@pytest.mark.few("None")
@pytest.mark.parametrize("most", [5, None])
def test_pairs_of_many_columns_cost_what_differs_or_all_stars(most):
    rng = random.Random(5)
    rows = [[rng.randrange(3) for _ in range(18)] for _ in range(21)]
    rows[1::2] = [
        [rng.randrange(3) if j < 2 + i else x for j, x in enumerate(row)] for i, row in enumerate(rows[:-1:2])
    ]
    asked = asked_of(rows, k=2, **({} if most is None else {"mask": {"max_stars": most}}))
    release = ask(asked, "matching")
    # the rows of a class differ in at most `most` columns, or show stars alone
    stars = [list(row.values()).count("*") for row in release.table.to_pylist()]
    assert all(n <= (most or 18) or n == 18 for n in stars)
    assert release.optimal and sum(stars) == release.cost


def hospital():
    """Table 1 of Liang and Yuan: digits of ZIP and age as columns of their own."""
    lines = [
        "98765 38 B v", "98654 39 D h", "98543 32 M h", "97654 65 B c", "96689 45 B v",
        "97427 33 B v", "96552 54 B h", "97017 69 D c", "97023 55 M c", "97009 62 B c",
    ]  # fmt: skip
    rows = [list(line.replace(" ", "")) for line in lines]
    return [row[:-1] for row in rows], [row[-1] for row in rows]


def test_the_optima_of_liang_and_yuans_table():
    rows, secret = hospital()
    for rules, k, least in (
        (("t-closeness t=0.1 column=s",), 1, 64),
        ((), 3, 54),
        (("l-diversity l=2 column=s",), 1, 50),
    )[: how_many(3, 2)]:
        asked = asked_of(rows, secret, k=k, **({"require": list(rules)} if rules else {}))
        release = ask(asked, "subset_dp")
        assert held(asked, release) == least and release.optimal
        if rules:
            assert release.certificate()["proof"] == "certificate"


def test_a_label_alone_under_the_next_makes_no_one_else_pay_for_it():
    """18 rows by country and age; three countries share a region, the fourth is alone in its own: a level up for nothing.

    With the neighbouring age every row pays 3 of 21, with the region most pay 14.
    """
    rows, secret = [], []
    for age in range(8):
        rows += [(0, age), (1 + age // 2 % 2, age)]
        secret += ["ab"[age % 2], "ba"[age % 2]]
    lines = {"c0": [("0", "r"), ("1", "r"), ("2", "r"), ("3", "q")], "c1": [(str(a), f"d{a // 2}") for a in range(8)]}
    own = {"c0": {"r": 14, "q": 0, "*": 21}, "c1": {**{f"d{a}": 3 for a in range(4)}, "*": 21}}
    asked = asked_of([*rows, (3, 0), (3, 0)], [*secret, "a", "b"], lines, k=2, outliers="suppress",
                     require=["l-diversity l=2 column=s kind=distinct"])  # fmt: skip
    asked = Asked(asked.columns, asked.rows, asked.said, lines, own)
    for more in ({}, {"time_limit": 0}):  # the first walk through the patterns is finished whatever the time
        assert held(asked, ask(asked, "greedy", **more)) == 16 * 3


def test_a_row_of_a_rare_value_is_lent_where_that_saves_more():
    rows = [[0, 0, 0]] * 8 + [[0, 1, 1]] * 4 + [[0, 2, 2]] * 4
    asked = asked_of(
        rows, ["a"] * 8 + ["a", "b", "b", "b"] * 2, k=2, require=["l-diversity l=2 column=s kind=distinct"]
    )
    assert held(asked, ask(asked, "greedy")) < 3 * 8


def test_rows_of_stars_are_judged_as_a_class():
    rows, rule = [[0, 0]] * 4 + [[1, 1]], ["l-diversity l=2 column=s kind=distinct"]
    asked = asked_of(rows, "ababa", k=2, outliers="suppress", require=rule)
    held(asked, ask(asked, "greedy"))
    assert ask(asked_of(rows, "ababa", k=2, outliers="suppress"), "greedy").facts["outliers"] == 1


def test_what_no_release_can_meet_is_named_and_what_was_not_found_is_no_proof():
    asked = asked_of([[0], [0], [1]], "aab", k=1, require=["t-closeness t=1 column=s", "l-diversity l=2 column=s"])
    for solver in ("greedy", "subset_dp", "exact", "improve"):
        with pytest.raises(Infeasible, match="l-diversity l=2 column=s") as refused:
            ask(asked, solver)
        assert refused.value.proven and refused.value.requirement == "l-diversity l=2 column=s"
    mask = {"keep": ["c0"], "full_suppression": False}
    with pytest.raises(Infeasible, match="though one may exist") as refused:
        ask(asked_of([[0], [0], [1], [1]], "aabb", k=1, mask=mask, require=["l-diversity l=2 column=s"]), "greedy")
    assert not refused.value.proven


def test_what_joined_classes_need_not_meet_proves_nothing():
    """Nine rows of one value beside one of another: no class, but two, the second of which another instance takes in."""
    secret = ["1"] * 9 + ["2"] + ["1"] + ["2"] * 9 + ["3"] * 10
    rows = [(0, 0)] * 10 + [(i, i) for i in range(1, 21)]
    asked = asked_of(rows, secret, k=1, require=["delta-disclosure delta=1.0987 column=s"])  # just above ln 3
    for more in ({"work": 300}, {"time_limit": 0.3}):
        release = ask(asked, "improve", **more)
        assert release.exact_lower_bound <= 1 <= held(asked, release)  # one row that shows a star is a release


def test_deep_chains_of_many_rows_agree_with_the_general_solver():
    for seed in range(how_many(12, 1)):
        rng = random.Random(f"chain {seed}")
        m = rng.randint(3, 6)
        rows = [[rng.randrange(3) for _ in range(m)] for _ in range(rng.randint(40, 110))]
        nested = [[f"c{j}" for j in range(m - i, m)] for i in range(m + 1)]
        asked = asked_of(
            rows, k=rng.randint(2, 7), mask={"patterns": nested}, outliers=("forbid", "suppress")[seed % 2]
        )
        release = ask(asked, "chain")
        assert held(asked, release) == held(asked, ask(asked, "exact"))
        assert release.optimal


def test_odd_numbers_of_rows_far_apart_need_changes_of_triples():
    for seed in range(how_many(60, 2)):
        rng = random.Random(f"triples {seed}")
        m = rng.randint(4, 6)
        asked = asked_of([[rng.randrange(3) for _ in range(m)] for _ in range(rng.randint(7, 23))], k=2)
        assert held(asked, ask(asked, "matching_local")) == held(asked, ask(asked, "matching"))


def test_threads_change_nothing():
    rng = random.Random(6)
    asked = asked_of([[min(int(rng.paretovariate(0.6)), 12) for _ in range(6)] for _ in range(150)], k=7)
    one, two = (ask(asked, f"greedy:threads={n}") for n in (1, 2))
    assert one.table.equals(two.table) and one.exact_lower_bound == two.exact_lower_bound


@pytest.mark.few(1)
@pytest.mark.parametrize(("k", "least"), [(25, 13722), (10, 11462), (100, 14730)])
def test_cmc_with_two_stars_has_its_known_optimum(data_dir, k, least):
    names = (data_dir / "cmc.data").read_text().partition("\n")[0].split(",")
    release = incrowd.anonymize(
        data_dir / "cmc.data", quasi_identifiers=names, k=k, outliers="suppress", mask={"max_stars": 2}, solver="exact",
        delimiter=",",
    )  # fmt: skip
    assert (release.cost, release.exact_lower_bound, release.proof) == (least, least, "certificate")


ADULT = [
    "age",
    "workclass",
    "fnlwgt",
    "education",
    "education-num",
    "marital-status",
    "occupation",
    "relationship",
    "race",
    "sex",
    "capital-gain",
    "capital-loss",
    "hours-per-week",
    "native-country",
    "salary-class",
]
ADULT_2 = [
    "age",
    "workclass",
    "education",
    "marital-status",
    "occupation",
    "race",
    "sex",
    "native-country",
    "salary-class",
]
MASK = {
    "max_stars": 2, "keep": ["education", "salary-class"], "together": [["workclass", "occupation"]],
    "at_most_one": [["age", "sex", "race"]],
}  # fmt: skip


@pytest.mark.proofs
@pytest.mark.parametrize(
    ("quasi", "asked", "bound", "cost"),
    [
        (ADULT_2, {"k": 5, "solver": "greedy"}, 34509, 40_100),
        (ADULT_2, {"k": 100, "solver": "greedy"}, 68587, None),
        ([name for name in ADULT if name != "fnlwgt"], {"k": 5, "solver": "greedy"}, 64030, None),
        (ADULT_2, {"k": 5, "outliers": "suppress", "solver": "improve", "work": 1}, 37500, 40_000),
        (ADULT_2, {"k": 100, "outliers": "suppress", "mask": MASK, "solver": "exact"}, 197421, 197421),
    ],
)
def test_adult_has_the_bounds_known_from_before(data_dir, quasi, asked, bound, cost):
    release = incrowd.anonymize(
        data_dir / "adult.data", header=False, columns=ADULT, quasi_identifiers=quasi, other="drop", **asked
    )
    assert release.exact_lower_bound == bound if asked["solver"] != "improve" else release.exact_lower_bound >= bound
    assert cost is None or release.cost <= cost


@pytest.mark.proofs
@pytest.mark.parametrize(("rows", "most"), [(2_000, 1_520), (30_162, 7_700)])  # ARX's best setting of the whole: 9,304
def test_arx_adult_with_its_hierarchies_loses_little_under_three_occupations(rows, most, data_dir, tmp_path):
    folder = data_dir / "arx"
    lines = (folder / "adult.csv").read_text().splitlines(keepends=True)
    (tmp_path / "adult.csv").write_text("".join(lines[: rows + 1]))
    quasi = ["sex", "age", "race", "marital-status", "education", "native-country", "workclass", "salary-class"]
    release = incrowd.anonymize(
        tmp_path / "adult.csv", quasi_identifiers=quasi, sensitive=["occupation"], k=5, outliers="suppress",
        hierarchies={name: str(folder / f"adult_hierarchy_{name}.csv") for name in quasi}, solver="greedy",
        require="l-diversity l=3 column=occupation kind=distinct",
    )  # fmt: skip
    assert release.cost < most


def test_nursery_is_closed_by_counting_alone():
    rows = list(itertools.product(*map(range, (3, 5, 4, 4, 3, 2, 3, 3))))
    for k, stars in ((100, 4), (5, 1))[: how_many(2, 1)]:
        asked = asked_of(rows, k=k)
        release = incrowd.anonymize(pa.table({f"c{j}": [str(row[j]) for row in rows] for j in range(8)}), **asked.said)
        assert release.cost == release.exact_lower_bound == 12960 * stars
        assert release.certificate()["proof"] == "certificate"


WIDE = [[random.Random(f"{i} {j}").randrange(50) for j in range(16)] for i in range(3000)]
LONG = [[i, i // 2] for i in range(20_000)]
FREE = [[random.Random(i).randrange(4) for i in range(5 * n, 5 * n + 5)] for n in range(24)]
DECLINED = {
    "other k": ("matching", FREE, {"k": 3}, "k=2 only"),
    "digits": ("matching", [[0, 0], [1, 1]], {"weights": {"c0": 3, "c1": 10**12}}, "digits"),
    "patterns": ("exact", WIDE, {"k": 5}, "65,536 patterns"),
    "memory": ("ilp", WIDE, {"k": 5}, "GB of memory"),
    "sets of instances": ("two_phase", FREE, {"k": 3}, "sets of instances"),
    "thousands of rows": ("subset_dp", WIDE, {}, "14 rows, not 3000"),
    "fourteen rows": ("subset_dp:recursion=halves", FREE, {}, "14 rows"),
    "two patterns": ("chain", FREE, {}, "nested"),
    "tables of a chain": ("chain", LONG, {"k": 9_000, "mask": {"patterns": [[], ["c0"], ["c0", "c1"]]}}, "MB"),
    "rows of pairs": ("matching_local:most_rows=1", FREE, {}, "up to 1 rows, not 24"),
    "a merge breaks it": ("subset_dp", FREE[:8], {"require": ["delta-disclosure delta=1 column=s"]}, "need not meet it together"),
    "k alone": ("subset_dp:recursion=halves", FREE[:8], {"require": ["l-diversity l=2 column=s"]}, "k-anonymity alone"),
    "rules of pairs": ("matching", FREE[:8], {"require": ["t-closeness t=0.5 column=s"]}, "t-closeness"),
    "rules of sets": ("two_phase", FREE[:8], {"require": ["l-diversity l=2 column=s"]}, "no further requirement"),
}  # fmt: skip


@pytest.mark.parametrize("name", DECLINED)
def test_a_solver_says_what_it_does_not_take(name):
    solver, rows, said, words = DECLINED[name]
    names = [f"c{j}" for j in range(len(rows[0]))]
    table = {name: [str(row[j]) for row in rows] for j, name in enumerate(names)}
    more = {"sensitive": ["s", "v"]} if "require" in said else {}
    table |= {name: ["ab"[i % 2] for i in range(len(rows))] for name in more.get("sensitive", ())}
    with pytest.raises(SolverDeclined, match="declines") as refused:
        incrowd.anonymize(pa.table(table), quasi_identifiers=names, solver=solver, **{"k": 2, **more, **said})
    assert words in str(refused.value)


@pytest.mark.parametrize(
    "options",
    [
        "subset_dp:recursion=quarters",
        "matching:expand=1",
        "matching_local:most_rows=none",
        "exact:leaves=-1",
        "exact:most_pairs=0",
        "exact:gap=-1",
        "exact:gap=nan",
        "two_phase:most_sets=0",
        "greedy:visits=0",
        "greedy:threads=0",
        "greedy:ties=none",
    ],
)
def test_options_that_no_solver_takes_are_refused(options):
    with pytest.raises(PolicyError):
        ask(asked_of([[0], [0]], k=2), options)


def test_more_pairs_than_allowed_end_with_the_greedy_and_a_note(monkeypatch):
    monkeypatch.setattr(Exact, "__init__", functools.partialmethod(Exact.__init__, most_pairs=5))
    asked = asked_of(FREE, k=3, outliers="suppress")
    release = ask(asked, "exact")
    assert held(asked, release) == held(asked, ask(asked, "greedy"))
    assert "too many to list" in json.dumps(release.facts)
