"""`incrowd instance` and `incrowd list instances`: files on disk, sentences on standard error, exit statuses."""

import json

import pytest

from incrowd import registry


def test_a_newcomer_gets_the_files_and_the_answer(run, tmp_path):
    status, out, err = run("instance", "set-cover", "--size", 6, "--seed", 3, "-o", "hard")
    assert (status, err) == (0, "")
    answer = json.loads((tmp_path / "hard" / "answer.json").read_text())
    assert f"Threshold {answer['threshold']}: yes." in out
    assert "answer.json, policy.toml, source.json, table.csv" in out
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hard"]


def test_the_released_table_meets_the_threshold_and_verifies(run, tmp_path):
    assert run("instance", "set-cover", "--size", 5, "--sets", 4, "-o", "hard")[0] == 0
    answer = json.loads((tmp_path / "hard" / "answer.json").read_text())
    status, out, _ = run("anonymize", "--policy", "hard/policy.toml", "--solver", "exact", "-o", "r.csv", "--json")
    assert status == 0
    facts = json.loads(out)
    assert facts["optimal"]
    assert facts["cost"] == answer["optimum"] == answer["threshold"]
    assert run("verify", "hard/table.csv", "r.csv", "--policy", "hard/policy.toml")[0] == 0


def test_the_network_is_measured_as_the_answer_says(run, tmp_path):
    assert run("instance", "set-cover-network", "--size", 5, "--no", "-o", "hard")[0] == 0
    answer = json.loads((tmp_path / "hard" / "answer.json").read_text())
    assert not answer["yes"]
    status, out, _ = run("network", "hard/graph.txt", "--exactly", answer["exactly"], "--json")
    assert status == 0
    assert json.loads(out)["attackers"] == answer["optimum"] > answer["threshold"]


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("set-cover", "--size", 2, "-o", "x"), "size must be a whole number of at least 3, not 2"),
        (("set-cover", "--size", "many", "-o", "x"), "size must be a whole number"),
        (("bisection", "--size", 7, "-o", "x"), "must be even, not 7: a bisection has two equal halves"),
        (("greedy-worst", "--no", "-o", "x"), "no no-instance"),
        (("set-cover", "--named", "fano", "-o", "x"), "No such option"),
        (("set-cove", "-o", "x"), "did you mean 'set-cover'"),
        (("set-cover",), "say with -o where the files go"),
        (("set-cover", "-o", "no/such"), "does not exist"),
        (("set-cover", "--sise", 3, "-o", "x"), "No such option"),
        ((), "Missing command"),
    ],
)
def test_wrong_use_is_one_sentence_and_exit_2(run, tmp_path, arguments, said):
    status, out, err = run("instance", *arguments)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
    assert list(tmp_path.iterdir()) == []


def test_every_construction_has_a_command_with_its_parameters(run):
    status, out, _ = run("instance", "--help")
    assert status == 0
    assert all(name in out for name in registry.names("instances"))
    status, out, _ = run("instance", "half-clique", "--help")
    assert status == 0
    for option in ("--size N", "--seed N", "--no", "--edges N", "--rows N", "-o, --output DIR"):
        assert option in out
    assert "Theorem 5" in out
    assert not any(option in out for option in ("--named", "--unsolved", "--goal"))


def test_instances_are_listed_with_kind_paper_theorem_and_parameters(run):
    status, out, _ = run("list", "instances", "--json")
    assert status == 0
    listed = json.loads(out)
    assert [one["name"] for one in listed] == registry.names("instances")
    assert {tuple(one) for one in listed} == {("name", "summary", "kind", "paper", "theorem", "source", "parameters")}
    assert {one["kind"] for one in listed} == {"table", "network"}
    status, out, _ = run("list", "instances")
    assert len(out.splitlines()) == len(listed)
    assert {p["option"] for one in listed for p in one["parameters"]}.isdisjoint(("--named", "--solve", "--goal"))
    assert all("parameters" not in one for one in json.loads(run("list", "solvers", "--json")[1]))


def test_a_graph_of_ones_own_is_solved_and_mapped_back_by_its_labels(run, tmp_path):
    (tmp_path / "friends").write_text("Ann Bob\nCy Ann\nBob Cy\nCy Dee\n")
    assert run("instance", "clique", "--source", "friends", "-o", "hard")[0] == 0
    assert run("anonymize", "--policy", "hard/policy.toml", "--solver", "exact", "-o", "r.csv", "--quiet")[0] == 0
    status, out, err = run("instance", "--back", "hard", "r.csv")
    assert (status, err) == (0, "")
    assert out.splitlines()[0].endswith("yes, a clique of 3 nodes.")
    assert sorted(out.splitlines()[1:]) == ["Ann", "Bob", "Cy"]
    status, out, _ = run("instance", "--back", "hard", "r.csv", "--json")
    found = json.loads(out)
    assert (status, found["answer"], found["goal"], found["threshold"]) == (0, "yes", 3, found["cost"])
    assert sorted(found["solution"]["clique"]) == ["Ann", "Bob", "Cy"]


def test_a_network_is_mapped_back_by_the_labels_of_its_source(run, tmp_path):
    (tmp_path / "s.txt").write_text("red: a b c\nblue: c d e\ngreen: a d e\n")
    assert run("instance", "set-cover-network", "--source", "s.txt", "-o", "net")[0] == 0
    assert json.loads((tmp_path / "net" / "answer.json").read_text())["threshold"] == 2
    _, out, _ = run("network", "net/graph.txt", "--exactly", 2, "--json", "--show-labels")
    (tmp_path / "n.json").write_text(out)
    status, out, _ = run("instance", "--back", "net", "n.json", "--json")
    assert (status, json.loads(out)["solution"]) == (0, {"cover": ["red", "blue"]})


def test_a_release_that_does_not_answer_is_a_sentence_and_exit_1(run):
    assert run("instance", "set-cover", "--size", 6, "--no", "-o", "hard")[0] == 0
    assert run("anonymize", "--policy", "hard/policy.toml", "--solver", "exact", "-o", "r.csv", "--quiet")[0] == 0
    status, out, err = run("instance", "--back", "hard", "r.csv")
    assert (status, err) == (1, "")
    assert "does not answer the question" in out
    assert "It holds a cover by" in out
    assert run("instance", "--back", "hard", "r.csv", "--quiet") == (1, "", "")


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("set-cover", "--source", "missing", "-o", "x"), "there is no source 'missing'"),
        (("set-cover", "--source", "s", "--size", 4, "-o", "x"), "size chooses a source problem"),
        (("set-cover", "--source", "s", "-o", "x"), "line 1 of the source is an empty set"),
        (("greedy-worst", "--source", "s", "-o", "x"), "No such option"),
        (("--back", "x"), "requires 2 arguments"),
        (("--back", "x", "y"), "there is no folder 'x'"),
        (("--back", "x", "y", "set-cover", "-o", "z"), "go with --back alone"),
        (("--json", "set-cover", "-o", "z"), "go with --back alone"),
    ],
)
def test_wrong_sources_and_folders_are_one_sentence_and_exit_2(run, tmp_path, arguments, said):
    (tmp_path / "s").write_text("A:\n")
    status, out, err = run("instance", *arguments)
    assert (status, out) == (2, "")
    assert said in err
    assert err.count("\n") == 1
    assert [path.name for path in tmp_path.iterdir()] == ["s"]
