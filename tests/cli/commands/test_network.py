"""`incrowd network`: every question from the shell, certificates rechecked, no label unless asked."""

import itertools
import json

import pytest

CANARY = "Zebedee"
# a path of five members with a pair of twins at one end
EDGES = [("a", "b"), ("b", "c"), ("c", "d"), ("d", "e"), ("d", "f")]


@pytest.fixture
def run(run, tmp_path):
    lines = "".join(f"{CANARY}{u},{CANARY}{v}\n" for u, v in EDGES)
    (tmp_path / "friends.csv").write_text("from,to\n" + lines)
    return lambda *arguments: run("network", *arguments)


def test_the_answer_is_told_in_words_and_names_nobody(run):
    status, out, err = run("friends.csv")
    assert (status, err) == (0, "")
    assert "6 nodes and 5 edges" in out
    assert CANARY not in out


def test_json_has_the_contracts_keys(run):
    status, out, _ = run("friends.csv", "--json")
    facts = json.loads(out)
    assert status == 0
    promised = [
        "nodes",
        "edges",
        "components",
        "directed_merged",
        "loops_dropped",
        "duplicates_dropped",
        "k",
        "attackers",
        "witness",
        "lower_bound",
        "upper_bound",
        "optimal",
        "method",
        "seconds",
    ]
    assert set(promised) <= set(facts)
    assert (facts["nodes"], facts["edges"], facts["components"]) == (6, 5, 1)
    assert facts["witness"] is None
    assert facts["optimal"] is True


def test_labels_are_shown_when_asked(run):
    facts = json.loads(run("friends.csv", "--json", "--show-labels")[1])
    assert all(label.startswith(CANARY) for label in facts["witness"])
    assert len(facts["witness"]) == facts["attackers"]


def test_the_profile_has_an_entry_for_every_k(run):
    largest = json.loads(run("friends.csv", "--json")[1])["k"]
    steps = json.loads(run("friends.csv", "--profile", "--json")[1])["profile"]
    assert [step["k"] for step in steps] == list(range(1, largest + 1))
    assert all(a["attackers"] <= b["attackers"] for a, b in itertools.pairwise(steps))


@pytest.mark.parametrize("question", [("--at-least", 2), ("--exactly", 1), ("--attackers", 2), ("--profile",)])
def test_a_certificate_is_written_and_rechecked(run, tmp_path, question):
    assert run("friends.csv", *question, "--certificate", "c.json")[0] == 0
    text = (tmp_path / "c.json").read_text()
    assert CANARY not in text
    status, out, _ = run("friends.csv", "--check", "c.json", "--json")
    assert status == 0
    assert json.loads(out)["ok"] is True


def test_a_set_that_does_not_exist_is_an_answer(run):
    status, out, _ = run("friends.csv", "--exactly", 4, "--json")
    facts = json.loads(out)
    assert status == 0
    if facts["attackers"] is None:
        assert facts["optimal"] is True


def test_risks_and_simulation(run):
    facts = json.loads(run("friends.csv", "--risks", 2, "--strategy", "greedy", "--json")[1])
    assert 0 <= facts["risks"]["re_identified"] <= 1
    facts = json.loads(run("friends.csv", "--simulate", "--trials", 3, "--sybils", 4, "--targets", 2, "--json")[1])
    assert facts["simulation"]["trials"] == 3


MISTAKES = {
    "no file": (("nobody.csv",), "there is no file 'nobody.csv'"),
    "k too large": (("friends.csv", "--exactly", 6), "5"),
    "k zero": (("friends.csv", "--at-least", 0), "from 1 to 5"),
    "l zero": (("friends.csv", "--attackers", 0), "at least 1"),
    "two questions": (("friends.csv", "--profile", "--attackers", 2), "ask one at a time"),
    "certificate of risks": (("friends.csv", "--risks", 1, "--certificate", "c.json"), "there is no claim to prove"),
    "method without its level": (("friends.csv", "--method", "algorithm-1"), "--at-least K"),
    "method of another question": (
        ("friends.csv", "--profile", "--method", "algorithm-2"),
        "--method does not go with",
    ),
    "starts alone": (("friends.csv", "--starts", 2), "starts goes with method"),
}


@pytest.mark.parametrize("case", MISTAKES)
def test_a_mistake_is_one_sentence_with_exit_status_2(run, case):
    arguments, said = MISTAKES[case]
    status, out, err = run(*arguments)
    assert status == 2
    assert out == ""
    assert said in err
    assert err.count("\n") == 1
    assert CANARY not in err


def test_a_method_of_the_paper_answers_and_says_what_it_guarantees(run):
    facts = json.loads(run("friends.csv", "--method", "algorithm-2", "--json")[1])
    assert facts["k"] == json.loads(run("friends.csv", "--json")[1])["k"] and facts["method"] == "Algorithm II"
    status, out, _ = run("friends.csv", "--at-least", 2, "--method", "algorithm-3", "--starts", 4, "--seed", 1)
    assert status == 0 and "4 of 6 nodes were drawn as starts" in out and "Theorem 1(b) as printed" in out


def test_a_forged_certificate_is_exit_1_an_unreadable_one_exit_2_a_good_one_says_what_it_proves(run, tmp_path):
    run("friends.csv", "--certificate", "c.json")
    status, out, _ = run("friends.csv", "--check", "c.json")
    assert status == 0 and "the antidimension is" in out
    facts = json.loads(run("friends.csv", "--check", "c.json", "--json")[1])
    assert (
        facts["proven"] and facts["question"] == "adim" and facts["k"] == facts["lower_bound"] == facts["upper_bound"]
    )
    content = json.loads((tmp_path / "c.json").read_text())
    (tmp_path / "cut.json").write_text(json.dumps(content | {"claims": content["claims"][:-1]}))
    status, out, err = run("friends.csv", "--check", "cut.json")
    assert (status, err) == (1, "") and "does not answer its question" in out
    (tmp_path / "empty.json").write_text(json.dumps(content | {"claims": []}))
    assert run("friends.csv", "--check", "empty.json")[0] == 1
    for name, text in (("version.json", json.dumps(content | {"version": 99})), ("deep.json", "[" * 100_000)):
        (tmp_path / name).write_text(text)
        status, out, err = run("friends.csv", "--check", name)
        assert (status, out) == (2, "") and "cannot be read" in err and err.count("\n") == 1


def test_an_estimate_is_told_in_words_and_in_json_and_asks_nothing(run):
    status, out, err = run("friends.csv", "--estimate", "--profile", "--certificate", "c.json")
    assert (status, err) == (0, "") and "6 nodes and 5 edges; nothing was searched." in out
    facts = json.loads(run("friends.csv", "--estimate", "--json", "--time-limit", "2")[1])
    assert set(facts) >= {"nodes", "edges", "memory_mb", "disk_mb", "seconds"} and facts["seconds"]["solve"] == 2
    assert "does not go with --check" in run("friends.csv", "--estimate", "--check", "c.json")[2]


def test_memory_is_limited_and_refused_where_it_is_too_little(run):
    assert run("friends.csv", "--memory", "1000GB", "--json")[0] == 0
    for asked in ((), ("--check", "c.json"), ("--estimate",)):
        status, _, err = run("friends.csv", "--memory", "50MB", *asked)
        assert status == 2 and "memory 50 MB is too little" in err
    assert "memory must be a size" in run("friends.csv", "--memory", "5")[2]
