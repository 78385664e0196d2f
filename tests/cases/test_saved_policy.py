"""What was asked of a release is saved on wish, and is all that those who check it need."""

import json
import random
import stat

import pytest

import incrowd


@pytest.fixture
def table(tmp_path):
    rng = random.Random(7)
    rows = [
        f"=p{i},{rng.randrange(20, 29)},{rng.choice('mf')},{rng.choice(['flu', 'cold', 'gout'])}" for i in range(60)
    ]
    (tmp_path / "t.csv").write_text("id,age,sex,ill\n" + "\n".join(rows) + "\n")
    return tmp_path / "t.csv"


def test_a_saved_policy_alone_verifies_and_asks_the_rest(table, run):
    asked = ["--qi", "age,sex", "--sensitive", "ill", "--k", "3", "--l", "1.5", "--hierarchy", "age=intervals:5,10"]
    asked += [
        "--at-most-one",
        "age,sex",
        "--weight",
        "age=2",
        "--spreadsheet-safe",
        "--solver",
        "greedy",
        "--time-limit",
        "2",
    ]
    status, _, err = run(
        "anonymize", "t.csv", "-o", "r.csv", *asked, "--save-policy", "p.toml", "--certificate", "c.json"
    )
    assert (status, err) == (0, "")
    text = (table.parent / "p.toml").read_text()
    assert "t.csv" not in text and "r.csv" not in text and "time_limit" not in text
    for command in (
        ["verify", "t.csv", "r.csv", "--certificate", "c.json"],
        ["attack", "r.csv"],
        ["usefulness", "t.csv", "r.csv", "--time-limit", "0"],
        ["tradeoff", "t.csv", "--ks", "3", "--time-limit", "0.2"],
        ["audit", "t.csv"],
    ):
        status, out, err = run(*command, "--policy", "p.toml", "--json")
        assert status in ((0, 1) if command[0] == "audit" else (0,)), (command, err)
        assert json.loads(out)
    # the policy is the one asked: less is found to be broken
    (table.parent / "p.toml").write_text(text.replace("k = 3", "k = 30"))
    assert run("verify", "t.csv", "r.csv", "--policy", "p.toml")[0] == 1


def test_nothing_is_saved_unasked_and_a_refused_place_stops_before_anything(table, run):
    run("anonymize", "t.csv", "-o", "r.csv", "--qi", "age,sex", "--k", "3", "--solver", "greedy")
    assert {path.name for path in table.parent.iterdir()} == {"t.csv", "r.csv"}
    for name in ("t.csv", "none.csv"):
        status, out, err = run(
            "anonymize", "t.csv", "-o", "none.csv", "--qi", "age,sex", "--k", "3", "--save-policy", name
        )
        assert (status, out) == (2, "") and err == f"incrowd: output '{name}' is also an input; name another file\n"
    hierarchy = incrowd.Hierarchy.from_tree({"young": [str(age) for age in range(20, 60)]})
    with pytest.raises(incrowd.PolicyError, match="age"):
        incrowd.anonymize(
            table, quasi_identifiers=["age"], k=2, hierarchies={"age": hierarchy}, save_policy=table.parent / "p.toml"
        )
    assert {path.name for path in table.parent.iterdir()} == {"t.csv", "r.csv"}


def test_a_saved_policy_has_the_rights_of_the_file_that_stood_there(table):
    place = table.parent / "p.toml"
    place.write_text("")
    place.chmod(0o600)
    with incrowd.anonymize(
        table, qi=["age", "sex"], k=3, output=table.parent / "r.csv", save_policy=place, solver="greedy"
    ):
        pass
    assert stat.S_IMODE(place.stat().st_mode) == 0o600
    assert incrowd.Policy.load(place).k == 3
