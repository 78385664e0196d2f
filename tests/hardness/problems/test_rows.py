"""Tables to be made k-anonymous."""

import pytest

from incrowd.errors import InputError
from incrowd.hardness.problems.rows import ROWS


def test_a_csv_is_rows_of_texts():
    assert ROWS.read('x,y\na,"b,c"\na,d\n').source == (("a", "b,c"), ("a", "d"))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a header and at least one row"),
        ("x,y\n", "a header and at least one row"),
        ("x,x\na,b\n", "each with its own name"),
        ("x,y\na\n", "row 1 of the source has 1 cells"),
        ("x,y\na,\n", "row 1 of the source has a cell that is missing"),
        ("x,y\na,*\n", "a star"),
        ("x,y\na,NaN\n", "NaN"),
        ('x,y\n"a,b\n', "no CSV"),
        ("x\n" + "a\n" * 5001, "more than 5,000 rows"),
    ],
)
def test_what_is_no_table_is_one_sentence_without_a_cell(text, said):
    with pytest.raises(InputError, match=said):
        ROWS.read(text)


@pytest.mark.parametrize("held", [None, {"rows": []}, {"rows": [[]]}, {"rows": [["a"], ["a", "b"]]}, {"rows": [[1]]}])
def test_rows_that_are_none_are_refused(held):
    with pytest.raises(InputError, match="rows must"):
        ROWS.unpack(held)
