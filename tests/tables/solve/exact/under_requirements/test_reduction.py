"""What is left out for a limit is in no release up to it, asked one by one."""

import dataclasses

import numpy as np

from incrowd.milp import Linear, Outcome, Rows, solve, stacked
from incrowd.progress import Watch
from incrowd.tables.solve.exact.under_requirements.known_rows import KnownRows
from incrowd.tables.solve.exact.under_requirements.reduction import reduction
from incrowd.tables.solve.exact.under_requirements.tree import RequiredTree
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.requirement_check import kinds_of
from incrowd.tables.solve.shared.strong_formulation import strong
from oracles.required import random_required
from seeds import seeds


def settled(problem):
    """A problem's tree with its root settled, and the answer."""
    instances = list_instances(problem).free_hub()
    rules = [rule for requirement in problem.requirements for rule in requirement.count_rules()]
    codes = [rule.code[kinds_of(problem)[instances.members]] for rule in rules]
    known = KnownRows(strong(instances, whole=True), rules, codes, instances.needs > 0)
    tree = RequiredTree(Linear(known.model.program), known, problem.k)
    tree.solve({}, Watch())
    return tree, tree.linear.solve(Watch())


def least(tree, column, low, high):
    """Cost of the least release with a column between two numbers (infinity: there is none)."""
    known, program = tree.requirements, tree.model.program
    whole = KnownRows(known.model, known.rules, known.codes, known.judged)
    whole.state(np.arange(known.model.instances.size))
    lower, upper = program.lower.copy(), program.upper.copy()
    lower[column], upper[column] = low, high
    rows = stacked((program.rows, *whole.rows))
    answer = solve(dataclasses.replace(program, lower=lower, upper=upper, rows=rows))
    return answer.objective if answer.outcome is Outcome.OPTIMAL else np.inf


@seeds(200, 40)
def test_what_is_left_out_is_in_no_release_up_to_the_limit(seed):
    random = np.random.default_rng([198, seed])
    tree, answer = settled(random_required(random, "frequency" if seed % 2 else "alpha-k"))
    if answer.duals is None or answer.outcome is not Outcome.OPTIMAL:
        return
    model, duals = tree.model, answer.duals
    if seed % 3 == 0:  # any numbers do
        duals = duals + random.normal(0, 0.3, duals.size)
    limit = int(np.ceil(answer.bound - 1e-6)) + int(random.integers(0, 3))
    left = reduction(model, tree.added, duals, limit)
    assert np.array_equal(left.instances.vectors, model.instances.vectors[left.ids])
    assert np.array_equal(left.instances.members, model.instances.members[left.places])
    out = np.setdiff1d(np.arange(model.instances.pairs), left.places)
    for place in random.permutation(out)[:3]:
        assert least(tree, place, 1, np.inf) > limit
    for g in random.permutation(left.ids[left.opened])[:2]:
        assert least(tree, model.column[g], 0, 0) > limit


@seeds(50)
def test_rows_over_what_is_left_say_the_same_at_points_of_it(seed):
    random = np.random.default_rng([199, seed])
    tree, answer = settled(random_required(random, "frequency"))
    if answer.duals is None or answer.outcome is not Outcome.OPTIMAL or not tree.added:
        return
    left = reduction(tree.model, tree.added, answer.duals, np.ceil(answer.bound) + 1)
    crowd = tree.model.column[left.ids]
    columns = np.concatenate((left.places, crowd[crowd >= 0]))
    point = np.zeros(len(tree.model.program.cost))
    point[columns] = random.random(columns.size)
    before, after = stacked(tree.added), left.rows(tree.model, tree.added)[0]
    said = [value for value in values_at(before, point) if abs(value) > 1e-12]
    assert np.allclose(said, [value for value in values_at(after, point[columns]) if abs(value) > 1e-12])


def values_at(rows: Rows, point):
    """What each row comes to at a point."""
    ends = zip(rows.begins[:-1].tolist(), rows.begins[1:].tolist(), strict=True)
    return [float(rows.values[a:b] @ point[rows.columns[a:b]]) for a, b in ends]


def test_numbers_that_are_too_large_leave_nothing_out():
    tree, answer = settled(random_required(np.random.default_rng([200, 2]), "frequency"))
    left = reduction(tree.model, tree.added, answer.duals * 1e300, answer.bound)
    assert left.instances.pairs == tree.model.instances.pairs
    assert not left.opened.any()
