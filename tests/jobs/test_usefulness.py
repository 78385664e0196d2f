"""What analysts would find in a release, held against the original."""

from __future__ import annotations

import json

import numpy as np
import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import InputError, PolicyError
from incrowd.tables.usefulness import figures as module

ROWS = 240
TABLE = pa.table({
    "age": [20 + i % 30 for i in range(ROWS)],
    "town": [["Graz", "Linz", "Bonn", "Ulm"][i % 4] for i in range(ROWS)],
    "ward": [["a", "b", "c"][i // 4 % 3] for i in range(ROWS)],
    "note": [f"canary {i}" for i in range(ROWS)],
})  # fmt: skip
WHO = {"quasi_identifiers": ["age", "town"], "sensitive": ["ward"]}
TOWNS = incrowd.Hierarchy.from_tree({"AT": ["Graz", "Linz"], "DE": ["Bonn", "Ulm"]})
RANGES = {"recoding": "ranges", "numeric": ["age"]}


def test_a_table_beside_itself_loses_nothing():
    found = incrowd.usefulness(TABLE, TABLE, **WHO)
    assert found.counts["queries"] == 1000
    assert found.counts["mean"] == found.counts["mean_by_shares"] == 0
    assert found.associations["largest"] < 1e-9
    assert found.facts["columns"] == ["age", "town", "ward"]
    assert found.distinction["pmse"] < 0.05
    assert found.prediction is None


@pytest.mark.few(2)
@pytest.mark.parametrize("how", [{}, {"suppressed": "null"}, {"hierarchies": {"town": TOWNS}}, RANGES])
def test_stars_missing_values_labels_and_ranges_are_read(how):
    asked = {**WHO, **how}
    with incrowd.anonymize(TABLE, k=5, solver="mondrian" if "recoding" in how else "greedy", **asked) as release:
        assert release.cost > 0
        found = incrowd.usefulness(TABLE, release.table, queries=200, **asked)
        again = incrowd.usefulness(TABLE, release.table, queries=200, **asked)
    assert found.counts["queries"] == 200
    assert 0 < found.counts["mean"] < 2
    assert found.counts == again.counts
    assert found.facts["released_rows"] == ROWS


def test_a_limit_on_the_questions_is_kept_and_said_and_that_of_a_policy_is_none():
    found = incrowd.usefulness(TABLE, TABLE, time_limit=0, **WHO)
    assert (found.counts["queries"], found.distinction) == (0, None)
    assert "limit of time or memory" in found.summary()
    assert incrowd.usefulness(TABLE, TABLE, time_limit="1/1000", queries=5, **WHO).counts["queries"] <= 5
    job = incrowd.Job().replace(time_limit=0, **WHO)
    assert incrowd.usefulness(TABLE, TABLE, job, queries=5).counts["queries"] == 5


def test_the_order_of_the_rows_changes_nothing():
    with incrowd.anonymize(TABLE, k=5, solver="greedy", **WHO) as release:
        one = incrowd.usefulness(TABLE, release.table, target="ward", queries=100, **WHO).facts
        shuffled = TABLE.take([(i * 7) % ROWS for i in range(ROWS)])
        two = incrowd.usefulness(
            shuffled, release.table.take(list(range(ROWS))[::-1]), target="ward", queries=100, **WHO
        ).facts
    for name in ("counts", "associations", "distinction", "prediction"):
        assert one[name] == two[name]


def test_a_coarse_release_is_less_useful_than_a_fine_one():
    errors = []
    for k in (2, 60):
        with incrowd.anonymize(TABLE, k=k, solver="greedy", **WHO) as release:
            errors.append(incrowd.usefulness(TABLE, release.table, **WHO).counts["mean"])
    assert errors[0] < errors[1]


def test_a_target_is_predicted_though_it_has_no_role():
    found = incrowd.usefulness(TABLE, TABLE, target="ward", queries=1, quasi_identifiers=["age", "town"])
    assert found.prediction["target"] == "ward"
    assert 0 <= found.prediction["of_guess"] <= found.prediction["accuracy"] + 0.2 <= 1.2


def test_a_release_that_the_policy_does_not_explain_is_refused_without_a_cell():
    changed = TABLE.set_column(1, "town", pa.array(["canary town"] * ROWS))
    with pytest.raises(InputError, match="column 'town' of the release holds 1 texts") as refused:
        incrowd.usefulness(TABLE, changed, **WHO)
    assert "canary" not in str(refused.value)


def test_what_is_asked_wrongly_is_said():
    with pytest.raises(InputError, match="has no column 'ward'"):
        incrowd.usefulness(TABLE, TABLE.drop_columns(["ward"]), **WHO)
    with pytest.raises(InputError, match="column 'hair', named with target, is not in"):
        incrowd.usefulness(TABLE, TABLE, target="hair", **WHO)
    for number in (0, 2_000_000):
        with pytest.raises(PolicyError, match="queries must be a whole number from 1"):
            incrowd.usefulness(TABLE, TABLE, queries=number, **WHO)


def test_without_scikit_learn_counts_are_asked_and_a_target_is_refused_before_any_work(monkeypatch):
    monkeypatch.setattr(module, "can_learn", lambda: False)
    found = incrowd.usefulness(TABLE, TABLE, queries=10, **WHO)
    assert found.distinction is None
    assert "Without scikit-learn (incrowd[usefulness]) no model" in found.summary().replace("\n    ", " ")
    with pytest.raises(InputError, match="target needs scikit-learn"):
        incrowd.usefulness("nowhere.csv", "nowhere.csv", target="ward", **WHO)


def test_no_cell_is_in_the_facts_or_the_words():
    found = incrowd.usefulness(TABLE, TABLE, queries=10, **WHO)
    for text in (json.dumps(found.facts), found.summary(), repr(found)):
        assert not any(cell in text for cell in ("canary", "Graz", "Ulm"))


def test_ranges_on_a_grid_are_read_from_the_release():
    rng = np.random.default_rng(3)
    rows = [{"age": int(age), "sex": "fm"[age % 2]} for age in rng.integers(20, 90, 300)]
    policy = {"quasi_identifiers": ["age", "sex"], "numeric": ["age"], "k": 5, "recoding": "grid"}
    release = incrowd.anonymize(rows, **policy, time_limit=0.5)
    assert any("-" in row["age"] for row in release.table)
    found = incrowd.usefulness(rows, release.table, queries=50, **policy)
    same = release.usefulness(queries=50)
    assert all(found.facts[key] == same.facts[key] for key in ("counts", "associations", "distinction"))
