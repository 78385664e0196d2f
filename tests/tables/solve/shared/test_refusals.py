from __future__ import annotations

import dataclasses

import numpy as np

from incrowd.tables.solve.shared.refusals import beyond_k, none_by_program, none_in_time
from oracles.problems import random_problem


def test_only_what_asks_for_more_than_k_is_refused():
    problem = random_problem(np.random.default_rng(1))
    assert beyond_k(problem) is None
    assert "no further requirement" in beyond_k(dataclasses.replace(problem, requirements=(object(),)))


def test_what_was_asked_for_is_named_where_there_is_no_release_or_none_in_time():
    problem = dataclasses.replace(random_problem(np.random.default_rng(1)), k=2)
    for error, said in ((none_by_program(problem), "by the word of"), (none_in_time(problem), "found in time")):
        assert "k=2" in str(error) and said in str(error)
        assert error.requirement == "k=2"
        assert not error.proven
