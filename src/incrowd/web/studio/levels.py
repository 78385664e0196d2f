"""What the levels of a column's hierarchy show, and how many levels columns have."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from incrowd.errors import PolicyError
from incrowd.policy.questions import star_of
from incrowd.tables.engine.open import open_engine
from incrowd.tables.read import open_source
from incrowd.tables.read.hierarchies import fit_hierarchies
from incrowd.tables.read.proposals import distinct_values

if TYPE_CHECKING:
    from incrowd.policy.job import Job
    from incrowd.tables.hierarchy import Spec

__all__ = ["Level", "allowed_patterns", "levels", "some_values"]


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


def levels(job: Job, column: str, spec: Spec | None, some: int = 0) -> list[Level]:
    """Return what every level below the star shows of a column's values.

    Parameters
    ----------
    job : Job
        Its source, and how that is read.
    column : str
    spec : Spec or None
        None: the values, and the star alone.
    some : int
        How many labels of each level are wanted.

    Raises
    ------
    PolicyError, InputError
        If the hierarchy does not fit the column.

    Notes
    -----
    One GROUP BY; memory grows with the column's distinct values.
    """
    policy = job.policy
    with open_engine(job.engine, job.memory, job.source) as engine:
        opened = open_source(engine, job.source, policy.reading)
        _refuse_unknown(opened.names, column)
        if spec is None:
            values = distinct_values(engine, opened, column)
            return [Level(0, len(values), _spread(values, some))] if values is not None else []
        fitted = fit_hierarchies(
            engine, opened, [(column, spec)], complete=policy.complete_hierarchies, star=star_of(policy),
            encoding=policy.reading.encoding,
        )[column]  # fmt: skip
    lines = fitted.shown()
    found = []
    for number in range(fitted.height):
        labels = list(dict.fromkeys("(empty)" if line[number] is None else str(line[number]) for line in lines))
        found.append(Level(number, len(labels), _spread(labels, some)))
    return found


def _refuse_unknown(names: Any, column: str) -> None:
    if column not in names:
        raise PolicyError(f"the table has no column {column!r}; reload the page")


def _spread(values: list[str], some: int) -> tuple[str, ...]:
    every = max(1, -(-len(values) // some)) if some else 1
    return tuple(values[::every][:some])


def some_values(job: Job, column: str, most: int) -> list[str]:
    """Return some of a column's distinct values, evenly spread over their order.

    Parameters
    ----------
    job : Job
    column : str
    most : int
        How many are wanted.
    """
    found = levels(job, column, None, most)
    return list(found[0].some) if found else []


def allowed_patterns(job: Job) -> int:
    """Return how many level vectors the mask of a job allows over its quasi-identifiers.

    Parameters
    ----------
    job : Job

    Raises
    ------
    PolicyError, InputError
        If hierarchies or mask do not fit the table.
    """
    policy = job.policy
    names = policy.quasi_identifiers
    with open_engine(job.engine, job.memory, job.source) as engine:
        opened = open_source(engine, job.source, policy.reading)
        specs = [one for one in policy.hierarchies if one[0] in opened.names]
        fitted = fit_hierarchies(
            engine, opened, specs, complete=policy.complete_hierarchies, star=star_of(policy),
            encoding=policy.reading.encoding,
        )  # fmt: skip
    heights = [fitted[name].height if name in fitted else 1 for name in names]
    return policy.mask.compile(names, heights).count()
