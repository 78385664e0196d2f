"""The run: its settings stay in the policy, it can be stopped, and it keeps the best."""

from __future__ import annotations

import json
import tomllib

from web.visitor import words


def test_a_run_tells_how_far_it_is_and_ends_in_a_release(visitor, place, policy):
    visitor.post(f"{place}/search", {"time_limit": "2", "seed": "3"})
    with visitor.client.stream("GET", f"{place}/tasks/run/events") as events:
        assert events.headers["content-type"].startswith("text/event-stream")
        told = [json.loads(line.removeprefix("data: ")) for line in events.iter_lines() if line.startswith("data: ")]
    assert told[-1]["state"] == "done"
    assert {"stage", "seconds", "cost", "bound", "gap"} <= set(told[-1])
    assert tomllib.loads(policy())["job"] == {"time_limit": 2.0, "seed": 3}
    assert "There is a release" in words(visitor.text(f"{place}/search"))


def test_a_run_that_has_ended_before_its_page_is_asked_for_leads_to_the_release(visitor, place):
    on = visitor.post(f"{place}/search", {"time_limit": "1"}).headers["location"]
    visitor.settled(f"{place}/search")
    assert visitor.get(on).headers["location"] == f"{place}/release"
    assert visitor.get(f"{place}/search").status_code == 200


def test_a_stop_keeps_the_best(visitor, place):
    visitor.post(f"{place}/search", {"time_limit": "50"})
    assert (
        visitor.post(f"{place}/tasks/run/stop", {"on": "search"}).headers["location"] == f"{place}/search?then=release"
    )
    visitor.settled(f"{place}/search", seconds=30)
    assert "Counted again" in words(visitor.settled(f"{place}/release"))


def test_why_there_is_no_release_is_said(visitor, place):
    visitor.post(f"{place}/stars", {"max_stars": "0", "full_suppression": "no"})
    visitor.post(f"{place}/promise", {"k": "150"})
    visitor.post(f"{place}/search", {"time_limit": "2"})
    assert "There is no release." in words(visitor.settled(f"{place}/search"))
    assert "Promise less" in words(visitor.text(f"{place}/release"))
    visitor.post(f"{place}/promise", {"k": "5"})
    visitor.post(f"{place}/stars", {"max_stars": "", "full_suppression": "yes"})
