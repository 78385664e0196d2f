"""A pandas frame whose whole numbers became floats: released, audited and verified as whole numbers."""

import itertools
import json

import numpy as np
import pandas as pd
import polars as pl
import pyarrow as pa
import pyarrow.parquet as pq
import pytest

import incrowd

NAN = float("nan")
FRAME = pd.DataFrame(
    {
        "age": [76, 76, 41, 41, NAN, NAN, 33, 17],
        "sex": list("ffmmffmf"),
        "visits": np.array([1, 2, NAN, 4, 5, 6, 7, 8], np.float32),
        "score": [1, 2, 3, 4, 1, 2, 3, 4.0],
        "weight": [50.5, 60.0, NAN, 70.0, 80.0, 90.0, 91.0, 92.0],
    }
)
POLICY = {"quasi_identifiers": ["age", "sex"], "sensitive": ["score"], "k": 2, "solver": "exact"}
NOTE = "columns 'age', 'visits', 'score' hold whole numbers as floats, which are read as whole numbers (1, not 1.0)"


def test_the_release_shows_whole_numbers_and_the_notes_say_so():
    with incrowd.anonymize(FRAME, **POLICY) as release:
        table = release.table
        assert set(table["age"].dropna()) == {"76", "41", "*"}
        assert NOTE in release.facts["notes"]
        assert NOTE.removeprefix("c") in " ".join(release.summary().split())  # there it begins a sentence
        assert [str(table[name].dtype) for name in ("visits", "score", "weight")] == ["float32", "float64", "float64"]
        for name in ("visits", "score", "weight"):
            pd.testing.assert_series_equal(
                table[name].sort_values(ignore_index=True), FRAME[name].sort_values(ignore_index=True)
            )
        found = incrowd.verify(FRAME, table, **POLICY)
    assert found == []
    assert found.notes == (NOTE,)


INF, FIRST = float("inf"), 2.0**53


@pytest.mark.few(3)
@pytest.mark.parametrize("value", [FIRST - 1, -0.0, 0.5, -INF, FIRST, 5e-324])
def test_one_number_that_is_not_whole_or_not_exact_leaves_a_column_of_floats(value):
    frame = pd.DataFrame({"a": [76, NAN, value]})
    asked = {"quasi_identifiers": ["a"], "k": 1, "keep_order": True}
    with incrowd.anonymize(frame, **asked) as release:
        shown = release.table["a"].tolist()
    exact = abs(value) < FIRST and value == int(value)
    assert shown[0] == ("76" if exact else "76.0")
    assert shown[2] == str(int(value)) if exact else float(shown[2]) == value
    assert (
        incrowd.anonymize(pl.from_pandas(frame), **asked).table["a"][0] == "76.0"
    )  # could have been whole numbers there


def test_an_audit_says_so_too():
    found = incrowd.audit(FRAME, quasi_identifiers=["age", "sex"])
    assert NOTE in found.facts["notes"]
    assert NOTE[1:] in " ".join(found.summary().split())
    assert incrowd.audit(FRAME, quasi_identifiers=["sex"], other="drop").facts["notes"] == []


ENDINGS = [
    *(("text", ending) for ending in ("csv", "parquet")),
    ("null", "arrow"),
]
OTHERS = [
    case
    for case in itertools.product(["text", "null"], ["csv", "csv.gz", "parquet", "jsonl", "arrow"])
    if case not in ENDINGS
]


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("suppressed", "ending"), [*ENDINGS, *(pytest.param(*case, marks=pytest.mark.proofs) for case in OTHERS)]
)
def test_what_is_written_verifies_against_the_frame_with_its_certificate(ending, suppressed, tmp_path):
    out, certificate = tmp_path / f"out.{ending}", tmp_path / "c.json"
    settings = {**POLICY, "suppressed": suppressed}
    incrowd.anonymize(FRAME, output=out, certificate=certificate, **settings).close()
    if ending == "csv" and suppressed == "text":
        assert ",76.0" not in "," + out.read_text()
        assert "\n76,f," in out.read_text()
    if ending == "parquet":
        kinds = pq.read_schema(out)
        assert (kinds.field("visits").type, kinds.field("weight").type) == (pa.int64(), pa.float64())
    found = incrowd.verify(FRAME, out, certificate=certificate, **settings)
    assert found == []
    assert found.proven is (suppressed == "text")  # the frame misses values, and a star as a NULL looks the same
    assert found.lower_bound == (found.cost if found.proven else 0)


def test_null_stars_leave_the_frames_types_and_verify():
    with incrowd.anonymize(FRAME, suppressed="null", **POLICY) as release:
        assert release.table.dtypes["age"] == np.float64
        assert set(release.table["age"].dropna()) == {76.0, 41.0}
        assert incrowd.verify(FRAME, release.table, suppressed="null", **POLICY) == []


