"""Formulas in DIMACS cnf."""

import pytest

from incrowd.errors import InputError
from incrowd.hardness.problems.formula import FORMULA


def test_clauses_may_go_over_lines_and_end_as_satlib_ends_them():
    given = FORMULA.read("c x\np cnf 4 2\n1 -2\n3 0 2 3 -4 0\n%\n0\n")
    assert (given.source.variables, given.source.clauses) == (4, ((1, -2, 3), (2, 3, -4)))


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("1 2 3 0\n", "no problem line; a formula is DIMACS cnf"),
        ("p edge 3 1\n1 2 3 0\n", "must be the only problem line: p cnf"),
        ("p cnf 3 1\np cnf 3 1\n1 2 3 0\n", "must be the only problem line"),
        ("p cnf 3 1\n0\n", "clause 1 of the source .line 2. is empty"),
        ("p cnf 3 1\n1 2 0\n", "must have three different variables"),
        ("p cnf 3 1\n1 -1 2 0\n", "must have three different variables"),
        ("p cnf 4 1\n1 2 3 4 0\n", "clause 1 of the source has more than three literals"),
        ("p cnf 3 1\n1 2 4 0\n", "a literal must be from -3 to 3, not 4"),
        ("p cnf 3 1\n1 2 nan 0\n", "a literal must be a whole number"),
        ("p cnf 3 1\n1 2 3\n", "clause 1 of the source is not ended by a 0"),
        ("p cnf 3 2\n1 2 3 0\n", "declares 2 clauses, and the source holds 1"),
        ("p cnf 3 2\n1 2 3 0\n3 2 1 0\n", "clause 2 of the source .line 3. repeats an earlier one"),
        ("1 2 3 0\np cnf 3 1\n", "line 1 of the source stands before the problem line"),
        ("p cnf 999999999 1\n1 2 3 0\n", "the number of variables must be from 1 to 5000"),
    ],
)
def test_what_is_no_formula_is_one_sentence(text, said):
    with pytest.raises(InputError, match=said):
        FORMULA.read(text)
