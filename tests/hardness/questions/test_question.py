"""What every question gives."""

import pytest

from incrowd import registry
from incrowd.hardness.questions.question import Question


@pytest.mark.parametrize("name", registry.names("instances"))
def test_every_construction_says_what_a_solution_is(name):
    asks = registry.load("instances", name).asks
    assert isinstance(asks, Question)
    assert asks.asked.startswith(("a ", "an "))


def test_a_construction_with_a_goal_says_what_it_counts():
    for name in registry.names("instances"):
        kind = registry.load("instances", name)
        assert ("goal" in kind.kept) == bool(kind.asks.goal), name


def test_the_base_has_no_definition_of_its_own():
    with pytest.raises(NotImplementedError):
        Question().solves(None, None)
    with pytest.raises(NotImplementedError):
        Question().tell(None, None, {})
    assert Question().meets(None, None, 3)
