"""What the levels of a column's hierarchy show, and how many levels columns have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.errors import PolicyError
from incrowd.web.studio.column_values import fit

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.policy.job import Job
    from incrowd.tables.hierarchy import Spec
    from incrowd.web.studio.column_values import ColumnValues

__all__ = ["Level", "allowed_patterns", "levels", "levels_of"]


@dataclass(frozen=True, slots=True)
class Level:
    """One level of a column's hierarchy.

    Attributes
    ----------
    number : int
        0: the values as they are.
    labels : int
        Different labels.
    some : tuple of str
        Some of them, evenly spread; empty where none were asked for.
    """

    number: int
    labels: int
    some: tuple[str, ...]


def levels(job: Job, values: ColumnValues, column: str, spec: Spec | None, some: int = 0) -> list[Level]:
    """Return what every level below the star shows of a column's values.

    `values` are of the job's source, as the job reads that. A `spec` of None stands for the values, and the star alone.
    `some` is how many labels of each level are wanted. Raise `PolicyError` or `InputError` if the hierarchy does not
    fit the column.
    """
    if column not in values.names:
        raise PolicyError(f"the table has no column {column!r}; reload the page")
    if spec is None:
        texts = values.texts(column)
        return [Level(0, len(texts), _spread(texts, some))] if column in values.counted else []
    return levels_of(fit(job, values, [(column, spec)])[column].shown(), some)


def levels_of(lines: Sequence[Sequence[str | None]], some: int) -> list[Level]:
    """Return what every level below the star shows.

    `lines` are those of a hierarchy, all equally long: value, label at level 1, 2, ... `some` is how many labels of
    each level are wanted.
    """
    found = []
    for number in range(len(lines[0]) if lines else 0):
        labels = list(dict.fromkeys("(empty)" if line[number] is None else str(line[number]) for line in lines))
        found.append(Level(number, len(labels), _spread(labels, some)))
    return found


def _spread(values: list[str], some: int) -> tuple[str, ...]:
    every = max(1, -(-len(values) // some)) if some else 1
    return tuple(values[::every][:some])


def allowed_patterns(job: Job, values: ColumnValues) -> int:
    """Return how many level vectors the mask of a job allows over its quasi-identifiers.

    `values` are of the job's source, as the job reads that. Raise `PolicyError` or `InputError` if hierarchies or mask
    do not fit the table.
    """
    policy = job.policy
    names = policy.quasi_identifiers
    fitted = fit(job, values, policy.hierarchies)
    heights = [fitted[name].height if name in fitted else 1 for name in names]
    return policy.mask.compile(names, heights).count()
