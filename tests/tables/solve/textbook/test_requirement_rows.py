"""The linear rows that an integer program is told say exactly what the requirements say."""

from __future__ import annotations

import numpy as np
import pytest
from scipy.optimize import linprog

from incrowd.tables.models import joint as joint_model
from incrowd.tables.models.l_diversity import LDiversity
from incrowd.tables.solve.textbook.requirement_rows import stated_rows
from oracles.required import FAMILIES, LINEAR, model, random_required
from oracles.sensitive import domain_of, joint


def meets_rows(cone, counts):
    """Whether some extra variables satisfy a cone's rows for a group with so many rows per kind."""
    values = np.zeros(cone.counts.shape[1])
    np.add.at(values, cone.code, counts)
    fixed = cone.counts @ values + cone.size * values.sum() + cone.opened * bool(values.sum())
    extra = cone.extra.shape[1]
    if not extra:
        return bool((fixed <= 1e-9).all())
    answer = linprog(
        np.zeros(extra),
        A_ub=cone.extra,
        b_ub=1e-9 - fixed,
        bounds=(0, 1 if cone.binary else None),
        integrality=np.full(extra, int(cone.binary)),
    )
    return answer.status == 0


@pytest.mark.few(5)
@pytest.mark.parametrize("family", LINEAR)
def test_the_rows_of_a_group_say_exactly_whether_it_meets_the_requirement(family):
    rng = np.random.default_rng([73, LINEAR.index(family)])
    verdicts = []
    for _ in range(8):
        domain, kinds = domain_of([(str(x),) for x in rng.integers(0, 4, int(rng.integers(4, 12)))])
        requirement = model(rng, family, domain.values[0]).bind(domain)
        cone = requirement.linear_rows()
        total = np.bincount(kinds)
        for _ in range(8):
            counts = rng.integers(0, total + 1)
            kind = np.flatnonzero(counts)
            met = requirement.meets(np.zeros(kind.size, np.int64), kind, counts[kind], 1)[0]
            assert meets_rows(cone, counts) == met
            verdicts.append(met)
    assert any(verdicts) and not all(verdicts)


@pytest.mark.parametrize(("columns", "least"), [(1, 2), (2, 1), (2, 2), (2, 3), (3, 2), (3, 3)])
def test_the_rows_of_the_joint_kind_name_companions_of_every_combination(columns, least):
    rng = np.random.default_rng([74, columns, least])
    verdicts = []
    for _ in range(6):
        domain, kinds = domain_of(
            [tuple(map(str, row)) for row in rng.integers(0, 3, (int(rng.integers(5, 12)), columns))]
        )
        names = tuple(f"s{j}" for j in range(columns))
        asked = LDiversity(least, columns=names, kind="joint")
        requirement = asked.bind(domain)
        cone = requirement.linear_rows()
        total = np.bincount(kinds)
        values = [tuple(codes) for codes in domain.sensitive.codes.tolist()]
        for _ in range(8):
            counts = rng.integers(0, total + 1)
            kind = np.flatnonzero(counts)
            met = not kind.size or joint([values[i] for i in kind], least)
            assert requirement.meets(np.zeros(kind.size, np.int64), kind, counts[kind], 1)[0] == met
            assert meets_rows(cone, counts) == met
            verdicts.append(met)
    assert any(verdicts) and (least == 1 or not all(verdicts))


def test_every_requirement_of_a_problem_that_has_rows_states_them_and_no_other(monkeypatch):
    kinds = set()
    monkeypatch.setattr(joint_model, "STATED", 5)
    for seed in range(40):
        rng = np.random.default_rng([76, seed])
        problem = random_required(rng, FAMILIES[seed % len(FAMILIES)])
        mine = [requirement.linear_rows() is not None for requirement in problem.requirements]
        assert len(stated_rows(problem)) == sum(mine)
        kinds |= set(mine)
    assert kinds == {True, False}
