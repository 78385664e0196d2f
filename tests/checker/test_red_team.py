"""The red team itself: every way to change a certificate is taken, and what it makes is what it says."""

from __future__ import annotations

import random

import numpy as np
import pytest

from checker import page_script, red_cases, red_changes, red_lines, red_networks, red_releases, red_team
from oracles import released
from seeds import how_many, seeds

pytestmark = pytest.mark.seeds


@pytest.mark.few(2)
@pytest.mark.parametrize("kind", ["prices", "components", "matching", "requirements"])
def test_all_but_one_inequality_holds_and_the_bound_that_would_follow_is_refused(kind):
    rng, tried = np.random.default_rng(3), 0
    for case in red_team.cases(how_many(60, 6))[kind]:
        if isinstance(case, red_cases.Required):
            made = red_changes.one_class_too_dear(case, rng)
        elif kind == "matching":
            made = red_changes.one_pair_too_dear(case, rng)
        else:
            made = red_changes.one_price_too_high(case, rng)
        for ask in (case.by_check, case.by_second) if made is not None else ():
            word, proven, _, bound = ask(made, made["cost"])
            assert bound <= case.least and proven == (word == "good")
            tried += word == "violation" and made["lower_bound"] > case.least
    assert tried or kind == "matching"


def test_a_scaled_proof_stays_good_until_it_is_too_large_to_be_added_up():
    rng, words = np.random.default_rng(4), set()
    for case in red_team.cases(6)["prices"]:
        for _ in range(12):
            found = case.by_check(red_changes.scaled(case.certificate, rng))
            words.add(found[0])
            assert found[0] == "unreadable" or found[3] == case.by_check(case.certificate)[3]
    assert words == {"good", "unreadable"}


def test_an_edge_is_the_last_value_with_the_verdict_and_the_first_with_another():
    rng, turned = np.random.default_rng(5), 0
    for case in red_team.cases(6)["prices"]:
        verdict_on = lambda made, case=case: case.by_check(made)[:2]
        made = red_changes.edges(case.certificate, verdict_on, rng)
        assert verdict_on(made[0]) == verdict_on(case.certificate)
        if len(made) > 1:
            turned += 1
            assert verdict_on(made[1]) != verdict_on(case.certificate)
    assert turned


def test_the_same_table_is_asked_about_under_another_k_mask_cost_and_rule_for_outliers():
    variants = [one for case in red_team.cases(6)["prices"] for one in case.variants]
    assert len({one.table.k for one in variants}) > 1
    assert {one.table.outliers for one in variants} == {"forbid", "suppress"}
    some = [case for case in red_team.cases(6)["requirements"] if case.variants]
    assert some and some[0].variants[0].certificate["requirements"] != some[0].certificate["requirements"]


def test_changed_certificates_of_networks_get_one_verdict_and_none_that_is_not_so():
    counted, differ, above = red_networks.attack(how_many(300, 30))
    assert not differ and not above
    assert counted["good"] and counted["unreadable"]


def test_changed_certificates_of_lines_get_one_verdict_and_none_that_is_not_so():
    """Of the check in memory and in the engine, the second checker and the page."""
    page = page_script.NODE is not None
    counted, differ, above = red_team.attack("lines", red_lines.cases(8), how_many(3000, 60), 7, page=page)
    assert not differ and not above
    assert counted["good"] and counted["unreadable"] and counted["violation"]


def test_no_tampered_release_is_accepted_and_all_checkers_say_the_same():
    number = how_many(300, 12)
    page = page_script.NODE is not None
    assert red_releases.table(number, 4, 5, page, turns=10, progress=False) == 0


def test_a_checker_that_believes_what_it_is_told_is_found_out(monkeypatch):
    some = red_team.cases(6)["prices"][:2]
    told = lambda case, made, cost: ("good", True, cost, 2**70)
    monkeypatch.setattr(red_cases.Case, "by_second", told)
    _, differ, above = red_team.attack("prices", some, 10)
    assert len(differ) == len(above) == 10
    monkeypatch.setattr(red_cases.Case, "by_check", told)
    _, differ, above = red_team.attack("prices", some, 10)
    assert not differ and len(above) == 20


def test_a_checker_that_takes_every_release_is_found_out(monkeypatch):
    monkeypatch.setattr(red_releases.Job, "by_second", lambda *_: (0, red_releases.NOTHING))
    assert red_releases.table(3, 1000, 5, False, turns=5, progress=False) > 0


@seeds(200, 6)
def test_the_judge_finds_a_release_good_and_the_same_one_bad_where_a_class_is_too_small(seed):
    rng = random.Random(seed)
    asked = released.drawn(rng, require=[])
    if asked.least is None:
        pytest.skip("no release")
    tops = [options.get(asked.heights) for options in asked.options]
    if None in tops:
        pytest.skip("the mask lets nobody be stars alone")
    rows = [
        (*released.written(cells, asked.star), *row[3 : len(asked.names)])
        for (cells, _), row in zip(tops, asked.rows, strict=True)
    ]
    assert asked.good(asked.names, rows) == (len(rows) >= asked.said["k"] or asked.said["outliers"] == "suppress")
    assert sum(cost for _, cost in tops) >= asked.least
    assert not asked.good(asked.names, rows[1:])
    assert not asked.good(asked.names, [(*rows[0][:3], "another", *rows[0][4:]), *rows[1:]])
    if asked.said["k"] > 1 and asked.star is not None:
        alone = [(*asked.rows[0][:3], *rows[0][3:]), *rows[1:]]
        assert not asked.good(asked.names, alone)
