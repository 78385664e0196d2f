"""Every hard instance has the answer of its source problem: by the theorem, by all partitions, by the solvers, and back."""

from __future__ import annotations

import csv
import json
import random
import tomllib

import pytest

import incrowd
from incrowd import networks
from incrowd.errors import InputError, PolicyError
from incrowd.hardness import answer_of, back, instance, write
from incrowd.hardness.sources import Graph, Matching3D, SetCover
from oracle import hardness as truth
from seeds import seeds

SMALL = {  # so small that everything can be tried
    "set-cover": ["--size", 6, "--sets", 5],
    "greedy-worst": ["--size", 4],
    "triangles-and-stars": ["--size", 3],
    "one-in-three-sat": ["--size", 1],
    "matching-27": ["--size", 3, "--triples", 5],
    "triangles-2-diversity": ["--size", 2],
    "triangles-3-diversity": ["--size", 2],
    "closeness-from-anonymity": ["--size", 6],
    "bisection": ["--size", 4],
    "bisection-padded": ["--size", 4, "--edges", 2],
    "half-clique": ["--size", 4, "--edges", 4],
    "matching-closeness": ["--size", 2],
    "matching-metric": ["--size", 2],
    "set-cover-network": ["--size", 5, "--k", 2],
    "triangles-ternary": ["--size", 2],
    "clique": ["--size", 4, "--edges", 4],
    "bisection-closeness": ["--size", 6],
    "bisection-padded-closeness": ["--size", 4, "--edges", 4],
    "half-clique-closeness": ["--size", 6, "--edges", 6],
    "dominating-set-network": ["--size", 4, "--k", 1],
    "set-cover-domination-network": ["--size", 4, "--k", 1],
    "exact-cover-network": ["--size", 6, "--sets", 3, "--k", 1],
}
LARGER = {name: [] for name in SMALL}  # as they come
QUICK = ["set-cover", "triangles-3-diversity", "half-clique", "set-cover-network", "exact-cover-network"]


def settings(options):
    return {flag[2:]: value for flag, value in zip(options[::2], options[1::2], strict=True)}


def read(folder):
    answer = json.loads((folder / "answer.json").read_text())
    return answer, json.loads((folder / "source.json").read_text())


def expected(answer, held):
    return truth.told(answer["name"], held["parameters"], held.get("problem"), held.get("source"), answer)


def agrees(folder):
    """The answer that is written is that of the theorem and the source problem."""
    answer, held = read(folder)
    threshold, yes, optimum = expected(answer, held)
    assert (answer["threshold"], answer["yes"]) == (threshold, yes)
    if answer["optimum"] is not None and optimum is not None:
        assert answer["optimum"] == optimum
    assert (answer["optimum"] is None) <= (not yes)
    if answer["kind"] == "table":
        with (folder / "table.csv").open(newline="") as file:
            columns, *rows = csv.reader(file)
        policy = tomllib.loads((folder / "policy.toml").read_text())
        assert policy["job"] == {"source": "table.csv"}
        if len(rows) <= 9:
            stars, _ = truth.by_definition(columns, rows, policy)
            assert yes == (stars <= threshold) and answer["optimum"] in (None, stars)
    return answer, held


@pytest.mark.parametrize(
    ("name", "options", "no"),
    [
        *((name, SMALL[name], False) for name in QUICK),
        *((name, SMALL[name], True) for name in ("matching-closeness", "dominating-set-network")),
        *(pytest.param(name, sizes[name], no, marks=pytest.mark.proofs) for sizes in (SMALL, LARGER) for name in SMALL
          for no in (False, True) if name != "greedy-worst" or (sizes is SMALL and not no)),
    ],
)  # fmt: skip
def test_the_solvers_find_the_theorems_answer_and_the_way_back_a_solution(run, tmp_path, name, options, no):
    status, out, err = run("instance", name, *options, *(["--no"] if no else []), "-o", "hard")
    if status == 2 and no:
        assert "no-instance" in err
        return
    assert (status, err) == (0, "")
    answer, held = agrees(tmp_path / "hard")
    assert answer["yes"] == (not no) and f"Threshold {answer['threshold']}: {'no' if no else 'yes'}." in out
    assert (f"The optimum is {answer['optimum']}." in out) == (answer["optimum"] is not None)
    if answer["kind"] == "table":
        asked = ("--policy", "hard/policy.toml", "--solver", "exact", "-o", "r.csv", "--json")
        found = json.loads(run("anonymize", *asked)[1])
        least = found["cost"]
        assert found["optimal"] and run("verify", "hard/table.csv", "r.csv", "--policy", "hard/policy.toml")[0] == 0
    else:
        asked = ("--exactly", answer["exactly"], "--json", "--show-labels")
        found = json.loads(run("network", "hard/graph.txt", *asked)[1])
        least = found["attackers"]
        assert found["optimal"]
        (tmp_path / "r.csv").write_text(json.dumps(found))
    assert answer["optimum"] in (None, least) and (least <= answer["threshold"]) == answer["yes"]
    status, out, err = run("instance", "--back", "hard", "r.csv", "--json")
    given = json.loads(out)
    assert (status, err) == (0 if answer["yes"] else 1, "")
    assert given["answer"] == ("yes" if answer["yes"] else None)
    assert (given["cost"], given["threshold"], given["construction"]) == (least, answer["threshold"], name)
    words = run("instance", "--back", "hard", "r.csv")[1].splitlines()
    assert words[0] == given["sentence"]
    assert run("instance", "--back", "hard", "r.csv", "--quiet")[1] == ""
    if answer["yes"]:
        assert truth.solves(name, held["parameters"], held.get("source"), given["solution"])
        assert ": yes, " in words[0]
    else:
        assert "so it does not answer the question; if nothing with fewer exists, the answer is no." in words[0]


