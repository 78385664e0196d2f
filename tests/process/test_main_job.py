"""Every solver, outlier rule, mask, kind of table and spelling of a star, through the whole job."""

import itertools
import random

import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.csv
import pyarrow.parquet as pq
import pytest

import incrowd
from incrowd import registry
from incrowd.errors import SolverDeclined
from seeds import how_many

N = 60
QUASI = ["age", "Sex", "sex", "when"]
MASKS = {
    "all": incrowd.Mask(),
    "two stars": incrowd.Mask(max_stars=2),
    "words": incrowd.Mask(keep=["sex"], together=[["age", "when"]]),
    "composed": incrowd.Mask(max_stars=1) | incrowd.Mask(keep=["age"], at_most_one=["Sex", "when"]),
    "weights": incrowd.Mask(never_together=[["age", "Sex"]]),
}


def source_table(seed=0, n=N):
    rng = random.Random(seed)
    return pa.table(
        {
            "id": [f"person {i}" for i in range(n)],
            "age": pa.array([rng.choice([None, 30, 40, 50]) for _ in range(n)], pa.int64()),
            "Sex": [rng.choice(["f", "m"]) for _ in range(n)],
            "other": pa.array([rng.choice([None, 1.5, 2.25]) for _ in range(n)]),
            "sex": [rng.choice(["x", "y", "é,\n"]) for _ in range(n)],
            "when": pa.array([rng.choice([None, 0, 1, 20000]) for _ in range(n)], pa.int32()).cast(pa.date32()),
            "secret": [rng.choice(["p", "q", "r"]) for _ in range(n)],
        }
    )


def as_kind(kind, tmp_path, table):
    if kind == "pandas":
        return table.to_pandas(types_mapper={pa.int64(): pd.Int64Dtype()}.get)
    if kind == "polars":
        return pl.from_arrow(table)
    if kind == "csv":
        pyarrow.csv.write_csv(table, tmp_path / "t.csv")
        return tmp_path / "t.csv"
    if kind == "parquet":
        pq.write_table(table, tmp_path / "t.parquet")
        return tmp_path / "t.parquet"
    return table


def released(source, solver="auto", **settings):
    settings = {"quasi_identifiers": QUASI, "identifiers": ["id"], "sensitive": ["secret"], "k": 3, **settings}
    searching = solver in ("auto", "improve")  # these use up what they are given
    limit = settings.pop("time_limit", 0.2 if searching else None)
    try:
        return incrowd.anonymize(source, solver=solver, time_limit=limit, **settings)
    except SolverDeclined as declined:
        pytest.skip(f"declines: {declined.reason}")


def every_solver():
    """Return every solver with either outlier rule and every mask; one of a solver's ten jobs in `make test`."""
    for number, solver in enumerate(registry.names("solvers")):
        for place, (outliers, mask) in enumerate(itertools.product(["forbid", "suppress"], MASKS)):
            rule, turn = divmod(place, len(MASKS))
            now = (rule, turn) == (number % 2, 2 * number % len(MASKS))
            yield pytest.param(solver, outliers, mask, marks=() if now else pytest.mark.proofs)


@pytest.mark.few(6)
@pytest.mark.parametrize(("solver", "outliers", "mask"), list(every_solver()))
def test_every_solvers_release_is_what_it_says(solver, outliers, mask):
    k = 2 if "matching" in solver else 3
    # its integer program over all pairs and triples takes half a minute for all rows
    source = source_table(k, how_many(N, 24) if solver == "matching_textbook" else N)
    weights = {"age": "1/3", "Sex": 2, "when": 0.1} if mask == "weights" else {}
    with released(source, solver, outliers=outliers, mask=MASKS[mask], weights=weights, k=k) as release:
        table = release.table
        facts = release.facts
        assert incrowd.verify(source, table, release.job) == []
        assert table.column_names == ["age", "Sex", "other", "sex", "when", "secret"]
        classes = {}
        cost = 0
        for row in table.to_pylist():
            shown = tuple(row[name] for name in QUASI)
            classes[shown] = classes.get(shown, 0) + 1
            cost += sum(
                {"age": 1 / 3, "Sex": 2, "when": 0.1}.get(n, 1) if weights else 1 for n in QUASI if row[n] == "*"
            )
        outside = classes.pop(("*",) * 4, 0) if outliers == "suppress" else 0
        assert min(classes.values(), default=k) >= k
        assert facts["outliers"] == outside
        assert facts["classes"]["count"] == len(classes)
        assert facts["cost"] == pytest.approx(cost)
        assert 0 <= facts["lower_bound_checked"] <= facts["lower_bound"] <= facts["cost"]
        assert facts["solver"] in (registry.EXACT if solver == "exact" else (solver,))
        assert facts["optimal"] == (facts["cost"] == facts["lower_bound"])
        assert facts["suppressed_cells"] == sum(v == "*" for row in table.to_pylist() for v in row.values())


KINDS = ("csv", "parquet", "pandas", "polars", "pyarrow")


# in `make test` every kind goes through in tests/process/test_kinds.py; here the others do in `make proofs`
ONCE = [("csv", "text"), ("pandas", "null")]
TWICE = [case for case in itertools.product(KINDS, ["text", "null"]) if case not in ONCE]


@pytest.mark.parametrize(
    ("kind", "suppressed"), [*ONCE, *(pytest.param(*case, marks=pytest.mark.proofs) for case in TWICE)]
)
def test_every_kind_of_table_goes_through(kind, suppressed, tmp_path):
    source = as_kind(kind, tmp_path, source_table())
    settings = {"suppressed": suppressed, "mask": MASKS["words"], "time_limit": 0}
    with released(source, **settings) as release:
        out = release.table
        assert isinstance(out, {"pandas": pd.DataFrame, "polars": pl.DataFrame}.get(kind, pa.Table))
        for name in ("r.csv", "r.parquet"):
            path = tmp_path / name
            (release.to_csv if name.endswith("csv") else release.to_parquet)(path)
            assert incrowd.verify(source, path, release.job) == []
        assert incrowd.verify(source, out, release.job) == []


def test_the_same_table_of_another_kind_gives_the_same_loss(tmp_path):
    found = {}
    kinds = KINDS[: how_many(len(KINDS), 3)]
    for kind in kinds:
        with released(as_kind(kind, tmp_path, source_table()), time_limit=0) as release:
            found[kind] = (release.cost, release.classes, release.measures["usefulness"])
    assert found == dict.fromkeys(kinds, found["csv"])


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", ["csv", "pyarrow"])
def test_the_same_job_gives_the_same_bytes_whatever_the_inputs_order(kind, tmp_path):
    table = source_table()
    texts = set()
    for seed in range(how_many(3, 2)):
        order = list(range(N))
        random.Random(seed).shuffle(order)
        with released(as_kind(kind, tmp_path, table.take(order)), time_limit=0) as release:
            release.to_csv(tmp_path / "r.csv")
            texts.add((tmp_path / "r.csv").read_bytes())
    assert len(texts) == 1


def test_keep_order_keeps_it_and_warns():
    source = source_table()
    with released(source, keep_order=True) as release:
        assert release.table.column("secret").to_pylist() == source.column("secret").to_pylist()
        assert "The input's order was kept, so rows can be joined." in " ".join(release.summary().split())
        assert release.facts["keep_order"] is True
