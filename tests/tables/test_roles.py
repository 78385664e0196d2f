"""The role of every column."""

import pytest

from incrowd.errors import PolicyError
from incrowd.tables.roles import Roles


def test_a_column_has_one_role():
    with pytest.raises(PolicyError, match="column 'a' is in both quasi_identifiers and sensitive"):
        Roles(quasi_identifiers=("a",), sensitive=("a",))
    with pytest.raises(PolicyError, match="twice in quasi_identifiers"):
        Roles(quasi_identifiers=("a", "a"))


def test_identifiers_leave_and_other_columns_stay_unless_they_are_dropped():
    names = ("id", "a", "s", "more")
    asked = {"quasi_identifiers": ("a",), "sensitive": ("s",), "identifiers": ("id",)}
    assert tuple(Roles(**asked).kept(names)) == ("a", "s", "more")
    assert tuple(Roles(**asked, other="drop").kept(names)) == ("a", "s")


def test_a_table_of_one_column_asks_for_the_delimiter():
    with pytest.raises(PolicyError, match="one column only, a;b: is the delimiter right"):
        Roles(quasi_identifiers=("a",)).check(["a;b"])
    with pytest.raises(PolicyError) as hidden:
        Roles(quasi_identifiers=("a",)).check(["a;b"], quotable=False)
    assert "a;b" not in str(hidden.value)
