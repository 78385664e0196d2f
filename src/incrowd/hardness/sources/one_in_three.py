"""1-in-3-SAT: exactly one true literal in every clause."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.errors import PolicyError
from incrowd.hardness.sources.program import choose

if TYPE_CHECKING:
    import numpy as np


@dataclass(frozen=True, slots=True)
class Formula:
    """Clauses of three literals over variables 1 to ``variables``: v, or -v for its negation.

    The literals of a clause are of three different variables. PolicyError is raised if a clause names a variable twice,
    or one that is not there.
    """

    variables: int
    clauses: tuple[tuple[int, int, int], ...]

    def __post_init__(self) -> None:
        for clause in self.clauses:
            if len({abs(v) for v in clause}) < 3 or not all(1 <= abs(v) <= self.variables for v in clause):
                raise PolicyError(f"a clause needs three different variables of 1 to {self.variables}")

    def holds(self, values: tuple[bool, ...]) -> bool:
        """Whether exactly one literal of every clause is true under the values of variables 1, 2, ...

        There are as many values as ``variables`` says.
        """
        return all(sum(values[abs(v) - 1] == (v > 0) for v in clause) == 1 for clause in self.clauses)

    def solution(self) -> tuple[bool, ...] | None:
        """Return values of variables 1, 2, ... under which the formula holds, or None if there are none.

        An exact cover of variables and clauses by literals: an integer program of two variables per variable of the
        formula, without a time limit.
        """
        n = self.variables
        literals = [[v] for v in range(n)] + [[v] for v in range(n)]
        for c, clause in enumerate(self.clauses):
            for v in clause:
                literals[abs(v) - 1 + (n if v < 0 else 0)].append(n + c)
        found = choose(literals, n + len(self.clauses), least=1, most=1)
        return None if found is None else tuple(v in found for v in range(n))


def drawn(rng: np.random.Generator, clauses: int, variables: int) -> Formula:
    """Return a formula of random clauses, with a solution or without one.

    The signs of a variable alternate, so that no literal is in many clauses. There are at least 3 variables.
    """
    made = []
    signs = [1 if s else -1 for s in rng.integers(0, 2, variables)]
    for _ in range(clauses):
        clause = []
        for v in sorted(int(v) for v in rng.choice(variables, 3, replace=False)):
            clause.append((v + 1) * signs[v])
            signs[v] = -signs[v]
        made.append((clause[0], clause[1], clause[2]))
    return Formula(variables, tuple(made))


def planted(rng: np.random.Generator, clauses: int, variables: int) -> Formula:
    """Return a formula of random clauses that has a solution.

    The true literals are spread over the variables, so that none is in many clauses. There are at least 3 variables.
    """
    values = [1 if s else -1 for s in rng.integers(0, 2, variables)]
    true = [0] * variables
    made = []
    for _ in range(clauses):
        three = [int(v) for v in rng.choice(variables, 3, replace=False)]
        chosen = min(three, key=true.__getitem__)
        true[chosen] += 1
        clause = [(v + 1) * values[v] * (1 if v == chosen else -1) for v in sorted(three)]
        made.append((clause[0], clause[1], clause[2]))
    return Formula(variables, tuple(made))


NAMED = {
    # the paper's two worked examples: exactly two solutions, and none
    "example-1": Formula(3, ((-1, 2, 3), (1, -2, 3))),
    "example-2": Formula(3, ((1, 2, 3), (-1, -2, -3))),
    "one-clause": Formula(3, ((1, 2, 3),)),
}
