"""One recoding for the whole table, from the policy to both recounts."""

import dataclasses
import random

import pyarrow as pa
import pytest

import incrowd
from incrowd import Hierarchy
from incrowd.errors import Infeasible, PolicyError, SolverDeclined
from incrowd.tables.recoding.single import SingleRecoding
from seeds import seeds

# a label that stands at two levels: "c" has no sibling at level 1
LETTERS = Hierarchy(
    lines=(("a", "a-b", "a-d", "*"), ("b", "a-b", "a-d", "*"), ("c", "c", "a-d", "*"), ("d", "d+", "a-d", "*"))
)


def drawn(seed):
    rng = random.Random(seed)
    n = rng.randint(4, 24)
    table = pa.table({
        "x": [rng.choice("aaabcd") for _ in range(n)],
        "y": [rng.choice(["p", "q", None]) for _ in range(n)],
        "s": [rng.choice("uvw") for _ in range(n)],
    })  # fmt: skip
    asked = {
        "quasi_identifiers": ["x", "y"], "k": rng.randint(1, 3), "hierarchies": {"x": LETTERS},
        "recoding": "global", "outliers": rng.choice(["forbid", "suppress"]),
        "suppression_limit": rng.choice([None, 0, "1/4", 1]),
        "cost": rng.choice(["leaves", "cells", "levels"]),
    }  # fmt: skip
    if rng.random() < 0.5:
        asked |= {"sensitive": ["s"], "l": rng.choice([1, "3/2", 2])}
    return table, asked


@seeds(200, 2)
def test_every_release_is_one_recoding_and_its_certificate_holds(seed):
    table, asked = drawn(seed)
    try:
        made = incrowd.anonymize(table, **asked)
    except Infeasible as error:
        assert error.proven
        return
    with made as release:
        facts, rows = release.facts, release.table.to_pylist()
        assert (facts["solver"], facts["recoding"], facts["optimal"]) == ("lattice", "global", True)
        out = sum(row["x"] == "*" and row["y"] == "*" for row in rows)
        assert facts["suppressed_rows"] == facts["fully_suppressed_rows"] == out
        assert set(facts["levels"]) == {"x", "y"}
        level = facts["levels"]["x"]
        if level < 3:
            known = {line[level] for line in LETTERS.lines}
            assert all(row["x"] in known for row in rows if (row["x"], row["y"]) != ("*", "*"))
        if facts["levels"]["y"] == 0:
            assert all(row["y"] != "*" for row in rows if row["x"] != "*")
        found = incrowd.verify(table, release.table, release.job, certificate=release.certificate())
        assert found == []
        assert found.proven
        assert found.lower_bound == found.cost == release.exact_cost
        assert found.question.endswith("with one recoding for the whole table")


def test_a_release_of_several_recodings_is_refused():
    table = pa.table({"x": ["a", "b", "c", "c"], "y": ["p", "p", "q", "q"]})
    asked = {"quasi_identifiers": ["x", "y"], "k": 2, "hierarchies": {"x": LETTERS}}
    with incrowd.anonymize(table, **asked) as release:
        assert incrowd.verify(table, release.table, release.job) == []
        mixed = pa.table({"x": ["a-b", "a-b", "a-d", "a-d"], "y": ["p", "p", "q", "q"]})
        one = dataclasses.replace(release.job.policy, recoding="global")
        assert incrowd.verify(table, release.table, one) == []  # c is the label of c at two levels
        assert [v.rule for v in incrowd.verify(table, mixed, one)] == ["recoding"]
        assert incrowd.verify(table, mixed, release.job.policy) == []


def test_too_many_suppressed_rows_are_refused():
    table = pa.table({"x": ["a", "a", "c", "d"], "y": ["p", "p", "q", "q"]})
    released = pa.table({"x": ["a", "a", "*", "*"], "y": ["p", "p", "*", "*"]})
    for limit, rules in (("1/2", []), ("0.4", ["suppression limit"])):
        found = incrowd.verify(
            table, released, quasi_identifiers=["x", "y"], k=2, recoding="global", suppression_limit=limit,
            hierarchies={"x": LETTERS},
        )  # fmt: skip
        assert [(v.rule, v.count) for v in found] == [(rule, 1) for rule in rules]


