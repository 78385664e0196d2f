"""Which classes meet a problem's requirements, for solvers that look at many classes of few rows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import Infeasible

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.count_rules import CountRule
    from incrowd.tables.values import Plan, Problem


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
