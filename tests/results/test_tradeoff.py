"""What a trade-off hands out."""

import json

import pyarrow as pa
import pytest

import incrowd

TABLE = {"a": list("xxyyzz"), "b": list("ppqqpq")}


@pytest.fixture(scope="module")
def found():
    return incrowd.tradeoff(pa.table(TABLE), quasi_identifiers=["a", "b"], ks=[2, 3, 6], solvers=["greedy"])


def test_the_points_are_a_table_with_a_line_each(found):
    assert found.table.num_rows == len(found.points) == 3
    assert found.table.column("k").to_pylist() == [2, 3, 6]
    assert found.table.column("cost").to_pylist() == [point["cost"] for point in found.points]


def test_the_plot_and_the_card_show_cost_and_bound(found):
    drawn = json.dumps(found.plot().to_dict())
    assert "no release costs less" in drawn
    assert found._repr_html_().count("<svg") == 1


def test_the_json_is_all_facts_and_the_summary_names_every_k(found):
    assert json.loads(found.to_json()) == json.loads(json.dumps(found.facts))
    assert repr(found) == "<Trade-off of 6 rows: 3 points>"
    lines = found.summary().splitlines()
    assert all(any(line.split()[:1] == [str(k)] for line in lines) for k in (2, 3, 6))


def test_points_that_are_handed_out_can_be_changed_without_changing_the_curve(found):
    found.points.clear()
    assert found.points


def test_what_releases_give_away_has_a_chart_of_its_own():
    found = incrowd.tradeoff(pa.table(TABLE), quasi_identifiers=["a", "b"], ks=[2], solvers=["greedy"], attack=True)
    assert "cells given away" in json.dumps(found.plot("attack").to_dict())
    assert "no release costs less" in json.dumps(found.plot("cost").to_dict())
    with pytest.raises(incrowd.InputError, match="did you mean 'attack'"):
        found.plot("atack")
