"""Which classes meet a problem's requirements, for solvers that look at many classes of few rows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import Infeasible

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.count_rules import CountRule
    from incrowd.tables.values import Int64, Plan, Problem


# Classes judged at a time.
BATCH = 1 << 15


def requirements_in_words(problem: Problem) -> str:
    """Return what a release has to meet, as a policy writes it."""
    return ", ".join((f"k={problem.k}", *(requirement.rule for requirement in problem.requirements)))


def count_rules_of(problem: Problem) -> list[CountRule]:
    """Return the rules on counts of all requirements, one after the other."""
    return [rule for requirement in problem.requirements for rule in requirement.count_rules()]


def closed_under_union(problem: Problem) -> str | None:
    """Return which requirement is not kept when two classes that meet it become one, in words, or None."""
    for requirement in problem.requirements:
        if not requirement.closed_under_union:
            return f"two groups that meet {requirement.describe()} need not meet it together"
    return None


def refuse_hopeless(problem: Problem) -> None:
    """Refuse a requirement that the whole table fails.

    Raises Infeasible: classes that meet a requirement that is closed under union meet it together, and together they
    are the table.
    """
    everybody = np.zeros(problem.types.t, np.int64)
    for requirement in problem.requirements:
        if (
            requirement.closed_under_union
            and not requirement.meets(everybody, kinds_of(problem), problem.types.counts, 1).all()
        ):
            raise Infeasible(
                f"no release can meet {requirement.rule}: the whole table as one group does not, and groups that do "
                "would meet it together; ask for less",
                requirement=requirement.rule,
                proven=True,
            )


def meets(
    problem: Problem, class_: NDArray[np.integer], types: NDArray[np.integer], rows: NDArray[np.integer], classes: int
) -> NDArray[np.bool_]:
    """Return which classes meet every requirement, shape (classes,); `types` are row types.

    `class_`, `types` and `rows` are (p,): the class, from 0, the row type and the rows of each part.
    """
    if not problem.requirements:
        return np.ones(classes, np.bool_)
    return kinds_meet(problem, class_, kinds_of(problem)[types], rows, classes)


def kinds_meet(
    problem: Problem, class_: NDArray[np.integer], kinds: NDArray[np.integer], rows: NDArray[np.integer], classes: int
) -> NDArray[np.bool_]:
    """Return which classes meet every requirement, shape (classes,); `kinds` are combinations of sensitive values.

    `class_`, `kinds` and `rows` are (p,): the class, from 0, the combination of sensitive values and the rows of each
    part.
    """
    result = np.ones(classes, np.bool_)
    for requirement in problem.requirements:
        result &= requirement.meets(class_, kinds, rows, classes)
    return result


def broken(problem: Problem, plan: Plan) -> str | None:
    """Return the first requirement, as a policy writes it, that a class of a plan fails, or None.

    Rows that the plan suppresses whole are no class where outliers are suppressed.
    """
    kinds = kinds_of(problem)[plan.part_type]
    for requirement in problem.requirements:
        if not requirement.meets(plan.part_class, kinds, plan.part_rows, plan.classes).all():
            return requirement.rule
    return None


def kinds_of(problem: Problem) -> NDArray[np.integer]:
    """Return the combination of sensitive values of each row type, shape (t,)."""
    kinds = problem.types.kinds
    return np.zeros(problem.types.t, np.int32) if kinds is None else kinds


@dataclass(frozen=True, slots=True, eq=False)
class RequirementCheck:
    """The verdict on every multiset of sensitive values that rows of a table can have.

    `radix`: (t,) int64, the place of a class in `fit` is the sum of this over its rows. `fit`: (h,) bool, empty where
    there are no requirements.
    """

    radix: Int64
    fit: NDArray[np.bool_]


def judge(problem: Problem) -> RequirementCheck:
    """Return the verdict on every group by its sensitive values alone.

    The problem has requirements. A class's verdict depends on its rows per combination of sensitive values only, so
    each of these multisets is judged once: the product of (rows of each combination + 1), at most that over the row
    types.
    """
    t = problem.types.t
    if not problem.requirements:
        return RequirementCheck(np.zeros(t, np.int64), np.zeros(0, np.bool_))
    present, of = np.unique(kinds_of(problem), return_inverse=True)
    rows = np.zeros(present.size, np.int64)
    np.add.at(rows, of.reshape(-1), problem.types.counts)
    radix = np.concatenate(([1], np.cumprod(rows + 1)))
    total = int(radix[-1])
    fit = np.ones(total, np.bool_)
    for begin in range(0, total, BATCH):
        place = np.arange(begin, min(begin + BATCH, total))
        held = place[:, None] // radix[None, :-1] % (rows + 1)[None, :]
        class_, kind = np.nonzero(held)
        for requirement in problem.requirements:
            fit[place] &= requirement.meets(class_, present[kind], held[class_, kind], place.size)
    return RequirementCheck(radix[:-1][of.reshape(-1)], fit)
