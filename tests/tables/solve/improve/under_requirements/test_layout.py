"""The layout for the kernels holds what the instances, rules and rows say."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.search import class_layout as at
from oracles.classes_drawn import assert_sound, rules_of, started
from seeds import seeds


@seeds(60, 12)
def test_entries_count_the_rows_of_each_value(seed):
    made = started(seed)
    if made is None:
        return
    problem, found, whole, real = made
    assert_sound(problem, found, whole, real)
    J = found.instances
    columns = []
    for rule in rules_of(problem):
        if not any(np.array_equal(rule.code, code) for code in columns):
            columns.append(rule.code)
    assert whole[at.COLUMNS] == len(columns)
    for c, code in enumerate(columns):
        values = code[problem.types.kinds]
        for g in range(J.size):
            here = slice(J.begins[g], J.begins[g + 1])
            begin = whole[at.ENTRY_BEGINS] + c * (J.size + 1) + g
            entries = slice(whole[begin], whole[begin + 1])
            held = np.bincount(values[J.members[here]], weights=found.rows[here], minlength=int(code.max()) + 1)
            mine = whole[whole[at.ENTRY_VALUE] :][entries]
            assert list(mine) == sorted(set(values[J.members[here]]))
            assert (whole[whole[at.ENTRY_ROWS] :][entries] == held[mine]).all()


def test_every_row_can_be_drawn():
    _, found, whole, _ = next(made for made in map(started, range(50)) if made is not None)
    drawn = whole[whole[at.DRAWN] :][: whole[at.DRAWS]]
    assert (np.bincount(drawn, minlength=found.instances.t) == found.instances.counts).all()
