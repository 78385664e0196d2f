import csv

import numpy as np
import pytest

import incrowd
from incrowd.errors import InputError, PolicyError, SolverDeclined
from seeds import few_of

SETTINGS = {"k": 3, "recoding": "grid"}


@pytest.fixture
def people(tmp_path):
    rng = np.random.default_rng(3)
    path = tmp_path / "people.csv"
    with path.open("w", newline="") as file:
        out = csv.writer(file)
        out.writerow(["age", "sex", "born", "weight", "note"])
        for _ in range(60):
            age = int(rng.integers(18, 80))
            out.writerow(
                [age, rng.choice(["m", "f"]), f"{2000 - age}-0{age % 9 + 1}-11", f"{rng.normal(70, 9):.1f}", "n"]
            )
    return path


@pytest.mark.few(3)
@pytest.mark.parametrize("column", few_of(["age", "born", "weight"], 2))
@pytest.mark.parametrize("others", [[], ["sex"]])
@pytest.mark.parametrize("outliers", ["forbid", "suppress"])
def test_a_release_of_ranges_and_its_certificate_are_good_by_the_two_tables_alone(
    people, tmp_path, column, others, outliers
):
    settings = {
        **SETTINGS, "quasi_identifiers": [*others, column], "numeric": [column], "outliers": outliers,
        "round": 10 if column != "born" else 400,
    }  # fmt: skip
    out = tmp_path / "release.csv"
    made = incrowd.anonymize(people, time_limit=0.1, output=out, **settings)
    found = incrowd.verify(people, out, certificate=made.certificate(), **settings)
    assert not list(found)
    assert found.proven
    assert found.lower_bound <= found.cost == pytest.approx(made.cost)


@pytest.mark.few(1)
@pytest.mark.parametrize("cost", ["leaves", "ncp"])
@pytest.mark.parametrize("columns", [["age", "weight"], ["age", "sex", "weight", "born"]])
def test_several_columns_are_ranged_and_the_certificate_is_good_by_the_two_tables_alone(
    people, tmp_path, cost, columns
):
    columns = [one for one in columns if one != "born" or cost == "leaves"]
    settings = {
        **SETTINGS, "quasi_identifiers": columns, "numeric": [one for one in columns if one != "sex"], "cost": cost,
        "outliers": "suppress", "weights": {"weight": "3/2"},
    }  # fmt: skip
    out = tmp_path / "release.csv"
    made = incrowd.anonymize(people, time_limit=0.1, output=out, **settings)
    assert {*made.facts["grid"]} == {*columns} - {"sex"}
    claims = made.certificate()
    found = incrowd.verify(people, out, certificate=claims, **settings)
    assert not list(found)
    assert found.proven
    assert 0 < found.lower_bound <= found.cost == pytest.approx(made.cost)
    fewer = {**settings, "numeric": [columns[0]]}
    with pytest.raises(InputError, match="other ranged columns"):
        incrowd.verify(people, out, certificate=claims, **fewer)
    assert not incrowd.verify(
        people, out, certificate={**claims, "columns": claims["columns"][::-1]}, **settings
    ).proven


def test_the_cost_ncp_is_the_measure_times_rows_and_columns(people):
    settings = {**SETTINGS, "quasi_identifiers": ["age", "weight"], "numeric": ["age", "weight"], "cost": "ncp"}
    made = incrowd.anonymize(people, time_limit=0.1, dry_run=True, **settings)
    assert made.facts["measures"]["ncp"] * 60 * 2 == pytest.approx(made.cost)
    assert made.lower_bound > 0


def test_without_a_step_one_is_chosen_and_said(people, tmp_path):
    out = tmp_path / "release.csv"
    settings = {**SETTINGS, "quasi_identifiers": ["age"], "numeric": ["age"]}
    made = incrowd.anonymize(people, time_limit=0.1, output=out, **settings)
    step = made.facts["grid"]["age"]
    assert f"multiples of {step} (round)" in str(made.summary())
    assert incrowd.verify(people, out, certificate=made.certificate(), **settings).proven
    assert not list(incrowd.verify(people, out, **settings))


def test_a_cell_that_does_not_hold_its_original_or_lies_off_the_grid_is_found(people, tmp_path):
    out = tmp_path / "release.csv"
    settings = {**SETTINGS, "quasi_identifiers": ["age"], "numeric": ["age"], "round": 10}
    incrowd.anonymize(people, time_limit=0.1, output=out, **settings)
    rows = list(csv.reader(out.read_text().splitlines()))
    ranged = next(row[0] for row in rows[1:] if "-" in row[0])
    for other in ("1-9", ranged.split("-")[0] + "-999", f"{int(ranged.split('-')[0]) + 1}-{ranged.split('-')[1]}"):
        bad = [[other, *row[1:]] if row[0] == ranged else row for row in rows]
        with (tmp_path / "bad.csv").open("w", newline="") as file:
            csv.writer(file).writerows(bad)
        assert list(incrowd.verify(people, tmp_path / "bad.csv", **settings))


