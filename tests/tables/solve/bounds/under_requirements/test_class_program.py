"""The linear program over classes against one with every class written down."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from incrowd.progress import Watch
from incrowd.tables.solve.bounds.under_requirements import class_program, layout
from incrowd.tables.solve.bounds.under_requirements.class_program import LARGEST, ClassProgram
from oracles.required import FAMILIES, drawn_required
from oracles.required_certificates import Case
from seeds import seeds


def drawn(seed):
    rng = np.random.default_rng([61, seed])
    case = Case(*drawn_required(rng, FAMILIES[seed % len(FAMILIES)], rows=int(rng.integers(3, 7))))
    every = layout.instances_of(case.problem, watch=Watch(), most_pairs=10**6)
    return rng, case, ClassProgram(case.problem, every)


def written_down(case):
    """The least cost of a fractional choice of classes, one an instance at most; None if there is none."""
    classes = case.classes
    if not classes:
        return None
    n, used = len(case.rows), sorted({g for g, _ in classes})
    cover = np.array([[part >> b & 1 for _, part in classes] for b in range(n)], float)
    cost = [case.instances[g][2] * part.bit_count() for g, part in classes]
    once = np.array([[float(g == h) for h, _ in classes] for g in used])
    solved = linprog(cost, A_eq=cover, b_eq=np.ones(n), A_ub=once, b_ub=np.ones(len(used)))
    return solved.fun if solved.status == 0 else None


@seeds(320, 32)
def test_prices_prove_what_the_program_over_all_classes_comes_to(seed):
    _, case, program = drawn(seed)
    value = written_down(case)
    if value is None:
        pytest.skip("no release")
    state = np.zeros(program.instances.size, np.int8)
    found = program.search(state, np.zeros_like(program.counts), LARGEST, Watch())
    assert found.value / program.parts == pytest.approx(value, abs=1e-3)
    assert found.value == program.priced(found.prices, state).value
    if found.opened is not None:
        assert (found.opened >= -1e-6).all() and (found.opened <= 1 + 1e-6).all()


@seeds(160, 16)
def test_whatever_is_open_or_closed_no_release_of_that_kind_costs_less(seed):
    rng, case, program = drawn(seed)
    size = program.instances.size
    if not size or case.optimum is None:
        pytest.skip("no release")
    named = {tuple(name): g for g, name in enumerate(program.instances.names.tolist())}
    for _ in range(4):
        state = rng.choice([-1, 0, 0, 0, 1], size).astype(np.int8)
        found = program.search(state, np.zeros_like(program.counts), LARGEST, Watch())
        least = least_release(case, {tuple(name): int(state[g]) for name, g in named.items()})
        assert least is None or found.value <= least * program.parts


def least_release(case, state):
    """The least cost where the named instances are open or closed, and only they and the free one are used."""
    full = (1 << len(case.rows)) - 1
    best = {0: 0}
    for g in range(len(case.instances)):
        mark = state.get(tuple(case.named(g)))
        if mark is None or mark < 0:
            continue
        more = {} if mark > 0 else dict(best)
        for part in (part for h, part in case.classes if h == g):
            for have, paid in best.items():
                cost = paid + case.instances[g][2] * part.bit_count()
                if not have & part and cost < more.get(have | part, 1 << 60):
                    more[have | part] = cost
        best = more
    return best.get(full)


def test_an_open_instance_without_a_class_proves_anything():
    for seed in range(200):
        _, case, program = drawn(seed)
        for g in range(program.instances.size):
            vector = tuple(program.instances.vectors[g].tolist())
            rep = int(program.instances.reps[g])
            mine = [h for h in range(len(case.instances)) if case.named(h) == [*vector, rep]]
            if mine and not any(h == mine[0] for h, _ in case.classes):
                state = np.zeros(program.instances.size, np.int8)
                state[g] = 1
                assert program.priced(np.zeros_like(program.counts), state).value == LARGEST
                return
    raise AssertionError("the case was not met")


def test_classes_are_listed_up_to_the_whole_table_where_there_are_few(monkeypatch):
    _, case, program = drawn(0)
    n = case.problem.types.n
    assert class_program.listable_below(case.problem, program.instances.size) == n + 1
    monkeypatch.setattr(class_program, "MOST_LOOKS", 4)
    assert class_program.listable_below(case.problem, 1) < n + 1
    assert class_program.listable_below(case.problem, 100) == 1


def test_a_passed_limit_ends_the_search():
    program = drawn(0)[2]
    watch = Watch()
    watch.interrupt()
    state = np.zeros(program.instances.size, np.int8)
    found = program.search(state, np.zeros_like(program.counts), LARGEST, watch)
    assert found.opened is None and program.rounds == 0
