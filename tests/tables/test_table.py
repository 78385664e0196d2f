"""A checked table as the stages pass it on."""

import pytest

from incrowd.tables.roles import Roles
from incrowd.tables.table import Column, Opened, Table


def opened(names, whole):
    return Opened(None, names, "csv", None, "t.csv", notes=("first",), whole=dict.fromkeys(whole, "double"))


@pytest.mark.parametrize(
    ("kept", "said"),
    [
        ((), None),
        (("a",), "column 'a' holds whole numbers as floats, which are read as whole numbers (1, not 1.0)"),
        (("a", "b"), "columns 'a', 'b' hold whole numbers as floats, which are read as whole numbers (1, not 1.0)"),
    ],
)
def test_floats_read_as_whole_numbers_are_told_for_the_columns_that_are_kept(kept, said):
    assert opened(("a", "b", "c"), ("a", "b")).notes_on(kept) == (("first",) if said is None else ("first", said))


def test_a_note_names_twenty_columns_at_most():
    names = tuple(f"c{j}" for j in range(25))
    assert " and 5 more hold " in opened(names, names).notes_on(names)[1]


def test_quasi_identifiers_are_in_the_users_order_and_the_others_in_the_tables():
    roles = Roles(quasi_identifiers=("b", "a"), sensitive=("s",))
    columns = [("a", "quasi-identifier"), ("s", "sensitive"), ("b", "quasi-identifier"), ("o", "other")]
    made = tuple(Column(name, f"c{j}", role, False) for j, (name, role) in enumerate(columns))
    table = Table(None, None, made, roles, 0, "csv")
    assert [column.name for column in table.quasi_identifiers] == ["b", "a"]
    assert [column.name for column in table.others] == ["s", "o"]
    assert [column.name for column in table.judged(["o", "a"])] == ["a", "o"]