MANY = {
    "set-cover": [{"size": 3}, {"size": 5, "sets": 3}, {"size": 7}, {"size": 4}],
    "triangles-and-stars": [{"size": 2}, {"size": 3}],
    "one-in-three-sat": [{"size": 1}, {"size": 2}],
    "matching-27": [{"size": 1}, {"size": 3}, {"size": 2, "triples": 3}],
    "triangles-2-diversity": [{"size": 1}, {"size": 3}, {"size": 2}],
    "triangles-3-diversity": [{"size": 2}, {"size": 3}],
    "closeness-from-anonymity": [{"size": 7}, {"size": 8, "k": 4, "columns": 5}, {"size": 6, "values": 2}],
    "bisection": [{"size": 4}, {"size": 6}, {"size": 8, "edges": 8}],
    "bisection-padded": [{"size": 4, "edges": 3}, {"size": 4, "c": "1/3"}, {"size": 6, "c": "1/5"}],
    "half-clique": [{"size": 4}, {"size": 6, "rows": 2, "edges": 6}, {"size": 8, "edges": 9}],
    "matching-closeness": [{"size": 1}, {"size": 2}, {"size": 3, "t": "3/10"}, {"size": 3, "t": 0}],
    "matching-metric": [{"size": 2}, {"size": 2, "t": "2/5"}],
    "set-cover-network": [{"size": 3}, {"size": 5, "k": 1}, {"size": 6, "k": 3}],
    "triangles-ternary": [{"size": 1}, {"size": 3}],
    "clique": [{"size": 3}, {"size": 5}, {"size": 4, "edges": 6}],
    "bisection-closeness": [{"size": 4}, {"size": 6}],
    "bisection-padded-closeness": [{"size": 4, "edges": 3}],
    "half-clique-closeness": [{"size": 4}, {"size": 6, "edges": 6}],
    "dominating-set-network": [{"size": 2}, {"size": 4, "k": 1}, {"size": 5, "edges": 6}],
    "set-cover-domination-network": [{"size": 3, "k": 1}, {"size": 4}],
    "exact-cover-network": [{"size": 3}, {"size": 6, "k": 1}],
}  # fmt: skip


@seeds(60, 1, first=7)
def test_drawn_instances_have_the_answer_of_their_source_problem(tmp_path, seed):
    met = {False: 0, True: 0}
    for name, several in MANY.items():
        for given in several:
            for no in (False, True):
                try:
                    made = instance(name, seed=seed, no=no, **given)
                except PolicyError as error:
                    assert no, error
                    continue
                write(made, tmp_path / "hard")
                answer, held = agrees(tmp_path / "hard")
                assert answer["yes"] == (not no)
                met[answer["yes"]] += 1
                if made.witness is not None:  # the proof's own release or set
                    release = made.table.released(made.witness) if made.table else made.witness
                    found = answer_of(made, random.Random(seed).sample(release, len(release)))  # in any order
                    assert found.cost == answer["optimum"] and found.reached == answer["yes"]
                    if found.reached:
                        facts = json.loads(json.dumps(found.to_json()))["solution"]
                        assert truth.solves(name, held["parameters"], held.get("source"), facts)
    assert met[True] > 40 and met[False] > 20


@seeds(200, 12)
def test_networks_of_covers_have_their_least_covers_as_smallest_sets(seed):
    rng = random.Random(seed)
    name = ("set-cover-network", "dominating-set-network", "set-cover-domination-network")[seed % 3]
    k = rng.randint(1, 3)
    try:
        made = instance(name, size=rng.randint(3, 4), k=k, seed=seed, no=bool(seed % 2))
    except PolicyError:
        return
    found = networks.antidimension(list(made.edges), exactly=k)
    assert found.optimal and found.attackers == made.optimum and (found.attackers <= made.threshold) == made.yes
    assert answer_of(made, found.witness).reached == made.yes


@pytest.mark.few(2)
@pytest.mark.parametrize("m", [3, 2, 4, 5])
def test_greedy_pays_m_less_one_times_the_least_on_its_worst_family(tmp_path, m):
    write(instance("greedy-worst", size=m), tmp_path / "hard")
    answer, _ = read(tmp_path / "hard")
    policy = incrowd.Policy.load(tmp_path / "hard" / "policy.toml")
    greedy = incrowd.anonymize(tmp_path / "hard" / "table.csv", policy=policy, solver="greedy")
    assert greedy.cost == answer["greedy"] == (m - 1) * m * m
    assert incrowd.anonymize(tmp_path / "hard" / "table.csv", policy=policy, solver="exact").cost == m * m


# ------------------------------------------------------------------------------------------- sources of one's own


def names(**labels):
    return {kind: text.split() for kind, text in labels.items()}


def graph(nodes, *edges):
    """A graph whose nodes are named: pairs of names, nodes without edges included."""
    place = {name: number for number, name in enumerate(nodes.split())}
    pairs = sorted(sorted((place[a], place[b])) for a, b in (edge.split() for edge in edges))
    return {"problem": "graph", "source": {"nodes": len(place), "edges": pairs}, "labels": names(nodes=nodes)}


def sets(elements, *held):
    source = {"universe": len(elements), "sets": [[elements.index(u) for u in one] for one in held]}
    return {"problem": "sets", "source": source, "labels": {"elements": [*elements], "sets": [*"ABCD"[: len(held)]]}}


def tripartite(sides, *edges):
    made = graph(*edges)
    return {**made, "problem": "tripartite graph", "source": {**made["source"], "sides": sides}}


