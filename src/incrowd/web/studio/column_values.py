"""The values of columns, counted once over the table: what levels show is then asked without reading it again."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.policy.questions import star_of
from incrowd.tables.engine.open import open_engine
from incrowd.tables.read import label_of, open_source
from incrowd.tables.read.hierarchies import counted_values, fit_counted, fit_hierarchies
from incrowd.tables.read.proposals import MOST_VALUES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import pyarrow as pa

    from incrowd.policy.job import Job
    from incrowd.progress import Watch
    from incrowd.tables.hierarchy import Fitted, Spec

__all__ = ["ColumnValues", "count_values", "fit"]


@dataclass(frozen=True, slots=True)
class ColumnValues:
    """What was counted of a table under one way of reading it.

    Attributes
    ----------
    names : tuple of str
        The table's columns.
    counted : mapping of str to Arrow table
        Values and rows of the columns with at most 200,000 values.
    """

    names: tuple[str, ...]
    counted: Mapping[str, pa.Table]

    def texts(self, column: str) -> list[str]:
        """Return the values of a column, sorted, without the missing one; none where they are too many."""
        if column not in self.counted:
            return []
        return sorted(value for value in self.counted[column].column("v").to_pylist() if value is not None)


def count_values(job: Job, watch: Watch | None = None) -> ColumnValues:
    """Count the values of every column of the table that is a job's source.

    A wish to stop leaves the columns out that were not counted by then. One GROUP BY a column; memory grows with the
    distinct values of columns that have at most 200,000. Raise `InputError` if the table cannot be read.
    """
    found = {}
    with open_engine(job.engine, job.memory, job.source) as engine:
        opened = open_source(engine, job.source, job.policy.reading)
        for name in opened.names:
            if watch is not None and watch.interrupted:
                break
            counted = counted_values(engine, opened, name, MOST_VALUES)
            if counted is not None:
                found[name] = counted
    return ColumnValues(opened.names, found)


def fit(job: Job, values: ColumnValues, specs: Sequence[tuple[str, Spec]]) -> dict[str, Fitted]:
    """Return the hierarchy of every column that has one, with a line for each of its values.

    `specs` are pairs of a column and its hierarchy; a column that the table does not have is left out. The table is
    read only where a column has more values than are counted. Raise `PolicyError` or `InputError` if a hierarchy does
    not fit its column.
    """
    policy = job.policy
    named = [one for one in specs if one[0] in values.names]
    complete, star, encoding = policy.complete_hierarchies, star_of(policy), policy.reading.encoding
    if all(name in values.counted for name, _ in named):
        with open_engine(job.engine, job.memory) as engine:
            return fit_counted(
                engine, label_of(job.source), values.counted, named, complete=complete, star=star, encoding=encoding
            )
    with open_engine(job.engine, job.memory, job.source) as engine:
        opened = open_source(engine, job.source, policy.reading)
        return fit_hierarchies(engine, opened, named, complete=complete, star=star, encoding=encoding)
