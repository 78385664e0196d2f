"""The way back through files: what the proof's release answers, and what no release can."""

import csv
import functools
import json

import numpy as np
import pytest

from incrowd import registry
from incrowd.errors import InputError, PolicyError
from incrowd.hardness import answer_of, back, instance, write
from seeds import seeds

NAMES = registry.names("instances")


def given(folder, made):
    """A file with the release or node set of the proof."""
    if made.kind == "network":
        (folder / "r").write_text(" ".join(map(str, made.witness)))
    else:
        with (folder / "r").open("w", newline="") as file:
            out = csv.writer(file)
            out.writerow(made.table.columns)
            out.writerows(sorted(made.table.released(made.witness)))  # in an order of its own
    return folder / "r"


@pytest.mark.parametrize("name", NAMES)
def test_the_proofs_own_release_answers_yes_with_a_solution(tmp_path, name):
    made = instance(name)
    write(made, tmp_path / "hard")
    found = back(tmp_path / "hard", given(tmp_path, made))
    assert found.reached
    assert found.cost == made.optimum
    assert ": yes, " in found.sentence()
    facts = json.loads(json.dumps(found.to_json()))
    assert facts["answer"] == "yes"
    assert facts["solution"]


@pytest.mark.parametrize("name", NAMES)
def test_of_a_no_instance_not_even_the_least_release_answers(tmp_path, name):
    try:
        made = instance(name, no=True)
    except PolicyError:
        return
    if made.witness is None:
        return
    write(made, tmp_path / "hard")
    found = back(tmp_path / "hard", given(tmp_path, made))
    assert not found.reached
    assert found.cost > found.threshold
    assert "does not answer the question" in found.sentence()
    assert found.to_json()["answer"] is None


@pytest.mark.parametrize("name", [name for name in NAMES if registry.load("instances", name).kind == "table"])
def test_the_table_itself_is_cheap_and_answers_nothing(name):
    made = instance(name, no=name != "greedy-worst")
    found = answer_of(made, made.table.rows)
    assert found.cost == 0
    assert not found.reached
    assert found.told is None or made.policy["k"] == 1


def test_a_release_beyond_the_threshold_still_says_what_it_holds():
    made = instance("bisection", size=6, edges=7)
    half = tuple(range(3))
    worse = answer_of(made, made.table.released([half, tuple(range(3, 6))]))
    if not worse.reached:
        assert "It holds two halves with" in worse.sentence()


drawn = functools.cache(functools.partial(instance, size=4))


@seeds(600, 30)
def test_a_hostile_release_is_an_answer_or_a_sentence(tmp_path, seed):
    rng = np.random.default_rng(seed)
    name = ("bisection", "set-cover", "triangles-and-stars", "set-cover-network", "matching-closeness")[seed % 5]
    made = drawn(name)
    write(made, tmp_path / "hard")
    held = given(tmp_path, made).read_bytes()
    odd = [b"*", b",", b"\n", b"\0", b'"', b"\xff", b"u0", b"9", b"-1", b"{", b"1" * 30]
    for _ in range(int(rng.integers(1, 4))):
        at = int(rng.integers(0, len(held) + 1))
        held = held[:at] + odd[int(rng.integers(0, len(odd)))] + held[at + int(rng.integers(0, 3)) :]
    (tmp_path / "r").write_bytes(held)
    try:
        found = back(tmp_path / "hard", tmp_path / "r")
    except InputError as error:
        assert "\n" not in str(error)
    else:
        assert found.told is not None or not found.reached
