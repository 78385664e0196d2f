"""A pickle of a release holds the release and nothing of the original."""

import pickle

import pandas as pd
import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import InputError

# every value of the original that no row of the release shows
HIDDEN = [f"unseen{i}" for i in range(3)]
ROWS = {"a": ["x"] * 6 + ["y"] * 6 + HIDDEN, "b": ["u", "v", "w"] * 5, "note": [f"n{i % 5}" for i in range(15)]}
ASKED = {"quasi_identifiers": ["a", "b"], "k": 3, "solver": "exact"}


@pytest.mark.few(1)
@pytest.mark.parametrize("kind", [pa.table, pd.DataFrame], ids=["arrow", "pandas"])
def test_the_copy_says_and_shows_what_the_release_does(kind, tmp_path):
    with incrowd.anonymize(kind(ROWS), **ASKED) as release:
        sent = pickle.dumps(release)
        copy = pickle.loads(sent)
        assert type(copy.table) is type(release.table) and copy.table.equals(release.table)
        for name in (
            "cost",
            "exact_cost",
            "lower_bound",
            "gap",
            "optimal",
            "proof",
            "status",
            "solver",
            "classes",
            "facts",
        ):
            assert getattr(copy, name) == getattr(release, name), name
        assert copy.summary(details=True) == release.summary(details=True)
        assert copy.certificate() == release.certificate() and repr(copy) == repr(release)
        copy.report(tmp_path / "copy.html")
        assert copy.job.policy == release.job.policy and copy.job.source is None
    again = pickle.loads(pickle.dumps(copy))  # of a copy
    assert again.cost == copy.cost
    with copy:
        pass  # nothing to close
    for write in (copy.to_csv, copy.to_parquet, copy.save):
        with pytest.raises(InputError, match="comes out of a pickle .* write release.table"):
            write(tmp_path / "out.csv")
    assert [path.name for path in tmp_path.iterdir()] == ["copy.html"]


def test_it_holds_no_value_that_no_released_row_shows(tmp_path):
    source = tmp_path / "original.csv"
    pd.DataFrame(ROWS).to_csv(source, index=False)
    (tmp_path / "a.csv").write_text("".join(f"{name};*\n" for name in ("x", "y", *HIDDEN)))
    tree = {"a": incrowd.Hierarchy(lines=tuple((name, "*") for name in ("x", "y", *HIDDEN)))}
    file = {"a": str(tmp_path / "a.csv")}
    for data, hierarchies in ((source, {}), (pa.table(ROWS), tree), (pd.DataFrame(ROWS), file)):
        with incrowd.anonymize(data, **ASKED, hierarchies=hierarchies) as release:
            sent = pickle.dumps(release)
        assert b"unseen" not in sent
        assert len(pickle.loads(sent).table) == len(ROWS["a"])


def test_rows_of_an_engine_are_pickled_as_arrow():
    import duckdb

    made = pa.table(ROWS)  # the relation reads it by its name
    with incrowd.anonymize(duckdb.sql("FROM made"), **ASKED) as release, incrowd.anonymize(made, **ASKED) as plain:
        copy = pickle.loads(pickle.dumps(release))
        assert isinstance(copy.table, pa.Table) and copy.table.equals(plain.table)


def test_a_release_that_was_closed_before_its_rows_were_asked_for_is_refused():
    release = incrowd.anonymize(pa.table(ROWS), **ASKED)
    release.close()
    with pytest.raises(InputError):
        pickle.dumps(release)
