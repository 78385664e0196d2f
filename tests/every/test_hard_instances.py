"""Every solver on every hard instance: what it claims is what the source problem says by another road."""

import pytest

from incrowd import networks, registry
from incrowd.hardness import instance
from incrowd.progress import Watch
from oracles.hard import problem_of, released

TABLES = [name for name in registry.names("instances") if registry.load("instances", name).kind == "table"]
NETWORKS = [name for name in registry.names("instances") if name not in TABLES]
WITHOUT_NO = {"greedy-worst"}
# small enough for the slowest solver that takes them, large enough that no two solvers take the same road
SMALL = {
    "set-cover": {"size": 6},
    "greedy-worst": {"size": 4},
    "triangles-and-stars": {"size": 4},
    "one-in-three-sat": {"named": "one-clause"},
    "matching-27": {"size": 4},
    "triangles-2-diversity": {"size": 3},
    "triangles-3-diversity": {"size": 3},
    "closeness-from-anonymity": {"size": 8},
    "bisection": {"size": 6},
    "bisection-padded": {"size": 4},
    "half-clique": {"size": 6},
    "matching-closeness": {"size": 3},
    "matching-metric": {"size": 2},
    "triangles-ternary": {"size": 2},
    "clique": {"size": 4},
    "bisection-closeness": {"size": 4},
    "bisection-padded-closeness": {"size": 4},
    "half-clique-closeness": {"size": 4},
}
SMALL = {(name, no): settings for name, settings in SMALL.items() for no in (False, True)}
SMALL["one-in-three-sat", True] = {"named": "example-2"}
SMALL["half-clique-closeness", True] = {"size": 6}
# the literal program goes through every instance of every pattern: half a minute here
TOO_SLOW = {("one-in-three-sat", "ilp")}
NO = ("bisection", "half-clique", "matching-metric")  # in the quick run, which has all whose answer is yes
CASES = [(name, no) for name in TABLES for no in (False, True) if not (no and name in WITHOUT_NO)]


def taken(name, problem):
    """The solvers that take a problem; a decline is a reason, not a claim."""
    for solver in registry.names("solvers"):
        chosen = registry.load("solvers", solver)()
        if (name, solver) not in TOO_SLOW and chosen.declines(problem) is None:
            yield solver, chosen


@pytest.mark.few(4)
@pytest.mark.parametrize(
    ("name", "no"),
    [pytest.param(*case, marks=() if not case[1] or case[0] in NO else pytest.mark.proofs) for case in CASES],
)
def test_what_solvers_claim_is_the_source_problems_answer(name, no):
    made = instance(name, no=no, **SMALL[name, no])
    problem, types = problem_of(made)
    proven = {}
    for solver, chosen in taken(name, problem):
        solution = chosen.solve(problem, Watch())
        cost = solution.plan.cost(problem)
        release = released(made, solution.plan, types)
        assert made.table.cost(release) == cost, solver  # recounted on the rows
        assert solution.bound.checked <= solution.bound.value <= cost, solver
        if made.optimum is not None:
            assert solution.bound.value <= made.optimum <= cost, solver
        assert made.yes or cost > made.threshold, solver
        assert not made.yes or solution.bound.value <= made.threshold, solver
        if solution.status == "optimal":
            assert solution.bound.value == cost, solver
            assert (cost <= made.threshold) == made.yes, solver
            proven[solver] = cost
        if cost <= made.threshold:
            made.backward(release)  # an answer of the source problem, or a ValueError
    assert proven, "no solver proves the optimum"
    assert len(set(proven.values())) == 1, proven


@pytest.mark.parametrize("no", [False, True])
@pytest.mark.parametrize("name", NETWORKS)
def test_what_the_network_search_claims_is_the_source_problems_answer(name, no):
    made = instance(name, no=no)
    found = networks.antidimension(made.edges, exactly=made.more["exactly"], show_labels=True)
    assert found.optimal
    assert found.attackers == found.lower_bound == made.optimum
    assert (found.attackers <= made.threshold) == made.yes
    back = made.backward(int(v) for v in found.witness)
    assert made.asks.solves(made.source, back) or not made.yes
