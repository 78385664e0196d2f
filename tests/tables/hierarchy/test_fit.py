"""A hierarchy bound to a column."""

import pytest

from incrowd.tables.hierarchy import Fitted, Hierarchy

LINES = (("a", "x"), ("NULL", "NULL"), ("NULL2", "x"))


@pytest.mark.parametrize("missing", [False, True])
def test_the_line_of_missing_values_is_shown_as_null_where_it_stands_for_them(missing):
    fitted = Fitted(Hierarchy(lines=LINES), missing)
    blank = None if missing else "NULL"
    assert fitted.shown() == [("a", "x"), (blank, blank), ("NULL2", "x")]
    assert fitted.ladder().to_pydict() == {"v": ["a", blank, "NULL2"], "line": [0, 1, 2], "n1": ["x", blank, "x"]}
    assert fitted.height == 2
