"""Every construction: its witness reaches the optimum, its answer is its threshold's, its refusals are sentences."""

import dataclasses
import importlib
import json
import pkgutil
from fractions import Fraction

import pytest

from incrowd import hardness, registry
from incrowd.errors import InputError, PolicyError
from incrowd.hardness import instance
from incrowd.hardness.reduction import Reduction
from incrowd.hardness.values import Table
from incrowd.policy.job import Job
from oracles.hard import problem_of
from oracles.networks import adjacency, distances, mu

NAMES = registry.names("instances")
WITHOUT_NO = {"greedy-worst"}
SMALLER = {"exact-cover-network": {"sets": 3, "k": 1}}  # distances by the oracle take the cube of the nodes


@pytest.fixture(scope="module")
def built():
    return {
        (name, no): instance(name, no=no, **SMALLER.get(name, {}))
        for name in NAMES
        for no in (False, True)
        if not (no and name in WITHOUT_NO)
    }


@pytest.mark.parametrize("name", NAMES)
def test_the_default_and_its_no_answer_as_asked(built, name):
    assert built[name, False].yes
    if name in WITHOUT_NO:
        with pytest.raises(PolicyError, match="no no-instance"):
            instance(name, no=True)
    else:
        assert not built[name, True].yes


@pytest.mark.parametrize("name", NAMES)
def test_yes_means_that_the_optimum_is_within_the_threshold(built, name):
    for (other, _), made in built.items():
        if other == name and made.optimum is not None:
            assert made.yes == (made.optimum <= made.threshold)


@pytest.mark.parametrize("name", NAMES)
def test_the_witness_is_a_release_or_node_set_that_reaches_the_optimum_and_maps_back(built, name):
    for (other, _), made in built.items():
        if other != name or made.witness is None:
            continue
        if made.kind == "network":
            dist = distances(adjacency(made.more["nodes"], made.edges))
            assert mu(dist, made.witness) == made.more["exactly"]
            assert len(made.witness) == made.optimum
            back = made.backward(made.witness)
            assert not made.yes or made.asks.solves(made.source, back)
            continue
        release = made.table.released(made.witness)
        assert made.table.cost(release) == made.optimum
        assert good(made, release)
        if made.yes:
            back = made.backward(release)
            assert made.asks.solves(made.source, back)
            assert made.asks.meets(made.source, back, made.goal)


def good(made, release):
    """Whether the classes have k rows and meet the requirements, under patterns that the mask allows."""
    problem, types = problem_of(made)
    classes = made.table.classes(release)
    allowed = all(problem.patterns.allows([int(cell == "*") for cell in shown]) for shown in classes)
    met = all(
        bool(r.meets([0] * len(members), problem.types.kinds[types[list(members)]], [1] * len(members), 1)[0])
        for r in problem.requirements
        for members in classes.values()
    )
    return allowed and met and all(len(members) >= problem.k for members in classes.values())


@pytest.mark.few(11)
@pytest.mark.parametrize("name", NAMES)
def test_the_same_parameters_give_the_same_instance_and_another_seed_another(built, name):
    again, other = (instance(name, seed=seed, **SMALLER.get(name, {})) for seed in (0, 1))
    assert (again.table, again.edges, again.threshold) == (
        built[name, False].table,
        built[name, False].edges,
        built[name, False].threshold,
    )
    if name not in WITHOUT_NO:
        assert (other.table, other.edges) != (again.table, again.edges)


@pytest.mark.parametrize("name", NAMES)
def test_the_policy_is_one_that_incrowd_takes(built, name):
    made = built[name, False]
    if made.kind == "table":
        policy = Job().replace(**made.policy).policy
        assert policy.quasi_identifiers == made.table.quasi_identifiers
        assert policy.all_sensitive == made.table.sensitive
        assert len(policy.requirements) == len(made.policy.get("require", ()))


@pytest.mark.parametrize("name", NAMES)
def test_the_answer_has_the_contracts_keys(built, name):
    answer = json.loads(json.dumps(built[name, False].answer()))
    assert {"kind", "question", "threshold", "yes", "optimum", "theorem", "paper"} <= set(answer)
    assert answer["question"].endswith("?")


@pytest.mark.parametrize("name", NAMES)
def test_what_is_listed_says_kind_paper_theorem_and_parameters(name):
    listed = json.loads(json.dumps(registry.load("instances", name).listed()))
    assert set(listed) == {"kind", "paper", "theorem", "source", "parameters"}
    assert [p["name"] for p in listed["parameters"]][:3] == ["size", "seed", "no"]
    assert all(p["meaning"] and p["option"].startswith("--") for p in listed["parameters"])


@pytest.mark.parametrize("name", NAMES)
def test_a_proof_and_its_theorem_stand_in_the_docstring(name):
    kind = registry.load("instances", name)
    assert kind.theorem.split(",")[0] in " ".join(kind.__doc__.split())
    assert "*Proof.*" in kind.__doc__


def test_every_construction_in_the_tree_is_registered():
    found = set()
    for module in pkgutil.walk_packages(hardness.__path__, "incrowd.hardness."):
        for part in vars(importlib.import_module(module.name)).values():
            if isinstance(part, type) and issubclass(part, Reduction) and "name" in vars(part):
                found.add(f"{part.__module__}:{part.__qualname__}")
    assert found == set(registry.INSTANCES.values())


@pytest.mark.parametrize("name", NAMES)
def test_bad_parameters_are_refused_in_a_sentence(name):
    kind = registry.load("instances", name)
    for bad in ({"size": 0}, {"size": "many"}, {"seed": -1}, {"no": "perhaps"}):
        with pytest.raises(PolicyError):
            kind(**bad)
    assert kind(size=None).size == kind().size
    with pytest.raises(PolicyError, match="no parameter 'sise'.*did you mean 'size'"):
        instance(name, sise=3)
    if "named" in {field.name for field in dataclasses.fields(kind)}:
        with pytest.raises(PolicyError, match="named must be one of"):
            kind(named="nobody")


def test_an_unknown_construction_is_refused_with_the_nearest():
    with pytest.raises(PolicyError, match="no instance named 'set-cove'.*did you mean 'set-cover'"):
        instance("set-cove")


def test_exact_parameters_are_kept_as_fractions():
    made = registry.load("instances", "matching-closeness")(t="0.2")
    assert made.t == Fraction(1, 5)
    assert made.build().policy["require"][0]["t"] == "1/5"


TABLE = Table(quasi_identifiers=("a", "b"), sensitive=("s",), rows=(("1", "2", "x"), ("1", "3", "y"), ("4", "5", "z")))


def test_a_release_shows_what_its_blocks_have_in_common():
    out = TABLE.released([(0, 1), (2,)])
    assert out == (("1", "*", "x"), ("1", "*", "y"), ("4", "5", "z"))
    assert TABLE.cost(out) == 2
    assert TABLE.classes(out) == {("1", "*"): (0, 1), ("4", "5"): (2,)}


@pytest.mark.parametrize(
    "bad",
    [
        [("1", "*"), ("1", "*")],
        [("1", "*"), ("1", "*"), ("9", "5")],
        [("1", "*"), ("1", "*"), ("4",)],
        [("1", "3"), ("1", "2"), ("4", "5")],
    ],
)
def test_what_is_no_release_of_the_table_is_refused_without_a_cell(bad):
    with pytest.raises(InputError) as caught:
        TABLE.classes(bad)
    assert "9" not in str(caught.value)
    assert "row" in str(caught.value)
