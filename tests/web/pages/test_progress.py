"""How far work is, in the user's units."""

from __future__ import annotations

from incrowd.web.pages.progress import in_words
from incrowd.web.studio.work import Work


def told(*events):
    work = Work("Searching about", lambda watch: [watch.tell(stage, **facts) for stage, facts in events])
    work.wait(10)
    return in_words(work)


def test_costs_are_told_in_the_users_units():
    said = told(("solve", {"scale": 4}), ("solve", {"cost": 10, "lower_bound": 8}))
    assert (said["cost"], said["bound"], said["gap"], said["stage"]) == ("2.5", "2", "at most 25.0%", "Searching")


def test_what_is_not_known_is_not_told():
    said = told()
    assert (said["state"], said["stage"]) == ("done", "Searching about")
    assert {said["cost"], said["bound"], said["gap"]} == {"not known yet"}


def test_the_least_is_called_so():
    assert told(("solve", {"cost": 8, "lower_bound": 8}))["gap"] == "nothing: it is the least"


def test_work_that_is_not_there_is_not_found(visitor, place):
    assert visitor.get(f"{place}/tasks/nothing/events").status_code == 404
    assert visitor.post(f"{place}/tasks/nothing/stop").status_code == 404
