"""The tree under requirements: no node is worth more than the least release of its side."""

import dataclasses

import numpy as np

from incrowd.milp import Linear, Outcome, solve, stacked
from incrowd.progress import Watch
from incrowd.tables.solve.exact.branch_and_cut import BranchAndCut
from incrowd.tables.solve.exact.proof_tree import Node
from incrowd.tables.solve.exact.under_requirements.known_rows import KnownRows
from incrowd.tables.solve.exact.under_requirements.tree import NEVER, RequiredTree
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.requirement_check import kinds_of
from incrowd.tables.solve.shared.strong_formulation import strong
from oracles.required import random_required
from seeds import seeds

ALL = 10**6


def known_rows(problem):
    """The strong program of a problem with its hub free, and the rows of its requirements."""
    instances = list_instances(problem).free_hub()
    rules = [rule for requirement in problem.requirements for rule in requirement.count_rules()]
    codes = [rule.code[kinds_of(problem)[instances.members]] for rule in rules]
    return KnownRows(strong(instances, whole=True), rules, codes, instances.needs > 0)


def least(known, state):
    """Cost of the least release with some instances open or closed, by one program with every row; None: none."""
    program = known.model.program
    whole = KnownRows(known.model, known.rules, known.codes, known.judged)
    whole.state(np.arange(known.model.instances.size))
    lower, upper = program.lower.copy(), program.upper.copy()
    for g, mark in state.items():
        lower[known.model.column[g]], upper[known.model.column[g]] = float(mark > 0), float(mark > 0)
    rows = stacked((program.rows, *whole.rows))
    answer = solve(dataclasses.replace(program, lower=lower, upper=upper, rows=rows))
    return round(answer.objective) if answer.outcome is Outcome.OPTIMAL else None


@seeds(200)
def test_no_node_is_worth_more_than_the_least_release_of_its_side(seed):
    random = np.random.default_rng([195, seed])
    problem = random_required(random, "frequency")
    known = known_rows(problem)
    crowd = known.model.crowd
    if not crowd.size:
        return
    tree = RequiredTree(Linear(known.model.program), known, problem.k)
    for _ in range(3):
        chosen = random.choice(crowd, min(2, crowd.size), replace=False)
        node = Node({int(g): int(random.choice([-1, 1])) for g in chosen}, -np.inf)
        answer = tree.settle(node, ALL, Watch(), 2, 0.02)
        best = least(known, node.state)
        assert answer is not None
        assert node.leaf is not None
        if best is None:
            assert node.leaf.value <= NEVER
        else:
            assert answer.outcome is Outcome.OPTIMAL
            assert node.leaf.value <= best


@seeds(100)
def test_a_tree_that_is_grown_to_its_end_is_worth_at_most_the_least_release(seed):
    problem = random_required(np.random.default_rng([196, seed]), "frequency")
    known = known_rows(problem)
    best = least(known, {})
    if best is None:
        return
    tree = RequiredTree(Linear(known.model.program), known, problem.k)
    assert tree.settle(tree.root, best + 1, Watch(), 2, 0.02) is not None
    before = tree.value()
    BranchAndCut(tree).grow(best + 1, Watch(), most=50, work=ALL)
    assert before <= tree.value() <= best
    assert len(tree.added) <= len(known.rows)
