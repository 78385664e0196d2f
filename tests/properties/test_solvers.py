"""Every solver on every family of small questions: its release is one, costs what it says, and nothing is claimed too much."""

from __future__ import annotations

import functools

import pytest

from properties.asking import answered
from properties.families import FAMILIES
from seeds import how_many

PAIRS = [(family, solver) for family, (_, solvers) in FAMILIES.items() for solver in solvers]
MOVES = 300


@functools.lru_cache(4)
def question(family, seed):
    asked = FAMILIES[family][0](seed)
    return asked, asked.least()


def cases():
    """One solver of each two in `make test`, in turn, and all in `make proofs`."""
    for n, family in enumerate(FAMILIES):
        for m, solver in enumerate(FAMILIES[family][1]):
            marks = () if (n + m) % 2 == 0 else (pytest.mark.proofs,)
            yield pytest.param(family, solver, id=f"{family}-{solver}", marks=marks)


@pytest.mark.few(24)
@pytest.mark.parametrize(("family", "solver"), list(cases()))
def test_no_release_is_cheaper_than_the_least_and_no_bound_above_it(family, solver):
    place = PAIRS.index((family, solver))
    for turn in range(how_many(20, 1)):
        answered(
            *question(family, place % 7 + 7 * turn)[:1], solver, question(family, place % 7 + 7 * turn)[1], work=MOVES
        )
