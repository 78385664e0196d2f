"""Formulas in DIMACS cnf: ``p cnf VARIABLES CLAUSES``, then the literals of every clause and a 0."""

from __future__ import annotations

from typing import Any

from incrowd.errors import InputError
from incrowd.hardness.problems.limits import MOST_ITEMS
from incrowd.hardness.problems.problem import Given, Problem, counted, tuples
from incrowd.hardness.problems.text import blank_words, is_dimacs, whole
from incrowd.hardness.sources.one_in_three import Formula

__all__ = ["FORMULA"]


class _FormulaProblem(Problem):
    name = "formula"
    holds = "a formula in DIMACS cnf, three literals a clause"

    def read(self, text: str) -> Given:
        """Return the formula of a text; a line that begins with ``%`` ends it, as in SATLIB's files."""
        if not is_dimacs(text):
            raise InputError("the source has no problem line; a formula is DIMACS cnf: p cnf VARIABLES CLAUSES")
        variables = declared = -1
        clauses: dict[frozenset[int], tuple[int, int, int]] = {}
        clause: list[int] = []
        for line, words in blank_words(text, ("c ", "c\t", "#")):
            if words[0].startswith("%"):
                break
            if words == ["c"]:
                continue
            if words[0] == "p":
                if variables >= 0 or len(words) != 4 or words[1] != "cnf":
                    raise InputError(
                        f"line {line} of the source must be the only problem line: p cnf VARIABLES CLAUSES"
                    )
                variables = whole(words[2], line, 1, MOST_ITEMS, "the number of variables")
                declared = whole(words[3], line, 0, MOST_ITEMS, "the number of clauses")
                continue
            if variables < 0:
                raise InputError(f"line {line} of the source stands before the problem line: p cnf VARIABLES CLAUSES")
            for word in words:
                literal = whole(word, line, -variables, variables, "a literal")
                if literal:
                    clause.append(literal)
                else:
                    self._take(clause, clauses, line)
                    clause = []
                if len(clause) > 3:
                    raise InputError(f"clause {len(clauses) + 1} of the source has more than three literals")
        if clause:
            raise InputError(f"clause {len(clauses) + 1} of the source is not ended by a 0")
        if len(clauses) != declared:
            raise InputError(f"the problem line declares {declared} clauses, and the source holds {len(clauses)}")
        return Given(Formula(variables, tuple(clauses.values())), {})

    @staticmethod
    def _take(clause: list[int], clauses: dict[frozenset[int], tuple[int, int, int]], line: int) -> None:
        """Add a clause that has come to its end."""
        if len(clauses) >= MOST_ITEMS:
            raise InputError(f"the source has more than {MOST_ITEMS:,} clauses; that is too large a problem")
        number = len(clauses) + 1
        if not clause:
            raise InputError(f"clause {number} of the source (line {line}) is empty; no assignment meets it")
        if len(clause) != 3 or len({abs(literal) for literal in clause}) < 3:
            raise InputError(
                f"clause {number} of the source (line {line}) must have three different variables; 1-in-3-SAT has no "
                "others"
            )
        if frozenset(clause) in clauses:
            raise InputError(f"clause {number} of the source (line {line}) repeats an earlier one; leave one out")
        clauses[frozenset(clause)] = (clause[0], clause[1], clause[2])

    def pack(self, source: Formula) -> dict[str, Any]:
        """Return variables and clauses."""
        return {"variables": source.variables, "clauses": [list(clause) for clause in source.clauses]}

    def unpack(self, held: Any) -> Formula:
        """Return the formula; `Formula` refuses clauses that are none."""
        clauses = tuples(held, "clauses", MOST_ITEMS, width=3)
        return Formula(counted(held, "variables", 1, MOST_ITEMS), tuple((a, b, c) for a, b, c in clauses))

    def counts(self, source: Formula) -> dict[str, int]:
        """Return nothing: variables are called by their numbers."""
        return {}


FORMULA = _FormulaProblem()
