"""Instances of sources of one's own: files, problems, and the refusals that name what is missing."""

import numpy as np
import pytest

from incrowd import registry
from incrowd.errors import InputError, PolicyError
from incrowd.hardness import instance, write
from incrowd.hardness.back.document import read_folder
from incrowd.hardness.sources.graphs import Graph
from incrowd.hardness.sources.set_cover import NAMED, SetCover
from seeds import seeds

FILES = {
    "set-cover": "A: a b c\nB: b c d\n",
    "set-cover-network": "A: a b\nB: b c d\n",
    "triangles-and-stars": "a b\nb c\na c\n",
    "one-in-three-sat": "p cnf 3 1\n1 2 3 0\n",
    "matching-27": "a a a\nb b b\n",
    "triangles-2-diversity": "1: a\n2: b\n3: c\na b\nb c\na c\n",
    "triangles-3-diversity": "1: a\n2: b\n3: c\na b\nb c\na c\n",
    "closeness-from-anonymity": "x,y\na,b\na,c\na,b\n",
    "bisection": "a b\nb c\nc d\n",
    "bisection-padded": "a b\nb c\nc d\n",
    "half-clique": "a b\nb c\nc d\n",
    "matching-closeness": "a a a\nb b b\n",
    "matching-metric": "a a a\nb b b\n",
}


@pytest.mark.parametrize("name", FILES)
def test_a_file_gives_a_solved_instance_and_an_open_one_with_the_same_table(tmp_path, name):
    (tmp_path / "source").write_text(FILES[name])
    solved = instance(name, tmp_path / "source")
    assert solved.yes
    goal = {} if solved.goal is None else {"goal": solved.goal}
    opened = instance(name, tmp_path / "source", solve=False, **goal)
    assert opened.yes is None
    assert opened.optimum is None
    assert opened.witness is None
    assert (opened.table, opened.edges, opened.threshold) == (solved.table, solved.edges, solved.threshold)
    assert (opened.policy, opened.labels) == (solved.policy, solved.labels)


@pytest.mark.parametrize(
    ("name", "text", "said"),
    [
        ("set-cover", "A: a b\nB: a b c\n", "three elements, and 1 of 2 have more or fewer"),
        ("set-cover", "universe: a b c d\nA: a b c\n", "cover every element"),
        ("bisection", "a b\nb c\n", "an even number of at least 4 nodes and an edge, not 3 nodes and 2 edges"),
        ("bisection-padded", "a b\nb c\n", "an even number"),
        ("half-clique", "a b\nb c\n", "an even number"),
        ("triangles-and-stars", "a b\n", "at least 3 edges, not 1"),
        ("triangles-2-diversity", "1: a\n2: b\n3: c\na b\n", "an edge between any two classes"),
        ("matching-27", "W: a b c d\nX: a b c d\nY: a b c d\na a a\na b b\na c c\na d d\n", "1 of 12 are in more"),
        ("matching-metric", "a a a\n", "must be whole"),
        ("one-in-three-sat", "p cnf 3 0\n", "needs a clause"),
        ("closeness-from-anonymity", "x\na\n", "k must be from 1 to the 1 rows, not 3"),
        ("greedy-worst", "a b\n", "takes no source of one's own"),
    ],
)
def test_a_source_that_lacks_something_is_refused_with_what_it_lacks(tmp_path, name, text, said):
    (tmp_path / "source").write_text(text)
    more = {"t": "41/100"} if name == "matching-metric" else {}
    with pytest.raises(PolicyError, match=said):
        instance(name, tmp_path / "source", **more)


def test_a_problem_itself_is_a_source_and_another_kind_is_refused():
    assert instance("set-cover", NAMED["fano"]).source == NAMED["fano"]
    with pytest.raises(PolicyError, match="the source of 'set-cover' must be one set a line"):
        instance("set-cover", Graph(2, ((0, 1),)))
    with pytest.raises(PolicyError, match="distinct elements"):
        instance("set-cover", SetCover(3, ((0, 1, 5),)))


def test_what_chooses_a_source_does_not_go_beside_one(tmp_path):
    (tmp_path / "source").write_text(FILES["set-cover"])
    with pytest.raises(PolicyError, match="size chooses a source problem, and one is given"):
        instance("set-cover", tmp_path / "source", size=4)
    with pytest.raises(PolicyError, match="is not solved needs a goal: sets of the cover at most"):
        instance("set-cover", tmp_path / "source", solve=False)
    with pytest.raises(PolicyError, match="needs one's own"):
        instance("set-cover", solve=False)


def test_a_goal_chooses_what_is_asked(tmp_path):
    (tmp_path / "source").write_text(FILES["set-cover"])
    assert [instance("set-cover", tmp_path / "source", goal=goal).yes for goal in (0, 1, 2, 3)] == [
        False, False, True, True,
    ]  # fmt: skip
    with pytest.raises(PolicyError, match="a goal says what is asked"):
        instance("set-cover", goal=2, no=True)


def test_folders_and_instances_are_sources_of_what_takes_them(tmp_path):
    inner = instance("bisection", size=6)
    write(inner, tmp_path / "inner")
    by_folder = instance("closeness-from-anonymity", tmp_path / "inner")
    by_value = instance("closeness-from-anonymity", inner)
    assert by_folder.table == by_value.table
    assert by_value.optimum == inner.optimum
    assert by_folder.yes
    assert instance("closeness-from-anonymity", tmp_path / "inner", solve=False).yes is None
    with pytest.raises(PolicyError, match="leave out k: the instance that is the source has its own"):
        instance("closeness-from-anonymity", inner, k=2)
    with pytest.raises(PolicyError, match="set-cover takes no other instance"):
        instance("set-cover", inner)
    with pytest.raises(PolicyError, match="asks for k-anonymity alone"):
        instance("closeness-from-anonymity", instance("matching-closeness", size=2))
    (tmp_path / "empty").mkdir()
    with pytest.raises(PolicyError, match=r"source of 'clique' must be a file \(an edge list.*\), not a folder"):
        instance("clique", tmp_path / "empty")
    with pytest.raises(InputError, match="'empty' holds no source.json"):
        instance("closeness-from-anonymity", tmp_path / "empty")


def changed(text, rng):
    """A file of which some bytes, words or lines are other ones."""
    words = [
        "",
        "0",
        "-1",
        "nan",
        "\0",
        "a:",
        "1:",
        "p cnf 9 9",
        "p edge 9 9",
        "e 1 1",
        "99999999999",
        "\xff",
        "\n",
        "*",
        '"',
    ]
    held = text.encode()
    for _ in range(int(rng.integers(1, 4))):
        at = int(rng.integers(0, len(held) + 1))
        cut = at + int(rng.integers(0, 4))
        held = held[:at] + words[int(rng.integers(0, len(words)))].encode("latin-1") + held[cut:]
    return held


@seeds(1500, 60)
def test_a_hostile_file_is_a_source_or_a_sentence(tmp_path, seed):
    rng = np.random.default_rng(seed)
    name = list(FILES)[seed % len(FILES)]
    (tmp_path / "source").write_bytes(changed(FILES[name], rng))
    more = {"goal": 1} if "goal" in registry.load("instances", name).kept else {}
    try:
        made = instance(name, tmp_path / "source", solve=False, **more)
    except (InputError, PolicyError) as error:
        assert "\n" not in str(error)
    else:
        assert made.yes is None
        write(made, tmp_path / "made")
        assert read_folder(tmp_path / "made").table == made.table