TRIANGLE = graph("a b c", "a b", "b c", "a c")
PATH = graph("a b c d", "a b", "b c", "c d")
TRIPLES = {
    "problem": "triples",
    "source": {"side": 2, "triples": [[0, 0, 0], [1, 1, 1]]},
    "labels": names(W="a b", X="a b", Y="a b"),
}
HALVES = {"half": ["a", "b"], "other_half": ["c", "d"], "cut": 1}
PARTS = {"parts": [[["a", "b"], ["a", "c"], ["b", "c"]]]}
FILES = {  # a source problem as JSON, and the names in its solution
    "set-cover": (sets("abcd", "abc", "bcd"), {"cover": ["A", "B"]}),
    "set-cover-network": (sets("abcd", "ab", "bcd"), {"cover": ["A", "B"]}),
    "set-cover-domination-network": (sets("abc", "ab", "bc"), {"cover": ["A", "B"]}),
    "exact-cover-network": (sets("abcdef", "abc", "def"), {"cover": ["A", "B"]}),
    "triangles-and-stars": (TRIANGLE, PARTS),
    "triangles-ternary": (TRIANGLE, PARTS),
    "one-in-three-sat": ({"problem": "formula", "source": {"variables": 3, "clauses": [[1, 2, 3]]}}, None),
    "matching-27": (TRIPLES, {"matching": [["a", "a", "a"], ["b", "b", "b"]]}),
    "matching-closeness": (TRIPLES, {"matching": [["a", "a", "a"], ["b", "b", "b"]]}),
    "matching-metric": (TRIPLES, {"matching": [["a", "a", "a"], ["b", "b", "b"]]}),
    "triangles-2-diversity": (tripartite([0, 1, 2], "a b c", "a b", "b c", "a c"), PARTS),
    "triangles-3-diversity": (tripartite([2, 0, 1], "a b c", "a b", "b c", "a c"), PARTS),
    "closeness-from-anonymity": (
        {"problem": "rows", "source": {"rows": [["a", "b"], ["a", "c"], ["a", "b"]]}, "labels": {}},
        {"classes": [[1, 2, 3]], "stars": 3},
    ),
    "bisection": (PATH, HALVES),
    "bisection-padded": (PATH, HALVES),
    "bisection-closeness": (PATH, HALVES),
    "bisection-padded-closeness": (PATH, HALVES),
    "half-clique": (graph("a b c d", "a b"), {"clique": ["a", "b"]}),
    "half-clique-closeness": (graph("a b c d", "a b"), {"clique": ["a", "b"]}),
    "clique": (graph("Ann Bob Cy Dee", "Ann Bob", "Cy Ann", "Bob Cy", "Cy Dee"), {"clique": ["Ann", "Bob", "Cy"]}),
    "dominating-set-network": (graph("a b c d", "a b", "a c", "a d"), {"dominating_set": ["a"]}),
}


def lists(value):
    return [lists(one) for one in value] if isinstance(value, list | tuple) else value


def release_written(path, made, release):
    """Write a table's release, or a network's attackers, as somebody else would."""
    if made.table:
        with path.open("w", newline="") as file:
            csv.writer(file).writerows([made.table.columns, *sorted(release)])
    else:
        path.write_text(" ".join(map(str, release)))


def canonical(facts):
    """A solution with what has no order sorted."""
    return {key: sorted(lists(value)) if isinstance(value, list | tuple) else value for key, value in facts.items()}


@pytest.mark.parametrize("name", FILES)
def test_a_source_of_ones_own_is_solved_and_its_solution_comes_back_by_its_names(tmp_path, name):
    held, wanted = FILES[name]
    (tmp_path / "source").write_text(json.dumps(held))
    made = instance(name, tmp_path / "source")
    assert made.yes
    release = made.table.released(made.witness) if made.table else made.witness
    facts = json.loads(json.dumps(answer_of(made, release).to_json()))["solution"]
    if name == "one-in-three-sat":
        assert sum(v > 0 for v in facts["assignment"]) == 1
    else:
        assert canonical(facts) == canonical(wanted)
    goal = {"goal": made.goal} if "goal" in made.parameters else {}
    opened = instance(name, tmp_path / "source", solve=False, **goal)
    assert (opened.yes, opened.optimum, opened.witness) == (None, None, None)
    assert (opened.table, opened.edges, opened.threshold) == (made.table, made.edges, made.threshold)
    assert (opened.policy, opened.labels) == (made.policy, made.labels)
    write(opened, tmp_path / "hard")  # and back through the folder, which solves nothing
    release_written(tmp_path / "r", made, release)
    found = back(tmp_path / "hard", tmp_path / "r")
    assert found.reached and canonical(json.loads(json.dumps(found.to_json()))["solution"]) == canonical(facts)


def test_a_source_of_ones_own_from_the_shell(run, tmp_path):
    (tmp_path / "friends").write_text(json.dumps(FILES["clique"][0]))
    status, out, _ = run("instance", "clique", "--source", "friends", "-o", "hard")
    assert status == 0 and "(a clique of 3 nodes)" in out and sorted(out.split("In hard/: ")[1][:-2].split(", ")) == [
        "answer.json", "policy.toml", "source.json", "table.csv"]  # fmt: skip
    assert run("anonymize", "--policy", "hard/policy.toml", "--solver", "exact", "-o", "r.csv", "--quiet")[0] == 0
    status, out, _ = run("instance", "--back", "hard", "r.csv")
    assert status == 0 and out.splitlines()[0].endswith("yes, a clique of 3 nodes.")
    assert sorted(out.splitlines()[1:]) == ["Ann", "Bob", "Cy"]


@pytest.mark.parametrize("name", [name for name in SMALL if name != "greedy-worst"])
def test_an_example_is_a_source_of_ones_own(run, tmp_path, name):
    status, out, err = run("instance", name, *SMALL[name], "--example")
    assert (status, err) == (0, "") and list(tmp_path.iterdir()) == []
    (tmp_path / "mine.json").write_text(out)
    given = json.loads(out)
    beside = ["--k", 2] if "--k" in SMALL[name] else []
    assert run("instance", name, "--source", "mine.json", *beside, "-o", "hard")[0] == 0
    answer, held = read(tmp_path / "hard")
    assert answer["yes"] and {key: held[key] for key in given} == given
    again = run("instance", name, "--source", "hard/source.json", *beside, "-o", "more")
    assert again[0] == 0 and read(tmp_path / "more")[1]["source"] == held["source"]


