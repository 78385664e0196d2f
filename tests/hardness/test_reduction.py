"""What every construction shares."""

import pytest

from incrowd import registry
from incrowd.errors import PolicyError
from incrowd.hardness import instance
from incrowd.hardness.questions.covers import COVER
from incrowd.hardness.reduction import Reduction, asked_of


def test_a_goal_goes_before_what_the_solved_problem_gives_and_not_beside_a_no():
    assert asked_of(COVER, 3, 5, no=False) == 3
    assert asked_of(COVER, None, 5, no=True) == 5
    with pytest.raises(PolicyError, match="give one of them"):
        asked_of(COVER, 3, 5, no=True)
    with pytest.raises(PolicyError, match="needs a goal: sets of the cover at most"):
        asked_of(COVER, None, None, no=False)


def test_a_construction_without_sources_or_instances_says_so():
    worst = registry.load("instances", "greedy-worst")()
    with pytest.raises(PolicyError, match="takes no source of one's own"):
        worst.of(3)
    with pytest.raises(PolicyError, match="takes no other instance"):
        worst.over(instance("greedy-worst", size=2))
    with pytest.raises(NotImplementedError):
        Reduction().build()


def test_what_is_listed_names_the_files_that_are_taken():
    listed = {name: registry.load("instances", name).listed() for name in registry.names("instances")}
    assert listed["greedy-worst"]["source"] is None
    assert "DIMACS cnf" in listed["one-in-three-sat"]["source"]
    for one in listed.values():
        assert {p["name"] for p in one["parameters"]}.isdisjoint(("solve", "named", "goal"))
