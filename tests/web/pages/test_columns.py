"""Columns with their kinds and roles; cells where somebody asks; roles go into the policy with what follows from them."""

from __future__ import annotations

import tomllib

from incrowd.policy.job import Job
from incrowd.web.pages.columns import roles_now
from web.visitor import words


def test_columns_are_told_without_a_cell(visitor, place):
    page = words(visitor.text(f"{place}/columns"))
    for part in ("age", "numbers · 40 different", "200 rows, 4 columns", "Proposed: others may know it"):
        assert part in page
    assert "gout" not in page


def test_some_values_come_where_somebody_asks(visitor, place):
    assert "gout" in visitor.post(f"{place}/values", {"column": "3"}).text
    for column in ("9", "x", "-1", ""):
        answer = visitor.post(f"{place}/values", {"column": column})
        assert answer.headers["location"].partition("?")[0].endswith("/columns")
        assert "no such column" in visitor.after(answer)


def test_roles_go_into_the_policy_and_take_hierarchies_with_them(visitor, place, policy):
    before = tomllib.loads(policy())
    assert set(before["hierarchies"]) >= {"age"}
    visitor.post(f"{place}/roles", {"role0": "other", "role3": "identifiers", "other": "drop"})
    after = tomllib.loads(policy())
    assert "age" not in after["quasi_identifiers"]
    assert "age" not in after.get("hierarchies", {})
    assert (after["identifiers"], after["other"]) == (["diagnosis"], "drop")
    assert "sensitive" not in after
    visitor.post(f"{place}/roles", {"role0": "quasi_identifiers", "role3": "sensitive", "other": "keep"})
    again = tomllib.loads(policy())
    assert again["hierarchies"]["age"] == before["hierarchies"]["age"]
    assert set(again["quasi_identifiers"]) == set(before["quasi_identifiers"])


def test_roles_sent_as_they_were_change_no_byte(visitor, place, policy):
    before = policy()
    visitor.post(f"{place}/roles", {})
    assert policy() == before


def test_a_role_that_there_is_not_is_refused(visitor, place, policy):
    before = policy()
    assert "a role that there is not" in visitor.after(visitor.post(f"{place}/roles", {"role0": "boss"}))
    assert policy() == before


def test_a_table_that_cannot_be_read_can_be_read_another_way(visitor):
    place = visitor.upload("odd.csv", b"1,Zaphod,1999-01-01\n" * 3 + b"2,Trillian,1998-01-01\n" * 60)
    page = words(visitor.settled(place))
    assert "looks like a row of data" in page
    assert "Zaphod" not in page
    visitor.post(place.replace("columns", "reading"), {"header": "no"})
    page = words(visitor.settled(place))
    assert "c1" in page
    assert "63 rows" in page


def test_every_column_has_one_role():
    job = Job().replace(quasi_identifiers=["a"], identifiers=["b"], k=2, require=["p-sensitive p=2 column=c"])
    assert roles_now(job, list("abcd")) == {
        "a": "quasi_identifiers",
        "b": "identifiers",
        "c": "sensitive",
        "d": "other",
    }