def test_goals_problems_and_instances_of_instances(tmp_path):
    (tmp_path / "s").write_text(json.dumps(FILES["set-cover"][0]))
    asked = [instance("set-cover", tmp_path / "s", goal=goal) for goal in (0, 1, 2, 3)]
    assert [made.yes for made in asked] == [False, False, True, True]
    assert [made.threshold for made in asked] == [22, 25, 28, 31]
    assert not instance("matching-closeness", Matching3D(2, ((0, 0, 0),))).yes
    assert instance("triangles-and-stars", Graph(3, ((0, 1), (0, 2), (1, 2)))).yes
    inner = instance("bisection", size=6)
    write(inner, tmp_path / "inner")
    for source in (inner, tmp_path / "inner"):
        made = instance("closeness-from-anonymity", source)
        assert (made.optimum, made.threshold, made.yes) == (inner.optimum, inner.threshold, True)
        assert made.table.rows[0][:-1] == inner.table.rows[0] and made.policy["require"][0]["t"] == "1/2"
        found = answer_of(made, made.table.released(made.witness))
        assert found.reached and found.to_json()["solution"]["cut"] == inner.goal
    assert instance("closeness-from-anonymity", tmp_path / "inner", solve=False).yes is None


def changed(name, **more):
    """The source of a file with other fields."""
    held = FILES[name][0]
    return {**held, "labels": {}, "source": {**held["source"], **more}}


