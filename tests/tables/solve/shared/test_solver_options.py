"""A solver takes of a job's options those that are fields of its own."""

import pytest

from incrowd import registry
from incrowd.errors import PolicyError
from incrowd.tables.solve.shared.solver_options import option_names, solver_with


def test_unknown_options_and_nones_are_left_out():
    made = solver_with("improve", {"seed": 5, "work": None, "no such option": 1})
    assert made.seed == 5 and made.work is registry.load("solvers", "improve")().work


def test_every_solver_can_be_made_from_the_options_of_every_other():
    every = {name: option_names(name) for name in [*registry.names("solvers"), "auto"]}
    assert "seed" in every["improve"] and "ranges" in every["mondrian"] and "name" not in every["greedy"]
    for name in every:
        assert solver_with(name, dict.fromkeys(set().union(*every.values()))).name == name


def test_a_name_that_is_no_solver_is_refused():
    with pytest.raises(PolicyError, match="there is no solver named 'greedi'"):
        solver_with("greedi", {})
