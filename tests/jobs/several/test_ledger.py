"""The ledger: what it holds, what it must not hold, and when it warns."""

from __future__ import annotations

import json
import stat

import pytest

import incrowd
from incrowd.errors import InputError, PolicyError
from incrowd.jobs.ledger import add, default_ledger, earlier, entry_of, read_ledger
from incrowd.policy.job import Policy

POLICY = Policy(quasi_identifiers=("age", "sex"), sensitive=("ill",), k=2)


def people(numbers, prefix="canary"):
    return [{"id": f"{prefix}{n}", "age": str(n % 7), "sex": "fm"[n % 2], "ill": "flu"} for n in numbers]


def test_what_was_released_before_is_told_before_the_next(tmp_path):
    path = tmp_path / "deep" / "ledger.json"
    first = entry_of(path, "ward 3", "one.csv", POLICY, people(range(40)), "id")
    assert earlier(path, first) == []
    add(path, first)
    second = entry_of(path, "all wards", "two.csv", POLICY, people(range(30, 90)), "id")
    (line,) = earlier(path, second)
    assert line["shared"] == {"keys": 10, "least": 10, "most": 10}
    assert not line["same_name"]
    assert "10 keys of this table are in 'one.csv' (ward 3" in line["sentence"]
    add(path, second)
    assert [entry["release"] for entry in read_ledger(path)] == ["one.csv", "two.csv"]
    nobody = entry_of(path, "others", "three.csv", POLICY, people(range(200, 300)), "id")
    assert earlier(path, nobody) == []


def test_the_ledger_holds_no_cell_and_its_key_is_the_owner_s_alone(tmp_path):
    path = tmp_path / "ledger.json"
    add(path, entry_of(path, "ward 3", "one.csv", POLICY, people(range(40)), "id"))
    assert "canary" not in path.read_text()
    key = tmp_path / "ledger.json.key"
    assert stat.S_IMODE(key.stat().st_mode) == 0o600
    assert key.read_text().strip() not in path.read_text()
    again = entry_of(tmp_path / "other.json", "ward 3", "one.csv", POLICY, people(range(40)), "id")
    assert set(again["sketch"]).isdisjoint(read_ledger(path)[0]["sketch"])  # under another key
    key.chmod(0o644)
    with pytest.raises(InputError, match="can be read by others"):
        entry_of(path, "ward 3", "one.csv", POLICY, people(range(40)), "id")
    key.chmod(0o600)
    key.write_text("nothing")
    with pytest.raises(InputError, match="is not one"):
        entry_of(path, "ward 3", "one.csv", POLICY, people(range(40)), "id")


def test_without_a_person_rows_are_counted_by_the_quasi_identifiers_and_without_a_table_by_name(tmp_path):
    path = tmp_path / "ledger.json"
    rows = entry_of(path, "ward 3", "one.csv", POLICY, people(range(40)))
    assert (rows["key"], rows["keys"]) == (["age", "sex"], 14)
    add(path, rows)
    blind = entry_of(path, "WARD 3", "two.csv", POLICY)
    assert blind["sketch"] is None
    (line,) = earlier(path, blind)
    assert line["same_name"] and line["shared"] is None
    assert "cannot be told" in line["sentence"]
    assert earlier(path, entry_of(path, "somebody else", "two.csv", POLICY)) == []


@pytest.mark.parametrize(
    "text",
    [
        "{", "[]", '{"ledger": 2, "releases": []}', '{"ledger": 1, "releases": [1]}',
        json.dumps({"ledger": 1, "releases": [{"people": "a", "release": "b", "added": "c", "quasi_identifiers": [],
                    "sensitive": [], "key": [], "keys": 1, "sketch": ["zz"]}]}),
    ],
)  # fmt: skip
def test_what_is_no_ledger_is_refused(tmp_path, text):
    path = tmp_path / "ledger.json"
    path.write_text(text)
    with pytest.raises(InputError, match=r"the ledger 'ledger\.json' is no"):
        read_ledger(path)


def test_bad_questions_are_refused(tmp_path):
    path = tmp_path / "ledger.json"
    with pytest.raises(PolicyError, match="people must say"):
        entry_of(path, " ", "one.csv", POLICY)
    with pytest.raises(InputError, match="no column 'nobody'"):
        entry_of(path, "ward", "one.csv", POLICY, people(range(3)), "nobody")
    with pytest.raises(PolicyError, match="person"):
        entry_of(path, "ward", "one.csv", Policy(k=2), people(range(3)))


def test_in_python_earlier_releases_are_warned_of_before_the_search(monkeypatch, tmp_path, caplog):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    rows, asked = people(range(40)), {"policy": POLICY, "identifiers": ["id"], "solver": "greedy"}
    incrowd.anonymize(rows, people="ward 3", **asked)
    assert list(tmp_path.iterdir()) == [] and caplog.messages == []
    add(default_ledger(), entry_of(default_ledger(), "ward 3", "one.csv", POLICY, rows))
    add(default_ledger(), entry_of(default_ledger(), "Ward 3", "two.csv", POLICY, rows, "id"))
    incrowd.anonymize(rows, people="ward 3", **asked)
    first, second = (message for message in caplog.messages if message.startswith("before you hand this out"))
    assert "14 keys of this table are in 'one.csv' (ward 3" in first
    assert "'two.csv' (Ward 3" in second and "cannot be told" in second
    with pytest.raises(PolicyError, match="^people must say whose data it is"):
        incrowd.anonymize(rows, people=3, **asked)


def test_the_ledger_lies_in_the_user_s_data_folder(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_DATA_HOME", str(tmp_path))
    assert default_ledger() == tmp_path / "incrowd" / "ledger.json"
    monkeypatch.delenv("XDG_DATA_HOME")
    monkeypatch.delenv("LOCALAPPDATA", raising=False)
    assert default_ledger().name == "ledger.json"