@pytest.mark.parametrize(
    ("settings", "said"),
    [
        ({"quasi_identifiers": ["age", "sex"]}, "needs a numeric quasi-identifier"),
        ({"quasi_identifiers": ["sex"], "numeric": ["sex"]}, "neither numbers"),
        ({"quasi_identifiers": ["age"], "numeric": ["age"], "round": 1000}, "one cell"),
        ({"quasi_identifiers": ["age"], "numeric": ["age"], "round": 0}, "above 0"),
        ({"quasi_identifiers": ["age"], "numeric": ["age"], "sensitive": ["sex"], "l": 2}, "k-anonymity alone"),
        ({"quasi_identifiers": ["age"], "numeric": ["age"], "full_suppression": False}, "rows of stars alone"),
        ({"quasi_identifiers": ["age"], "numeric": ["age"], "max_level": {"age": 3}}, "age"),
        ({"quasi_identifiers": ["age"], "numeric": ["age"], "cost": "cells"}, "cost=cells says nothing of ranges"),
        ({"quasi_identifiers": ["born"], "numeric": ["born"], "cost": "ncp"}, "width of numbers"),
        ({"quasi_identifiers": ["age"], "numeric": ["age"], "suppressed": "null"}, "ranges do not fit"),
        ({"quasi_identifiers": ["age"], "numeric": ["age"], "solver": "greedy"}, "it makes no ranges on a grid"),
    ],
)
def test_what_does_not_go_with_a_grid_is_refused_by_name(people, settings, said):
    with pytest.raises((InputError, PolicyError, SolverDeclined), match=said):
        incrowd.anonymize(people, time_limit=0.1, **{**SETTINGS, **settings}, dry_run=True)


def test_a_step_goes_with_a_grid_alone(people):
    with pytest.raises(PolicyError, match="goes with recoding=grid"):
        incrowd.anonymize(people, time_limit=0.1, k=3, quasi_identifiers=["age"], round=5, dry_run=True)


def test_weights_count(people, tmp_path):
    settings = {**SETTINGS, "quasi_identifiers": ["age"], "numeric": ["age"], "round": 10}
    once = incrowd.anonymize(people, time_limit=0.1, output=tmp_path / "a.csv", **settings)
    twice = incrowd.anonymize(people, time_limit=0.1, output=tmp_path / "b.csv", weights={"age": "2/3"}, **settings)
    assert twice.cost * 3 == pytest.approx(once.cost * 2)
    found = incrowd.verify(
        people, tmp_path / "b.csv", certificate=twice.certificate(), weights={"age": "2/3"}, **settings
    )
    assert found.proven


@pytest.mark.few(2)
@pytest.mark.parametrize(
    ("said", "broken"),
    [
        ({"max_stars": 0}, {"age": "*"}),
        ({"keep": ["sex"]}, {"sex": "*"}),
        ({"together": [["age", "sex"]]}, {"sex": "*"}),
        ({"patterns": [{"age": 1}, {"age": 1, "sex": 1}]}, {"age": "*"}),
    ],
)
def test_a_mask_is_kept_where_a_range_is_a_change_and_only_the_whole_width_a_star(people, tmp_path, said, broken):
    settings = {**SETTINGS, "quasi_identifiers": ["age", "sex"], "numeric": ["age"], "round": 10, **said}
    out = tmp_path / "release.csv"
    made = incrowd.anonymize(people, time_limit=0.1, output=out, **settings)
    found = incrowd.verify(people, out, certificate=made.certificate(), **settings)
    assert not list(found)
    assert found.proven and 0 < found.lower_bound <= found.cost == pytest.approx(made.cost)
    rows = list(csv.reader(out.read_text().splitlines()))
    one = next(row for row in rows[1:] if "*" not in row)
    for name, cell in broken.items():
        one[rows[0].index(name)] = cell
    if "together" in said:  # a value beside a star: some row still shows its age
        one[rows[0].index("age")] = people.read_text().splitlines()[1].split(",")[0]
    with (tmp_path / "bad.csv").open("w", newline="") as file:
        csv.writer(file).writerows(rows)
    assert "mask" in {violation.rule for violation in incrowd.verify(people, tmp_path / "bad.csv", **settings)}