BAD_SOURCES = [
    ("set-cover", "", "no JSON"),
    ("set-cover", "A: a b c\n", "no JSON"),
    ("set-cover", "a\0b", "zero bytes"),
    ("set-cover", "[" * 100_000, "no JSON"),
    ("set-cover", '{"problem": "sets", "problem": "sets"}', "no JSON"),
    ("set-cover", "[1]", "it must be an object of problem, source and labels"),
    ("set-cover", {**FILES["set-cover"][0], "lables": {}}, "it must be an object of problem, source and labels"),
    ("set-cover", PATH, "problem must be sets; --example prints one"),
    ("set-cover", {"problem": "sets"}, "source must have universe and sets"),
    ("set-cover", changed("set-cover", more=1), "source must have universe and sets"),
    ("set-cover", changed("set-cover", universe="4"), "universe must be a whole number from 0 to 5,000"),
    ("set-cover", changed("set-cover", universe=True), "universe must be a whole number"),
    ("set-cover", changed("set-cover", universe=5001), "universe must be a whole number"),
    ("set-cover", changed("set-cover", sets=4), "sets must be a list of at most 50,000 entries"),
    ("set-cover", changed("set-cover", sets=[[0]] * 50_001), "sets must be a list of at most 50,000 entries"),
    ("set-cover", changed("set-cover", sets=[[0, 1.5]]), "sets must hold whole numbers up to 50,000"),
    ("set-cover", changed("set-cover", sets=[[0, None]]), "sets must hold whole numbers"),
    ("set-cover", changed("set-cover", sets=[[0, [1]]]), "sets must hold whole numbers"),
    ("set-cover", changed("set-cover", sets=[[0, 10**30]]), "sets must hold whole numbers"),
    ("set-cover", changed("set-cover", sets=[0, 1]), "distinct elements"),
    ("set-cover", changed("set-cover", sets=[7, 1]), "must be those of a problem of sets"),
    ("set-cover", changed("set-cover", sets=[[]]), "distinct elements"),
    ("set-cover", changed("set-cover", sets=[[0, 0, 1]]), "distinct elements"),
    ("set-cover", changed("set-cover", sets=[[0, 1], [0, 1, 2]]), "three elements, and 1 of 2 have more or fewer"),
    ("set-cover", changed("set-cover", sets=[[0, 1, 2]]), "cover every element"),
    ("set-cover", {**FILES["set-cover"][0], "labels": {"sets": []}}, "labels must name elements, sets"),
    ("set-cover", {**FILES["set-cover"][0], "labels": {"elements": [*"abcd"], "sets": ["A"]}}, "must be 2 different names"),
    ("set-cover", {**FILES["set-cover"][0], "labels": {"elements": [*"abca"], "sets": ["A", "B"]}}, "must be 4 different names"),
    ("set-cover", {**FILES["set-cover"][0], "labels": {"elements": [*"abc", 7], "sets": ["A", "B"]}}, "texts of 1 to 200 characters"),
    ("set-cover", {**FILES["set-cover"][0], "labels": {"elements": [*"abc", "d" * 201], "sets": ["A", "B"]}}, "texts of 1 to 200"),
    ("exact-cover-network", changed("exact-cover-network", sets=[[0, 1]]), "three elements"),
    ("exact-cover-network", sets("abcd", "abc", "bcd"), "must be a multiple of three, not 4"),
    ("set-cover-domination-network", sets(""), "there must be an element"),
    ("bisection", changed("bisection", edges=[[0, 1], [0, 1]]), "each once"),
    ("bisection", changed("bisection", edges=[[1, 0]]), "pairs u < v of the nodes 0 to 3"),
    ("bisection", changed("bisection", edges=[[0, 0]]), "pairs u < v"),
    ("bisection", changed("bisection", edges=[[0, 4]]), "pairs u < v"),
    ("bisection", changed("bisection", edges=[[0, 1, 2]]), "must be those of a problem of graph"),
    ("bisection", changed("bisection", edges=["ab"]), "edges must hold whole numbers"),
    ("bisection", graph("a b c", "a b", "b c"), "an even number of at least 4 nodes and an edge, not 3 nodes and 2 edges"),
    ("bisection", FILES["triangles-2-diversity"][0], "problem must be graph"),
    ("bisection-padded", graph("a b c", "a b", "b c"), "an even number"),
    ("half-clique", graph("a b c", "a b", "b c"), "an even number"),
    ("half-clique", graph("a b c d"), "an edge"),
    ("clique", graph("a b"), "the graph needs an edge"),
    ("dominating-set-network", graph(""), "the graph needs a node"),
    ("triangles-and-stars", graph("a b", "a b"), "at least 3 edges, not 1"),
    ("triangles-ternary", graph("a b", "a b"), "at least 3 edges, not 1"),
    ("triangles-2-diversity", TRIANGLE, "problem must be tripartite graph"),
    ("triangles-2-diversity", changed("triangles-2-diversity", sides=[0, 1]), "every node needs a side"),
    ("triangles-2-diversity", changed("triangles-2-diversity", sides=[0, 1, 3]), "every node needs a side"),
    ("triangles-2-diversity", changed("triangles-2-diversity", sides=[[0], [1], [2]]), "every node needs a side"),
    ("triangles-2-diversity", changed("triangles-2-diversity", sides=[0, 0, 1]), "two nodes of different sides"),
    ("triangles-3-diversity", changed("triangles-3-diversity", edges=[[0, 1]]), "an edge between any two classes"),
    ("matching-27", changed("matching-27", triples=[[0, 1]]), "must be those of a problem of triples"),
    ("matching-27", changed("matching-27", triples=[[0, 0, 0], [0, 0, 0]]), "every triple must be given once"),
    ("matching-27", changed("matching-27", triples=[[0, 0, 2]]), "coordinates of a triple must be from 0 to 1"),
    ("matching-27", changed("matching-27", triples=[[0, 0, -1]]), "coordinates of a triple"),
    ("matching-27", changed("matching-27", side=4, triples=[[0, i, i] for i in range(4)]), "1 of 12 are in more"),
    ("one-in-three-sat", changed("one-in-three-sat", clauses=[[1, 2]]), "must be those of a problem of formula"),
    ("one-in-three-sat", changed("one-in-three-sat", clauses=[[1, -1, 2]]), "three different variables of 1 to 3"),
    ("one-in-three-sat", changed("one-in-three-sat", clauses=[[1, 2, 4]]), "three different variables of 1 to 3"),
    ("one-in-three-sat", changed("one-in-three-sat", clauses=[[1, 2, 0]]), "three different variables of 1 to 3"),
    ("one-in-three-sat", changed("one-in-three-sat", clauses=[]), "needs a clause"),
    ("closeness-from-anonymity", changed("closeness-from-anonymity", rows=[]), "there must be a row"),
    ("closeness-from-anonymity", changed("closeness-from-anonymity", rows=[[], []]), "there must be a row"),
    ("closeness-from-anonymity", changed("closeness-from-anonymity", rows=[["a"], ["a", "b"]]), "equal length"),
    ("closeness-from-anonymity", changed("closeness-from-anonymity", rows=["a", "b", "c"]), "there must be a row"),
    ("closeness-from-anonymity", changed("closeness-from-anonymity", rows=[["a", "b"], "ab", ["a", "b"]]), "equal length"),
    ("closeness-from-anonymity", changed("closeness-from-anonymity", rows=[["a", ""]]), "texts of 1 to 200 characters"),
    ("closeness-from-anonymity", changed("closeness-from-anonymity", rows=[["a", "*"]]), "none of them a star"),
    ("closeness-from-anonymity", changed("closeness-from-anonymity", rows=[["a", 1]]), "rows must hold texts"),
    ("closeness-from-anonymity", changed("closeness-from-anonymity", rows=[["a"]]), "k must be from 1 to the 1 rows, not 3"),
    ("closeness-from-anonymity", changed("closeness-from-anonymity", rows=[["a"]] * 60), "groups to choose from, more than 20,000"),
    ("greedy-worst", PATH, "takes no source of one's own"),
]  # fmt: skip


@pytest.mark.parametrize(("name", "text", "said"), BAD_SOURCES, ids=lambda x: str(x)[-30:])
def test_a_bad_source_is_one_sentence_that_says_what_is_missing(tmp_path, name, text, said):
    (tmp_path / "source").write_text(text if isinstance(text, str) else json.dumps(text))
    with pytest.raises((InputError, PolicyError), match=said) as error:
        instance(name, tmp_path / "source")
    assert "\n" not in str(error.value)