def test_its_certificate_is_no_proof_where_classes_may_be_recoded_apart():
    table = pa.table({"x": ["a", "b", "c", "c"], "y": ["p", "p", "q", "q"]})
    with incrowd.anonymize(table, quasi_identifiers=["x", "y"], k=2, recoding="global") as release:
        policy = dataclasses.replace(release.job.policy, recoding="levels")
        with pytest.raises(incrowd.InputError, match="one recoding for the whole table"):
            incrowd.verify(table, release.table, policy, certificate=release.certificate())


@pytest.mark.parametrize("solver", ["greedy", "improve", "mondrian"])
def test_other_solvers_decline_by_name(solver):
    table = pa.table({"x": ["a", "b"]})
    with pytest.raises(SolverDeclined, match="recoding=global goes with solver lattice"):
        incrowd.anonymize(table, quasi_identifiers=["x"], k=2, recoding="global", solver=solver)
    with pytest.raises(SolverDeclined, match="ask for recoding=global"):
        incrowd.anonymize(table, quasi_identifiers=["x"], k=2, solver="lattice")
    with pytest.raises(SolverDeclined, match="recoding=global"):
        incrowd.anonymize(table, quasi_identifiers=["x"], k=2, recoding="global", reduce="kernel")


def test_a_limit_that_no_vector_meets_ends_with_exit_status_3_and_the_nearest():
    table = pa.table({"x": ["a", "a", "c", "d"]})
    asked = {"quasi_identifiers": ["x"], "k": 2, "recoding": "global", "outliers": "suppress"}
    with pytest.raises(Infeasible, match="suppression_limit=.1/2. would do") as error:
        incrowd.anonymize(table, **asked, suppression_limit="0.49")
    assert error.value.exit_status == 3
    with incrowd.anonymize(table, **asked, suppression_limit="1/2") as release:
        assert release.facts["suppressed_rows"] == 2


@pytest.mark.parametrize(
    ("settings", "words"),
    [
        ({"suppression_limit": "1.5"}, "from 0 to 1"),
        ({"suppression_limit": "-0.1"}, "from 0 to 1"),
        ({"suppression_limit": "many"}, "suppression.limit"),
        ({"recoding": "global", "suppressed": "null"}, "recoding=global counts fully suppressed rows"),
        ({"suppression_limit": 1, "suppressed": "null"}, "suppression_limit counts fully suppressed rows"),
        ({"suppression_limit": 1, "recoding": "ranges"}, "no suppression_limit"),
    ],
)
def test_bad_input_is_a_sentence(settings, words):
    with pytest.raises(PolicyError, match=words):
        incrowd.anonymize(pa.table({"x": ["a", "b"]}), quasi_identifiers=["x"], k=2, **settings)


def test_its_answers():
    single = SingleRecoding()
    assert single.name == "global" and single.own_solver == "lattice"
    assert single.declines(("single",)) is None and "lattice" in single.declines(())
    assert not single.may_cap_copies and not single.takes_bound_of_k and not single.lowers_levels


def test_tradeoff_audit_and_a_saved_policy_go_with_it(tmp_path):
    table = pa.table({"x": list("aabbccdd"), "y": list("ppppqqqq")})
    policy = incrowd.Policy(quasi_identifiers=("x", "y"), k=2, recoding="global", suppression_limit="1/4")
    policy = dataclasses.replace(policy, mask=incrowd.Mask(keep=["x"]))
    curve = incrowd.tradeoff(table, policy, ks=[2, 3])
    assert [p["solver_used"] for p in curve.facts["points"]] == ["lattice", None]
    policy.save(tmp_path / "policy.toml")
    assert incrowd.Policy.load(tmp_path / "policy.toml") == policy
    assert incrowd.audit(table, quasi_identifiers=["x", "y"]).facts["rows"] == 8
