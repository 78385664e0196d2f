"""The program over all rows of a small problem ends at its optimum."""

from __future__ import annotations

import numpy as np

from incrowd.errors import Infeasible
from incrowd.progress import Watch
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.solve.improve.under_requirements.candidates import gather
from incrowd.tables.solve.improve.under_requirements.checked_plan import is_release
from incrowd.tables.solve.improve.under_requirements.class_program import NeighbourhoodProgram
from incrowd.tables.solve.improve.under_requirements.class_programs import can_be_stated
from incrowd.tables.solve.shared.instances import list_instances
from incrowd.tables.solve.shared.problem_arrays import encode
from incrowd.tables.solve.shared.requirement_check import closed_under_union, kinds_of
from incrowd.tables.solve.shared.row_assignment import cost_of, to_plan
from oracles.brute_force import optimum
from oracles.classes_drawn import rules_of
from oracles.required import FAMILIES, random_required
from seeds import seeds


@seeds(160, 32)
def test_the_least_release_comes_out_where_all_rows_are_free(seed):
    problem = random_required(np.random.default_rng([91, seed]), FAMILIES[seed % len(FAMILIES)])
    if not can_be_stated(problem) or closed_under_union(problem) or problem.outliers == "suppress":
        return
    try:
        plan = Greedy().solve(problem, Watch()).plan
    except Infeasible:
        return
    listed = list_instances(problem)
    found = gather(problem, encode(problem), plan, listed, np.zeros(listed.size))
    J, rows, rules = found.instances, found.rows, rules_of(problem)
    stay = [np.zeros((J.size, rule.values), np.int64) for rule in rules]
    least = optimum(problem)

    def met(rows):
        return is_release(problem, to_plan(problem, J, rows))

    while True:
        program = NeighbourhoodProgram(J, kinds_of(problem), rules, stay, rows, 1)
        cheaper = program.best(met, Watch(), None)
        if cheaper is None:
            break
        assert met(cheaper)
        assert least <= cost_of(J, cheaper) < cost_of(J, rows)
        rows = cheaper
    assert program.ended
    assert cost_of(J, rows) == least