WRONG = [
    (("set-cover", "--size", 2, "-o", "x"), "size must be a whole number of at least 3, not 2"),
    (("set-cover", "--size", "many", "-o", "x"), "size must be a whole number"),
    (("set-cover", "--size", 9, "--sets", 2, "-o", "x"), "2 sets of 3 elements cannot cover 9; ask for more sets"),
    (("set-cover", "--size", 5, "--sets", 11, "-o", "x"), "there are only 10 sets of 3 among 5 elements"),
    (("set-cover", "--size", 3, "--no", "-o", "x"), "none of 200 draws is a no-instance"),
    (("set-cover", "--named", "fano", "-o", "x"), "No such option"),
    (("set-cove", "-o", "x"), "did you mean 'set-cover'"),
    (("set-cover",), "say with -o where the files go"),
    (("set-cover", "-o", "no/such"), "does not exist"),
    (("set-cover", "-o", "s"), "'s' is a file; name a folder"),
    (("set-cover", "-o", "full"), "folder 'full' holds other files than an instance's"),
    (("set-cover", "--sise", 3, "-o", "x"), "No such option"),
    (("set-cover", "--source", "missing", "-o", "x"), "there is no source 'missing'"),
    (("set-cover", "--source", "s", "--size", 4, "-o", "x"), "size chooses a source problem, and one is given"),
    (("set-cover", "--source", "full", "-o", "x"), "must be a file"),
    (("set-cover", "--source", "s", "-o", "x"), "source 's' is no JSON"),
    (("greedy-worst", "--example"), "No such option"),
    (("bisection", "--size", 7, "-o", "x"), "must be even, not 7: a bisection has two equal halves"),
    (("bisection", "--size", 2, "-o", "x"), "size must be a whole number of at least 4"),
    (("bisection", "--size", 4, "--edges", 7, "-o", "x"), "a graph of 4 nodes has at most 6 edges, not 7"),
    (("bisection", "--size", 4, "--edges", 1, "--no", "-o", "x"), "none of 200 draws is a no-instance"),
    (("bisection-padded", "--c", "1/2", "-o", "x"), "c must be above 0 and at most 1/3, not 1/2"),
    (("bisection-padded", "--size", 4, "--c", "3/10", "-o", "x"), "n / (2 c) must be whole"),
    (("half-clique", "--size", 5, "-o", "x"), "must be even, not 5: the clique has half of the nodes"),
    (("half-clique", "--size", 4, "--no", "-o", "x"), "none of 200 draws is a no-instance"),
    (("half-clique", "--size", 6, "--rows", 3, "-o", "x"), "rows must be fewer than half of the 6 nodes, not 3"),
    (("half-clique", "--size", 8, "--edges", 5, "-o", "x"), "a clique of 4 nodes has 6 edges, more than 5"),
    (("half-clique", "--size", 8, "--edges", 29, "-o", "x"), "a graph of 8 nodes has at most 28 edges, not 29"),
    (("matching-27", "--size", 1, "--no", "-o", "x"), "needs a size of at least 2"),
    (("matching-closeness", "--t", "1/3", "-o", "x"), "t must be at least 0 and below 1/3, not 1/3"),
    (("matching-closeness", "--size", 1, "--no", "-o", "x"), "needs a size of at least 2"),
    (("matching-closeness", "--size", 1, "--triples", 2, "-o", "x"), "triples"),
    (("matching-metric", "--t", "1/4", "-o", "x"), "t must be at least 1/3 and below 1/2, not 1/4"),
    (("matching-metric", "--size", 2, "--t", "41/100", "-o", "x"), "must be whole"),
    (("exact-cover-network", "--size", 3, "--sets", 2, "-o", "x"), "only 1 sets of 3 among 3 elements"),
    (("closeness-from-anonymity", "--size", 3, "--k", 4, "-o", "x"), "k must be from 1 to the 3 rows, not 4"),
    (("exact-cover-network", "--size", 4, "-o", "x"), "size must be a multiple of three, not 4"),
    (("exact-cover-network", "--size", 3, "--no", "-o", "x"), "none of 200 draws is a no-instance"),
    (("clique", "--size", 3, "--edges", 3, "--no", "-o", "x"), "none of 200 draws is a no-instance"),
    (("greedy-worst", "--no", "-o", "x"), "no no-instance"),
    (("greedy-worst", "--source", "s", "-o", "x"), "No such option"),
    (
        ("greedy-worst", "--size", 200, "-o", "x"),
        "the table would have 40,000 rows and 200 columns, more than 4,000,000",
    ),
    (("set-cover-network", "--size", 60, "--k", 100, "-o", "x"), "more than 4,000,000"),
    ((), "Missing command"),
    (("--back", "x"), "requires 2 arguments"),
    (("--back", "x", "y"), "there is no folder 'x'"),
    (("--back", "s", "y"), "'s' is no folder"),
    (("--back", "full", "y"), "holds no source.json"),
    (("--back", "x", "y", "set-cover", "-o", "z"), "go with --back alone"),
    (("--json", "set-cover", "-o", "z"), "go with --back alone"),
]


@pytest.mark.parametrize(
    ("arguments", "said"), WRONG, ids=lambda x: " ".join(map(str, x)) if isinstance(x, tuple) else ""
)
def test_wrong_use_is_one_sentence_and_exit_2(run, tmp_path, arguments, said):
    (tmp_path / "s").write_text("A: a b c\n")
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "mine").write_text("")
    status, out, err = run("instance", *arguments)
    assert (status, out) == (2, "") and said in err and err.count("\n") == 1
    assert sorted(path.name for path in tmp_path.iterdir()) == ["full", "s"]


@pytest.mark.parametrize(
    ("call", "said"),
    [
        (lambda: instance("matching-metric", goal=2), "has no parameter 'goal'"),
        (lambda: instance("set-cover", sise=3), "has no parameter 'sise', did you mean 'size'|has no parameter 'sise'"),
        (lambda: instance("set-cover", solve=False), "needs one's own"),
        (lambda: instance("set-cover", goal=2, no=True), "a goal says what is asked"),
        (lambda: instance("set-cover", instance("bisection", size=4)), "set-cover takes no other instance"),
        (lambda: instance("closeness-from-anonymity", instance("bisection", size=4), k=2), "leave out k: the instance"),
        (lambda: instance("closeness-from-anonymity", instance("matching-closeness", size=2)), "asks for k-anonymity alone"),
        (lambda: instance("closeness-from-anonymity", instance("set-cover-network")), "asks for k-anonymity alone"),
        (lambda: instance("half-clique", Graph(4, ((0, 1), (2, 3))), rows=2), "fewer than half of the 4 nodes"),
        (lambda: instance("set-cover", Graph(4, ())), "must be a SetCover, or a file that holds one"),
        (lambda: instance("set-cover", SetCover(1, ((0,),)), size=3), "size chooses a source problem"),
    ],
)  # fmt: skip
def test_wrong_calls_are_one_sentence(call, said):
    with pytest.raises(PolicyError, match=said):
        call()


