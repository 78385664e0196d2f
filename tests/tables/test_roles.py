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
