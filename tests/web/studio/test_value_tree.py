"""Values grouped by hand: every change is a new tree, and what comes out is a hierarchy with the same groups."""

from __future__ import annotations

import random

import pytest

from incrowd.errors import InputError, PolicyError
from incrowd.tables.hierarchy import Hierarchy
from incrowd.web.studio.value_tree import MOST_LEAVES, ValueTree

TOWNS = ("Bonn", "Kiel", "Köln", "Ulm")


@pytest.fixture
def tree():
    return ValueTree.of(TOWNS)


def shown(tree):
    return {line[0]: line[1:] for line in tree.hierarchy().lines}


def test_values_are_grouped_and_groups_stand_in_groups(tree):
    west = tree.grouped(["Bonn", "Köln"], [], "Rhine")
    assert shown(west) == {"Bonn": ("Rhine",), "Köln": ("Rhine",), "Kiel": ("Kiel",), "Ulm": ("Ulm",)}
    all_of_it = west.grouped(["Ulm"], [("Rhine",)], "south of Hanover")
    assert shown(all_of_it)["Köln"] == ("Rhine", "south of Hanover")
    assert shown(all_of_it)["Ulm"] == ("Ulm", "south of Hanover")
    assert shown(all_of_it)["Kiel"] == ("Kiel", "Kiel")
    assert all_of_it.groups() == [("south of Hanover",), ("south of Hanover", "Rhine")]
    assert tree.groups() == []
    assert len({one.stamp for one in (tree, west, all_of_it)}) == 3


def test_a_new_group_stands_where_its_members_stood(tree):
    inner = tree.grouped(["Bonn", "Köln", "Ulm"], [], "south").grouped(["Bonn", "Köln"], [], "Rhine")
    assert inner.paths["Bonn"] == ("south", "Rhine")
    across = inner.grouped(["Bonn", "Kiel"], [], "B and K")
    assert across.paths == {"Bonn": ("B and K",), "Kiel": ("B and K",), "Köln": ("south", "Rhine"), "Ulm": ("south",)}


def test_groups_are_renamed_moved_and_removed(tree):
    made = tree.grouped(["Bonn", "Köln"], [], "Rhine").grouped(["Ulm"], [], "Danube")
    assert made.renamed(("Rhine",), "by  the Rhine").paths["Köln"] == ("by the Rhine",)
    moved = made.moved(["Kiel"], [("Rhine",)], ("Danube",))
    assert moved.paths == {
        "Bonn": ("Danube", "Rhine"),
        "Köln": ("Danube", "Rhine"),
        "Kiel": ("Danube",),
        "Ulm": ("Danube",),
    }
    assert moved.removed([("Danube",)]).paths == {"Bonn": ("Rhine",), "Köln": ("Rhine",), "Kiel": (), "Ulm": ()}
    assert moved.removed([("Danube",), ("Danube", "Rhine")]).groups() == []
    assert moved.moved(["Bonn"], [], ()).paths["Bonn"] == ()


@pytest.mark.parametrize("name", ["", "  ", "*", "Kiel", "Rhine", "x" * 201])
def test_a_name_that_is_none_or_taken_is_refused(tree, name):
    made = tree.grouped(["Bonn", "Köln"], [], "Rhine")
    for change in (lambda: made.grouped(["Ulm"], [], name), lambda: made.renamed(("Rhine",), name)):
        with pytest.raises(InputError):
            change()


def test_what_leads_nowhere_is_refused(tree):
    made = tree.grouped(["Bonn", "Köln"], [], "Rhine").grouped([], [("Rhine",)], "rivers")
    for change in (
        lambda: made.grouped([], [], "new"),
        lambda: made.moved([], [], ()),
        lambda: made.removed([]),
        lambda: made.moved([], [("rivers",)], ("rivers", "Rhine")),
        lambda: made.moved([], [("rivers",)], ("rivers",)),
        lambda: ValueTree.of([str(n) for n in range(MOST_LEAVES + 1)]),
    ):
        with pytest.raises(InputError):
            change()
    with pytest.raises(PolicyError):
        ValueTree.of([]).hierarchy()


def test_a_tree_begins_as_the_hierarchy_groups_it():
    lines = Hierarchy.from_tree([{"south": [{"Rhine": ["Bonn", "Köln"]}, "Ulm"]}, "Kiel"]).lines
    tree = ValueTree.of((*TOWNS, "Jena"), lines)
    assert tree.paths["Bonn"] == ("south", "Rhine")
    assert tree.paths["Ulm"] == ("south",)
    assert tree.paths["Kiel"] == tree.paths["Jena"] == ()


def test_random_changes_leave_every_value_once_and_come_back_from_their_lines():
    rng = random.Random(7)
    values = [f"v{n}" for n in range(12)]
    for _ in range(30):
        tree = ValueTree.of(values)
        for step in range(8):
            chosen, groups = rng.sample(values, 3), rng.sample(tree.groups(), min(1, len(tree.groups())))
            try:
                tree = rng.choice(
                    [
                        lambda tree=tree, chosen=chosen, groups=groups, step=step: tree.grouped(
                            chosen, groups, f"g{step}"
                        ),
                        lambda tree=tree, chosen=chosen, groups=groups: tree.moved(
                            chosen, [], groups[0] if groups else ()
                        ),
                        lambda tree=tree, groups=groups: tree.removed(groups),
                    ]
                )()
            except InputError:
                continue
        assert sorted(line[0] for line in tree.hierarchy().lines) == sorted(values)
        assert ValueTree.of(values, tree.hierarchy().lines) == tree