# ------------------------------------------------------------------------------------------- folders, releases, node sets


def test_an_earlier_instance_in_the_folder_is_replaced_and_its_rights_are_kept(tmp_path):
    write(instance("set-cover", size=4), tmp_path / "hard")
    (tmp_path / "hard").chmod(0o750)
    names = write(instance("set-cover-network", size=4), tmp_path / "hard")
    assert names == ("answer.json", "graph.txt", "source.json")
    assert sorted(path.name for path in (tmp_path / "hard").iterdir()) == list(names)
    assert (tmp_path / "hard").stat().st_mode & 0o777 == 0o750
    assert [path.name for path in tmp_path.iterdir()] == ["hard"]


HARD = {"table": ("set-cover", {"size": 4}), "network": ("set-cover-network", {"size": 4})}
RELEASES = [
    ("table", "", "lacks 3 of the table's 3 columns"),
    ("table", "element,left\n", "lacks 1 of the table's 3 columns"),
    ("table", "element,left,right,left\n1,2,3,4\n", "names one twice"),
    ("table", "element,left,right\n1,2\n", "row 1 of release 'r' has another number of cells"),
    ("table", "element,left,right\n" + "*,*,*\n" * 30, "more than the table's 20 rows"),
    ("table", "element,left,right\n" + "*,*,*\n" * 3, "a release of this table has 20 rows, not 3"),
    ("table", 'element,left,right\n"1,2,3\n', "no CSV"),
    ("table", "element,left,right\n1,\0,3\n", "zero bytes"),
    ("table", "element,left,right\n" + "z,*,*\n" * 20, "it is no release of this table"),
    ("network", "99", "whole numbers from 0 to"),
    ("network", "-1", "whole numbers from 0 to"),
    ("network", "a", "whole numbers from 0 to"),
    ("network", "[true]", "whole numbers from 0 to"),
    ("network", "[1.0]", "whole numbers from 0 to"),
    ("network", "9" * 5000, "whole numbers from 0 to"),
    ("network", "1 1", "names a node twice"),
    ("network", " ".join(map(str, range(99))), "more than the network's|whole numbers"),
    ("network", "{}", "has no witness"),
    ("network", "{", "no JSON"),
    ("network", '{"witness": null}', "has no witness"),
    ("network", '{"claims": [7]}', "has no witness"),
]


@pytest.mark.parametrize(("kind", "text", "said"), RELEASES, ids=lambda x: str(x)[:25])
def test_what_is_no_release_or_node_set_is_one_sentence(tmp_path, kind, text, said):
    name, given = HARD[kind]
    write(instance(name, **given), tmp_path / "hard")
    (tmp_path / "r").write_text(text)
    with pytest.raises(InputError, match=said) as error:
        back(tmp_path / "hard", tmp_path / "r")
    assert "\n" not in str(error.value)
    with pytest.raises(InputError, match="there is no"):
        back(tmp_path / "hard", tmp_path / "missing")


@pytest.mark.parametrize(
    "form", ["{} {}", "{},{}\n", '{{"witness": [{}, {}]}}', '{{"claims": [{{"members": ["{}", "{}"]}}]}}', "[{}, {}]"]
)
def test_nodes_are_read_from_numbers_and_from_answers(tmp_path, form):
    made = instance("set-cover-network", size=4)
    write(made, tmp_path / "hard")
    assert len(made.witness) == 2
    (tmp_path / "r").write_text(form.format(*made.witness))
    assert back(tmp_path / "hard", tmp_path / "r").reached


def test_columns_of_a_release_are_found_by_name(tmp_path):
    made = instance("set-cover", size=4)
    write(made, tmp_path / "hard")
    rows = [("x", row[2], row[0], row[1]) for row in made.table.released(made.witness)]
    with (tmp_path / "r").open("w", newline="") as file:
        csv.writer(file).writerows([("more", "right", "element", "left"), *rows])
    assert back(tmp_path / "hard", tmp_path / "r").reached


@pytest.mark.parametrize("name", [name for name in SMALL if not name.endswith("network")])
def test_the_table_itself_is_cheap_and_answers_nothing(name):
    try:
        made = instance(name, **settings(SMALL[name]), no=True)
    except PolicyError:
        made = instance(name, **settings(SMALL[name]))
    found = answer_of(made, made.table.rows)
    assert found.cost == 0 and not found.reached
    assert found.told is None or made.policy["k"] == 1
    if found.told is None:
        assert "it is not what the folder's policy or question asks for" in found.sentence()


@pytest.mark.parametrize(("kind", "file"), [("table", "table.csv"), ("network", "graph.txt")])
def test_a_folder_whose_table_or_graph_was_changed_is_refused(tmp_path, kind, file):
    name, given = HARD[kind]
    made = instance(name, **given)
    write(made, tmp_path / "hard")
    (tmp_path / "r").write_text("0 1" if kind == "network" else "element,left,right\n")
    text = (tmp_path / "hard" / file).read_text()
    (tmp_path / "hard" / file).write_text(text.replace("u0", "u9") if kind == "table" else text[4:])
    with pytest.raises(InputError, match=f"{file} is not the"):
        back(tmp_path / "hard", tmp_path / "r")
    (tmp_path / "hard" / file).unlink()
    with pytest.raises(InputError, match=f"no (table|graph) '{file}'"):
        back(tmp_path / "hard", tmp_path / "r")


