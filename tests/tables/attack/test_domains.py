"""Which values a column is known to have."""

from __future__ import annotations

import pytest

from incrowd import Hierarchy
from incrowd.errors import InputError, PolicyError
from incrowd.tables.attack.domains import column_domain, read_domain

TOWNS = Hierarchy.from_tree({"AT": ["Graz", "Linz"], "DE": ["Bonn", "Ulm"]})


def test_a_column_without_hierarchy_has_the_values_shown_and_maybe_others():
    found = column_domain("town", ["Ulm", "*", None, "Bonn"], star="*", spec=None)
    assert (found.values, found.closed) == ((None, "Bonn", "Ulm"), False)


def test_a_domain_or_a_hierarchy_lists_all_values():
    found = column_domain("town", ["Ulm", "*"], star="*", spec=None, domain=["Ulm", "Graz"])
    assert (found.values, found.closed) == (("Ulm", "Graz"), True)
    found = column_domain("town", ["AT", "Ulm", "*"], star="*", spec=TOWNS)
    assert (found.values, found.closed) == (("Graz", "Linz", "Bonn", "Ulm"), True)
    found = column_domain("town", ["AT", "Rome", "*"], star="*", spec=TOWNS, complete=True)
    assert (found.values[-1], found.closed) == ("Rome", False)


def test_made_hierarchies_have_the_values_listed_or_one_below_every_label():
    spec = Hierarchy.intervals([10, 20])
    found = column_domain("age", ["31", "*"], star="*", spec=spec, domain=["31", "47"])
    assert (found.closed, found.fitted.height, found.made) == (True, 3, "listed")
    found = column_domain("age", ["31", "40-49", "*", None], star="*", spec=spec)
    assert (found.values, found.closed, found.made) == (("31", "40", None), False, "labels")
    assert (found.fitted.height, found.fitted.missing) == (3, True)


@pytest.mark.parametrize(("spec", "labels"), [(Hierarchy.prefix(), ["130*"]), (Hierarchy.intervals([10]), ["*"])])
def test_where_labels_do_not_tell_the_levels_the_values_are_asked_for(spec, labels):
    with pytest.raises(InputError, match=r"--domain code=FILE"):
        column_domain("code", labels, star="*", spec=spec)


@pytest.mark.parametrize("given", [{"domain": ["Graz"], "spec": None}, {"spec": TOWNS}])
def test_what_the_policy_does_not_explain_is_refused_without_a_cell(given):
    with pytest.raises(InputError, match="column 'town'") as said:
        column_domain("town", ["secret", "*"], star="*", **given)
    assert "secret" not in str(said.value)


def test_a_domain_beside_a_hierarchy_has_to_fit_it():
    with pytest.raises(PolicyError, match="its hierarchy lacks"):
        column_domain("town", ["Ulm"], star="*", spec=TOWNS, domain=["Ulm", "Rome"])


def test_a_domain_is_read_from_its_lines(tmp_path):
    file = tmp_path / "towns.txt"
    file.write_text("Ulm\nNULL\n\nGraz\n")
    assert read_domain(file, "town") == ("Ulm", None, "Graz")
    for text, said in (("", "must list"), ("Ulm\nUlm\n", "twice")):
        file.write_text(text)
        with pytest.raises(InputError, match=said):
            read_domain(file, "town")
    file.write_bytes(b"\xff\xfe\xff")
    with pytest.raises(InputError, match="cannot be read"):
        read_domain(file, "town")
    with pytest.raises(InputError, match="cannot be read"):
        read_domain(tmp_path / "none.txt", "town")
