"""source.json: every instance is made again from it, and nothing in it is believed."""

import json

import numpy as np
import pytest

from incrowd import registry
from incrowd.errors import InputError, PolicyError
from incrowd.hardness import instance, write
from incrowd.hardness.back.document import again, described, document, read_folder
from seeds import seeds

NAMES = registry.names("instances")
GOOD = document(instance("set-cover", size=4))
DOCUMENTS = [
    document(instance(name)) for name in ("half-clique", "matching-metric", "one-in-three-sat", "set-cover-network")
]
DOCUMENTS += [GOOD, document(instance("triangles-2-diversity")), document(instance("closeness-from-anonymity"))]
DOCUMENTS += [document(instance("closeness-from-anonymity", instance("bisection", size=4)))]


@pytest.mark.parametrize("name", NAMES)
def test_what_is_made_again_is_the_same_and_open(name):
    made = instance(name)
    held = json.loads(json.dumps(document(made)))
    anew = again(held)
    assert (anew.table, anew.edges, anew.threshold, anew.goal) == (made.table, made.edges, made.threshold, made.goal)
    assert anew.policy == made.policy
    assert document(anew) == document(made)
    if made.problem is not None:
        assert anew.yes is None
        assert again(held, solve=True).yes


def test_labels_come_back(tmp_path):
    (tmp_path / "s").write_text("red: a b c\nblue: b c d\n")
    write(instance("set-cover", tmp_path / "s"), tmp_path / "hard")
    assert read_folder(tmp_path / "hard").labels["sets"] == ("red", "blue")


def test_an_instance_of_an_instance_comes_back():
    made = instance("closeness-from-anonymity", instance("bisection", size=4))
    anew = again(json.loads(json.dumps(document(made))))
    assert (anew.table, anew.threshold) == (made.table, made.threshold)


@pytest.mark.parametrize(
    ("change", "said"),
    [
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
    ],
)
def test_a_changed_document_is_one_sentence(change, said):
    with pytest.raises((InputError, PolicyError), match=said):
        again({**GOOD, **change})


def test_a_document_nested_too_deep_is_refused():
    held = {"format": 1, "construction": "closeness-from-anonymity", "parameters": {}}
    for _ in range(50):
        held = {**held, "problem": "instance", "source": held}
    with pytest.raises(InputError, match="more than 4 instances"):
        again(held)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("{", "no JSON"),
        ("[" * 100_000, "no JSON"),
        ('{"format": 1, "format": 1}', "no JSON"),
        ('{"format": NaN}', "no JSON"),
        ("a\0b", "zero bytes"),
        ("7", "format must be 1"),
    ],
)
def test_a_file_that_is_none_is_one_sentence(tmp_path, text, said):
    (tmp_path / "source.json").write_text(text)
    with pytest.raises(InputError, match=said):
        read_folder(tmp_path)


def test_a_folder_that_is_none_is_one_sentence(tmp_path):
    with pytest.raises(InputError, match="there is no folder 'no'"):
        read_folder(tmp_path / "no")
    with pytest.raises(InputError, match=r"holds no source.json"):
        read_folder(tmp_path)
    (tmp_path / "file").write_text("")
    with pytest.raises(InputError, match="'file' is no folder"):
        read_folder(tmp_path / "file")


def test_parameters_are_those_that_stand_beside_a_source():
    kind = registry.load("instances", "set-cover-network")(k=3)
    made = described(kind.build(), kind, {})
    assert made.parameters == {"k": 3, "goal": made.goal}


@seeds(2000, 100)
def test_a_hostile_document_is_an_instance_or_a_sentence(seed):
    rng = np.random.default_rng(seed)
    held = json.loads(json.dumps(DOCUMENTS[seed % len(DOCUMENTS)]))
    odd = [None, True, -1, 0, 1, 10**30, 0.5, "", "x", "nan", [], {}, [[]], [1, 2], ["a"], {"a": 1}]
    for _ in range(int(rng.integers(1, 3))):
        place, where = held, None
        while isinstance(place, (dict, list)) and place:
            keys = list(place) if isinstance(place, dict) else range(len(place))
            where = (place, keys[int(rng.integers(0, len(keys)))])
            place = where[0][where[1]]
            if rng.random() < 0.3:
                break
        if where:
            where[0][where[1]] = odd[int(rng.integers(0, len(odd)))]
    try:
        made = again(held)
    except (InputError, PolicyError) as error:
        assert "\n" not in str(error)
    else:
        assert made.yes is None or made.problem is None