DOCUMENTS = [
    ({"format": 2}, "format must be 1"),
    ({"format": True}, "format must be 1"),
    ({"construction": "nothing"}, "construction must be one of"),
    ({"construction": ["set-cover"]}, "construction must be one of"),
    ({"parameters": {}}, "parameters must be goal"),
    ({"parameters": {"goal": 1, "size": 10**9}}, "parameters must be goal"),
    ({"parameters": {"goal": -1}}, "goal must be a whole number"),
    ({"parameters": {"goal": None}}, "needs a goal"),
    ({"problem": "graph"}, "problem must be sets"),
    ({"source": {"universe": 10**12, "sets": []}}, "universe must be a whole number"),
    ({"source": {"universe": 3, "sets": [[0, 1, 7]]}}, "distinct elements"),
    ({"source": {"universe": 4, "sets": [[0, 1, 2]]}}, "must cover"),
    ({"labels": {"sets": []}}, "labels must name"),
    ({"labels": None}, "labels must name"),
    ("{", "no JSON"),
    ("[" * 100_000, "no JSON"),
    ('{"format": 1, "format": 1}', "no JSON"),
    ('{"format": NaN}', "no JSON"),
    ("a\0b", "zero bytes"),
    ("7", "format must be 1"),
]


@pytest.mark.parametrize(("change", "said"), DOCUMENTS, ids=lambda x: str(x)[:40])
def test_a_changed_source_document_is_one_sentence(tmp_path, change, said):
    write(instance("set-cover", size=4), tmp_path / "hard")
    place = tmp_path / "hard" / "source.json"
    held = json.loads(place.read_text())
    place.write_text(change if isinstance(change, str) else json.dumps(held | change))
    (tmp_path / "r").write_text("element,left,right\n")
    with pytest.raises((InputError, PolicyError), match=said):
        back(tmp_path / "hard", tmp_path / "r")


def test_documents_of_instances_in_instances_are_not_followed_for_ever(tmp_path):
    write(instance("closeness-from-anonymity", instance("bisection", size=4)), tmp_path / "hard")
    held = json.loads((tmp_path / "hard" / "source.json").read_text())
    assert held["problem"] == "instance" and held["source"]["construction"] == "bisection"
    for _ in range(50):
        held = {**held, "source": held}
    (tmp_path / "hard" / "source.json").write_text(json.dumps(held))
    with pytest.raises(InputError, match="more than 4 instances are made of one another"):
        back(tmp_path / "hard", tmp_path / "hard" / "table.csv")


@seeds(2_000, 30)
def test_hostile_sources_documents_and_releases_end_in_an_answer_or_a_sentence(tmp_path, seed):
    rng = random.Random(seed)
    odd = [b"", b"0", b"-1", b"nan", b"\0", b"a:", b"1:", b"true", b"1.5", b"9" * 30, b"\xff", b"\n", b"*", b'"', b"{", b"[", b"null"]  # fmt: skip

    def spoilt(held):
        for _ in range(rng.randint(1, 3)):
            at = rng.randint(0, len(held))
            held = held[:at] + rng.choice(odd) + held[at + rng.randint(0, 3) :]
        return held

    name = rng.choice(list(FILES))
    (tmp_path / "source").write_bytes(spoilt(json.dumps(FILES[name][0]).encode()))
    goal = {"goal": 1} if name in ("set-cover", "set-cover-network", "bisection", "matching-27", "clique") else {}
    try:
        made = instance(name, tmp_path / "source", solve=False, **goal)
        assert made.yes is None
    except (InputError, PolicyError) as error:
        assert "\n" not in str(error)
    made = instance(*HARD["table" if seed % 2 else "network"][:1], **HARD["table" if seed % 2 else "network"][1])
    write(made, tmp_path / "hard")
    release_written(tmp_path / "r", made, made.table.released(made.witness) if made.table else made.witness)
    victim = tmp_path / "hard" / "source.json" if seed % 3 == 0 else tmp_path / "r"
    victim.write_bytes(spoilt(victim.read_bytes()))
    try:
        found = back(tmp_path / "hard", tmp_path / "r")
        assert found.told is not None or not found.reached
    except (InputError, PolicyError) as error:
        assert "\n" not in str(error)


# ------------------------------------------------------------------------------------------- what the proofs hang on


def anonymized(tmp_path, made, policy):
    """The exact solver's cost of an instance's table under a changed policy."""
    write(made, tmp_path / "hard")
    text = (tmp_path / "hard" / "policy.toml").read_text()
    for old, new in policy:
        assert old in text
        text = text.replace(old, new)
    (tmp_path / "p.toml").write_text(text.replace('source = "table.csv"', 'source = "hard/table.csv"'))
    found = incrowd.anonymize(
        tmp_path / "hard" / "table.csv", policy=incrowd.Policy.load(tmp_path / "p.toml"), solver="exact"
    )
    assert found.optimal
    return found.cost


def test_with_full_suppression_the_theorem_on_covers_fails(tmp_path):
    """U = 5, sets 012, 013, 014: the least cover has three sets, so 38; with the all-star pattern 36 do."""
    made = instance("set-cover", SetCover(5, ((0, 1, 2), (0, 1, 3), (0, 1, 4))))
    assert made.threshold == made.optimum == 38
    assert anonymized(tmp_path, made, [("full_suppression = false", "full_suppression = true")]) == 36
    assert anonymized(tmp_path, made, []) == 38


def test_every_construction_is_listed_with_its_paper_theorem_and_parameters(run):
    listed = json.loads(run("list", "instances", "--json")[1])
    assert [one["name"] for one in listed] == list(SMALL)
    assert {tuple(one) for one in listed} == {("name", "summary", "kind", "paper", "theorem", "source", "parameters")}
    assert {one["name"] for one in listed if one["kind"] == "network"} == {
        name for name in SMALL if name.endswith("network")
    }
    assert [one["name"] for one in listed if one["source"] is None] == ["greedy-worst"]
    helped = run("instance", "--help")[1]
    for one in listed:
        assert one["name"] in helped
        text = run("instance", one["name"], "--help")[1]
        assert one["theorem"] in text and all(p["option"] in text for p in one["parameters"])
        assert {"--named", "--solve", "--goal"}.isdisjoint(p["option"] for p in one["parameters"])