def test_a_fraction_that_only_stars_hide_changes_nothing():
    frame = FRAME.assign(age=[76.0, 76.0, 41.0, 41.0, 1.5, 2.5, 33.0, 17.0])
    for suppressed in ("null", "text"):
        settings = {**POLICY, "suppressed": suppressed}
        with incrowd.anonymize(frame, **settings) as release:
            shown = release.table["age"]
            assert incrowd.verify(frame, release.table, **settings) == []
            if suppressed == "null":  # the released column alone looks like whole numbers
                assert set(shown.dropna()) == {76.0, 41.0}
                assert incrowd.verify(frame, pl.from_pandas(release.table), **settings) == []
            else:
                assert set(shown.dropna()) == {"76.0", "41.0", "*"}


def test_a_release_turned_into_another_frame_verifies():
    with incrowd.anonymize(FRAME, **POLICY) as release:
        table = release.table
    assert incrowd.verify(FRAME, pl.from_pandas(table), **POLICY) == []
    assert incrowd.verify(FRAME, pa.Table.from_pandas(table, preserve_index=False), **POLICY) == []
    assert incrowd.verify(FRAME, table.convert_dtypes(), **POLICY) == []


def test_an_original_of_floats_verifies_against_a_release_that_pandas_read(tmp_path):
    original = pa.table({"a": [1.0, 1.0, 2.5, 3.5], "kept": [1.0, 2.0, 3.0, None]})
    settings = {"quasi_identifiers": ["a"], "k": 2, "suppressed": "null"}
    incrowd.anonymize(original, output=tmp_path / "r.parquet", **settings).close()
    assert incrowd.verify(original, pd.read_parquet(tmp_path / "r.parquet"), **settings) == []


@pytest.mark.few(1)
@pytest.mark.parametrize("column", ["visits", "age"])
def test_a_changed_value_is_still_found(column):
    with incrowd.anonymize(FRAME, suppressed="null", **POLICY) as release:
        for value in (76.5, 99.0):
            table = release.table.copy()
            table.loc[table[column].first_valid_index(), column] = value
            assert incrowd.verify(FRAME, table, suppressed="null", **POLICY)


def test_hierarchies_take_the_whole_numbers():
    lines = {str(v): ("1-50" if v < 50 else "51-99") for v in (76, 41, 33, 17)}
    hierarchy = incrowd.Hierarchy(lines=[[v, up, "*"] for v, up in lines.items()] + [["NULL", "NULL", "*"]])
    with incrowd.anonymize(FRAME, hierarchies={"age": hierarchy}, **POLICY) as release:
        assert set(release.table["age"].dropna()) <= {*lines, *lines.values(), "*"}
        assert incrowd.verify(FRAME, release.table, hierarchies={"age": hierarchy}, **POLICY) == []
    told = [[f"{v}.0", up, "*"] for v, up in lines.items()] + [["NULL", "NULL", "*"]]
    with pytest.raises(incrowd.PolicyError, match="none of the column's 4 distinct values"):
        incrowd.anonymize(FRAME, hierarchies={"age": incrowd.Hierarchy(lines=told)}, **POLICY)
    with incrowd.anonymize(FRAME, hierarchies={"age": {"intervals": [50]}}, **POLICY) as release:
        assert not [v for v in release.table["age"].dropna() if ".0" in v]


@pytest.mark.few(1)
@pytest.mark.parametrize("distance", ["numeric", "ordered"])
def test_closeness_is_as_for_the_same_numbers_as_integers(distance):
    asked = {"require": [incrowd.TCloseness(t=0.4, column="score", distance=distance)]}
    found = []
    for score in (FRAME["score"], FRAME["score"].astype("int64")):
        with incrowd.anonymize(FRAME.assign(score=score), **POLICY, **asked) as release:
            kept = {name: release.facts[name] for name in ("cost", "classes", "measures")}
            found.append(json.dumps(kept))
            assert incrowd.verify(FRAME.assign(score=score), release.table, **POLICY, **asked) == []
    assert found[0] == found[1]


def test_rows_stand_in_the_same_order_as_those_of_integers(tmp_path):
    outs = []
    for i, frame in enumerate([FRAME, FRAME.assign(age=FRAME["age"].astype("Int64")), FRAME.sample(frac=1)]):
        outs.append(tmp_path / f"{i}.csv")
        incrowd.anonymize(frame, output=outs[-1], **POLICY).close()
    assert outs[0].read_bytes() == outs[1].read_bytes() == outs[2].read_bytes()


def test_ranges_show_whole_numbers():
    settings = {**POLICY, "solver": "mondrian", "recoding": "ranges", "numeric": ["age"]}
    with incrowd.anonymize(FRAME, **settings) as release:
        assert not [v for v in release.table["age"].dropna() if ".0" in v]
        assert incrowd.verify(FRAME, release.table, **settings) == []
