"""`incrowd attack`: words, JSON, exit status, and what is refused."""

import json

import pytest

from people import CANARY, GOOD

RELEASED = "age,sex\n31,f\n31,f\n31,*\n31,*\n31,*\n"
WHO = ("--qi", "age,sex", "--k", "2")


@pytest.fixture
def released(tmp_path):
    (tmp_path / "r.csv").write_text(RELEASED)
    (tmp_path / "sexes.txt").write_text("f\nm\n")
    return "r.csv"


def test_a_release_is_attacked_with_what_was_published_of_it(run, table, tmp_path):
    status, out, err = run("anonymize", table, "-o", "r.csv", *GOOD, "--json")
    assert status == 0
    (tmp_path / "facts.json").write_text(out)
    status, out, err = run("attack", "r.csv", *GOOD, "--facts", "facts.json", "--original", table)
    assert (status, err) == (0, "")
    assert out.startswith("What 'r.csv'")
    assert CANARY not in out
    found = json.loads(run("attack", "r.csv", *GOOD, "--facts", "facts.json", "--original", table, "--json")[1])
    assert (found["wrong"], found["claimed_wrong"], found["premises"]["settled"]) == (0, 0, "proven")
    assert {"rows", "starred_cells", "excluded_mass", "known_rows", "by_column", "seconds", "complete"} <= set(found)


def test_what_is_known_and_possible_is_said_with_options(run, released):
    found = json.loads(run("attack", released, *WHO, "--json")[1])
    assert (found["claimed_cells"], found["claimed_determined"]) == (3, 0)
    found = json.loads(run("attack", released, *WHO, "--domain", "sex=sexes.txt", "--json")[1])
    assert found["claimed_determined"] == 3
    found = json.loads(run("attack", released, *WHO, "--knows", "policy", "--json")[1])
    assert (found["claimed_cells"], found["knows"]) == (0, ["policy"])


def test_a_release_that_breaks_its_policy_ends_with_1(run, released):
    status, out, err = run("attack", released, "--qi", "age,sex", "--k", "3")
    assert (status, err) == (1, "")
    assert "breaks its policy" in out


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (("--domain", "sex"), "COLUMN=FILE"),
        (("--domain", "sex=none.txt"), "cannot be read"),
        (("--facts", "none.json"), "cannot be read"),
        (("--knows", "everything"), "'everything' is none of"),
        (("--same-order",), "--original"),
        (("--time-limit", "-1"), "--time-limit"),
    ],
)
def test_wrong_use_is_one_sentence(run, released, options, said):
    status, out, err = run("attack", released, *WHO, *options)
    assert (status, out) == (2, "")
    assert said in err
    assert len(err.splitlines()) == 1
