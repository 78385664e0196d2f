"""`incrowd verify`: a release and its certificate recounted, and what is wrong named."""

import json

from people import CANARY, GOOD, ROWS


def test_verify_finds_what_is_wrong(run, table, tmp_path):
    run("anonymize", table, "-o", "release.csv", *GOOD)
    status, out, _ = run("verify", table, "release.csv", *GOOD[:-1], "6")
    assert status == 1
    assert "have fewer than 6 rows; the smallest has 2." in out
    text = (tmp_path / "release.csv").read_text()
    (tmp_path / "bad.csv").write_text(text.replace("note 3", "note 9"))
    status, out, _ = run("verify", table, "bad.csv", *GOOD, "--json")
    found = json.loads(out)
    assert status == 1
    assert found["ok"] is False
    assert set(found["violations"][0]) == {"rule", "count", "example_group_size"}


def test_a_certificate_is_written_and_recounted(run, table, tmp_path):
    assert run("anonymize", table, "-o", "r.csv", *GOOD, "--certificate", "c.json")[0] == 0
    text = (tmp_path / "c.json").read_text()
    assert CANARY not in text
    assert not any(value in text for row in ROWS for value in row[2:])
    status, out, _ = run("verify", table, "r.csv", *GOOD, "--certificate", "c.json", "--json")
    found = json.loads(out)
    assert status == 0
    assert found["ok"] is True
    assert found["proven"] is True
    facts = json.loads(run("anonymize", table, "-o", "r.csv", *GOOD, "--json")[1])
    assert found["cost"] == facts["cost"]
    assert found["lower_bound"] == facts["lower_bound_checked"]
    assert "The certificate holds" in run("verify", table, "r.csv", *GOOD, "--certificate", "c.json")[1]


def test_a_forged_certificate_is_caught_and_an_unreadable_one_is_refused(run, table, tmp_path):
    run("anonymize", table, "-o", "r.csv", *GOOD, "--certificate", "c.json")
    forged = json.loads((tmp_path / "c.json").read_text())
    for name in ("lower_bound", "lower_bound_checked"):
        forged[name] += 1
    (tmp_path / "c.json").write_text(json.dumps(forged))
    assert run("verify", table, "r.csv", *GOOD, "--certificate", "c.json")[0] == 1
    for text in ("{", "[]", "{}"):
        (tmp_path / "c.json").write_text(text)
        status, _out, err = run("verify", table, "r.csv", *GOOD, "--certificate", "c.json")
        assert status == 2
        assert err.count("\n") == 1
    assert run("verify", table, "r.csv", *GOOD, "--certificate", "none.json")[0] == 2
    assert "is also an input" in run("anonymize", table, "-o", "r.csv", *GOOD, "--certificate", "people.csv")[2]
