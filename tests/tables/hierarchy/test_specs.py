from pathlib import Path

import pytest

from incrowd.errors import PolicyError
from incrowd.tables.hierarchy import (
    Dates,
    Hierarchy,
    HierarchyFile,
    Intervals,
    Prefix,
    as_spec,
    option_text,
    plain_spec,
)

SPECS = [
    ("age.csv", HierarchyFile(Path("age.csv"))),
    (Path("age.csv"), HierarchyFile(Path("age.csv"))),
    ("intervals", HierarchyFile(Path("intervals"))),
    ("interval.csv", HierarchyFile(Path("interval.csv"))),
    ("date/x:y", HierarchyFile(Path("date/x:y"))),
    ("intervals:5,10", Intervals([5, 10])),
    ("intervals:5,10,90+", Intervals([5, 10], top=90)),
    ({"intervals": [5], "top": 90.5}, Intervals([5], top="90.5")),
    ("dates", Dates()),
    ("dates:month,year", Dates(["month", "year"])),
    ("prefix", Prefix()),
    ("prefix:3,2", Prefix([3, 2])),
    ({"intervals": [5, 10], "start": 1}, Intervals([5, 10], 1)),
    ({"dates": True}, Dates()),
    ({"file": "age.csv", "level_costs": [0.5, 1]}, HierarchyFile(Path("age.csv"), [0.5, 1])),
    ({"file": "age.csv", "node_costs": {"x": 0.5}}, HierarchyFile(Path("age.csv"), None, {"x": 0.5})),
]


@pytest.mark.parametrize(("value", "spec"), SPECS)
def test_every_way_to_write_a_hierarchy(value, spec):
    assert as_spec(value, "hierarchy of 'a'") == spec


@pytest.mark.parametrize("spec", [spec for _, spec in SPECS])
def test_what_is_written_plainly_is_read_back(spec):
    assert as_spec(plain_spec(spec, "a"), "x") == spec


@pytest.mark.parametrize(
    "value",
    [
        3,
        "",
        {},
        {"file": "a", "dates": True},
        {"dates": True, "start": 1},
        {"file": "a", "cost": 1},
        "intervals:",
        "intervals:a",
        "intervals:90+",
        "intervals:5,x+",
    ],
)
def test_others_are_refused_by_name(value):
    with pytest.raises(PolicyError, match="hierarchy of 'a'"):
        as_spec(value, "hierarchy of 'a'")


def test_a_made_hierarchy_is_an_option_of_the_command_line():
    for text in ("intervals:5,10,20,90+", "intervals:0.5,1", "dates:month,year", "prefix:3,1", "prefix"):
        assert option_text(as_spec(text, "x")) == text


def test_the_class_names_what_makes_one():
    assert Hierarchy.intervals([5, 10], top=90) == Intervals([5, 10], top=90)
    assert (Hierarchy.dates(), Hierarchy.dates(["year"])) == (Dates(), Dates(["year"]))
    assert (Hierarchy.prefix(), Hierarchy.prefix([3, 1])) == (Prefix(), Prefix([3, 1]))


def test_one_in_memory_cannot_be_written_in_a_policy():
    with pytest.raises(PolicyError, match="lives in memory alone"):
        plain_spec(Hierarchy(lines=[("a",)]), "age")


def test_a_zero_byte_in_the_name_of_a_file_is_refused_where_it_is_named():
    for value in ("\0", "age\0.csv", {"file": "a\0"}, Path("b\0")):
        with pytest.raises(PolicyError, match="hierarchy of 'zip': the name of a file cannot hold a zero byte"):
            as_spec(value, "hierarchy of 'zip'")


@pytest.mark.parametrize(("value", "meant"), [("interval:5", "intervals"), ("date", "dates"), ("prefixes:3", "prefix")])
def test_a_near_miss_is_no_file(value, meant):
    with pytest.raises(
        PolicyError, match=rf"hierarchy of 'a': there is no hierarchy called .* \(did you mean '{meant}'\?\)"
    ):
        as_spec(value, "hierarchy of 'a'")
