"""What an audit counts, against a plain recount; and how a model plugs in."""

import random
from collections import defaultdict

import pyarrow as pa
import pytest

from audited import classes_of
from incrowd.tables.measures import audit
from incrowd.tables.measures.audit import audit_columns, audit_models, audit_pairs
from incrowd.tables.models.k_anonymity import KAnonymity
from incrowd.tables.models.p_sensitive import PSensitive
from oracles import audit as plain
from seeds import seeds


def silent(**_):
    pass


def agree(engine, rows, **rule):
    expected = plain.audit(rows, **rule)
    classes = classes_of(engine, rows, len(rows[0]), **rule)
    sizes = classes.sizes
    assert sizes.count == expected["classes"]["count"]
    assert sizes.outliers == expected["outliers"]
    assert (sizes.classes[0][0] if sizes.classes else None) == expected["k"]
    columns, apart = audit_columns(classes, rule.get("star", "*"), silent)
    for found, wanted in zip(columns, expected["columns"], strict=True):
        assert found["distinct"] == wanted["distinct"]
        assert found["alone_unique"] == wanted["unique"]
        assert found["separation"] == pytest.approx(wanted["separation"])
        assert found["distinction"] == wanted["distinct"] / len(rows)
        assert (found["missing"], found["stars"]) == (wanted["missing"], wanted["stars"])
        assert found["unique_without"] == wanted["unique_without"]
    pairs = audit_pairs(classes, apart, silent)
    assert len(pairs) == min(len(expected["pairs"]), 190)
    for pair in pairs:
        wanted = expected["pairs"][tuple(int(name[1:]) for name in pair["columns"])]
        assert (pair["distinct"], pair["unique"]) == (wanted["distinct"], wanted["unique"])
        assert pair["separation"] == pytest.approx(wanted["separation"])
    assert [pair["unique"] for pair in pairs] == sorted((pair["unique"] for pair in pairs), reverse=True)


def drawn(seed):
    rng = random.Random(seed)
    m, n = rng.randint(1, 5), rng.randint(1, 30)
    values = rng.choice([["*", "a"], ["*", "a", "b", None], ["*", None, "", "NULL", "ä"]])
    rows = [tuple(rng.choice(values) for _ in range(m)) for _ in range(n)]
    return rows, {"outliers": rng.choice(["forbid", "suppress"]), "star": rng.choice(["*", "*", None])}


@seeds(60, 4)
def test_every_count_agrees_with_a_plain_recount(engine, seed):
    rows, rule = drawn(seed)
    agree(engine, rows, **rule)


@pytest.mark.proofs
@seeds(800, few=800, first=1000)
def test_every_count_agrees_with_a_plain_recount_on_many_tables(engine, seed):
    rows, rule = drawn(seed)
    agree(engine, rows, **rule)


def test_typed_cells_group_by_their_value_and_hold_no_star_text(engine):
    rows = [(1, 0.0), (1, -0.0), (None, float("nan")), (None, None)]
    classes = classes_of(engine, rows, 2, outliers="suppress", types=[pa.int32(), pa.float64()])
    assert classes.sizes.classes == ((2, 2),)
    assert classes.sizes.outliers == 0
    columns, _ = audit_columns(classes, "*", silent)
    assert [(c["distinct"], c["missing"], c["stars"]) for c in columns] == [(2, 2, 0), (2, 2, 0)]


def test_above_the_work_limit_fewer_questions_are_asked_and_none_is_guessed(engine, monkeypatch):
    rows = [tuple(str((i * (j + 3)) % 7) for j in range(5)) for i in range(40)]
    classes = classes_of(engine, rows, 5)
    monkeypatch.setattr(audit, "MOST_CELLS", 3 * 2 * classes.count)
    columns, apart = audit_columns(classes, "*", silent)
    assert [c["unique_without"] for c in columns] == [None] * 5
    assert len(audit_pairs(classes, apart, silent)) == 3


def test_of_many_columns_the_pairs_of_the_most_telling_are_asked(engine, monkeypatch):
    rows = [tuple(str(i % (j + 2)) for j in range(6)) for i in range(60)]
    monkeypatch.setattr(audit, "ALL_PAIRS", 3)
    classes = classes_of(engine, rows, 6)
    pairs = audit_pairs(classes, audit_columns(classes, "*", silent)[1], silent)
    assert {name for pair in pairs for name in pair["columns"]} == {"q3", "q4", "q5"}


@pytest.mark.few(1)
@seeds(30)
@pytest.mark.parametrize("outliers", ["forbid", "suppress"])
def test_a_model_of_sensitive_columns_plugs_in(engine, seed, outliers):
    rng = random.Random(seed)
    rows = [(*tuple(rng.choice(["a", "*", None]) for _ in range(2)), rng.choice([None, "x", "y"])) for _ in range(25)]
    behind, everybody = defaultdict(list), defaultdict(list)
    for row in rows:
        everybody[row[:2]].append(row[2])  # fully suppressed rows are judged under either rule
        if outliers == "forbid" or row[:2] != ("*", "*"):
            behind[row[:2]].append(row[2])
    classes = classes_of(engine, rows, 2, outliers=outliers)
    lines = audit_models(classes, [KAnonymity, PSensitive], [KAnonymity(k=3), PSensitive(3, "q2")], ["q2"])
    low = [values for values in everybody.values() if len(set(values)) < 3]
    small = [values for values in behind.values() if len(values) < 3]
    assert lines == [
        {
            "name": "k-anonymity",
            "column": None,
            "reached": min(map(len, behind.values())),
            "asked": 3,
            "ok": not small,
            "failing_classes": len(small),
            "failing_rows": sum(map(len, small)),
        },
        {
            "name": "p-sensitive",
            "column": "q2",
            "reached": min(len(set(values)) for values in everybody.values()),
            "asked": 3,
            "ok": not low,
            "failing_classes": len(low),
            "failing_rows": sum(map(len, low)),
            "settings": {},
        },
    ]


def test_what_is_not_asked_is_measured_only(engine):
    (line,) = audit_models(classes_of(engine, [("a",), ("a",)], 1), [KAnonymity], [], [])
    assert line["reached"] == 2
    assert [line[key] for key in ("asked", "ok", "failing_classes", "failing_rows")] == [None] * 4


def test_a_table_of_outliers_alone_has_nothing_to_reach_and_fails_nothing(engine):
    classes = classes_of(engine, [("*",), ("*",)], 1, outliers="suppress")
    (line,) = audit_models(classes, [KAnonymity], [KAnonymity(k=5)], [])
    assert line["reached"] is None
    assert line["ok"] is True
