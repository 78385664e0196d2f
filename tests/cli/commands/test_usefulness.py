"""`incrowd usefulness`: words, JSON, and what is refused."""

import json

from people import CANARY, GOOD


def test_a_release_is_held_against_its_original(run, table):
    assert run("anonymize", table, "-o", "r.csv", *GOOD)[0] == 0
    status, out, err = run("usefulness", table, "r.csv", *GOOD)
    assert (status, err) == (0, "")
    assert out.startswith("What 'r.csv'")
    assert CANARY not in out
    found = json.loads(run("usefulness", table, "r.csv", *GOOD, "--json")[1])
    assert {"counts", "associations", "distinction", "prediction", "rows", "released_rows", "columns"} <= set(found)


def test_a_limit_on_time_ends_the_questions_early(run, table):
    status, out, err = run("usefulness", table, table, *GOOD, "--time-limit", "0")
    assert (status, err) == (0, "")
    assert "the limit of time or memory came first" in out.replace("\n    ", " ")
    for limit in ("-1", "nan", "soon"):
        assert run("usefulness", table, table, *GOOD, "--time-limit", limit)[0] == 2


def test_another_table_is_no_release_of_it(run, table, tmp_path):
    (tmp_path / "other.csv").write_text("a,b\n1,2\n")
    status, out, err = run("usefulness", table, "other.csv", *GOOD)
    assert (status, out) == (2, "")
    assert "'other.csv' has no column" in err
    assert len(err.splitlines()) == 1
