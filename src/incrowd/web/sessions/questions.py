"""What is asked about the columns of an open table: answered from values that are counted once, and kept."""

from __future__ import annotations

import threading
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

from incrowd.errors import InputError, PolicyError
from incrowd.policy.questions import star_of
from incrowd.tables.engine.open import open_engine
from incrowd.tables.read import label_of, open_source
from incrowd.tables.read.hierarchies import fit_counted, fit_hierarchies
from incrowd.tables.read.table import MOST_VALUES, counted_values

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import pyarrow as pa

    from incrowd.policy.job import Job
    from incrowd.progress import Watch
    from incrowd.tables.hierarchy import Fitted, Spec
    from incrowd.web.sessions.work import Work

Found = TypeVar("Found")

MOST_KEPT = 500
PATIENCE = 120.0  # seconds for values to be counted, where somebody asks what they are


class Questions:
    """What is asked about the columns of one table.

    `begin` begins a piece of work in place of the one before: it gets what is done in words, and what does it.
    """

    def __init__(self, begin: Callable[[str, Callable[..., Any]], Work]) -> None:
        self._begin = begin
        self._under: Any = None
        self._counting: Work | None = None
        self._kept: dict[tuple[Any, ...], Any] = {}
        self._lock = threading.Lock()

    def counting(self, job: Job) -> Work:
        """Return the count of the columns' values as a job reads its table, begun if it has to be."""
        with self._lock:
            found = self._counting
            if found is None or found.state == "failed" or found.stopping or self._under != job.policy.reading:
                self._under = job.policy.reading
                found = self._begin("Counting the values of every column", lambda watch: count_values(job, watch))
                self._counting = found
            return found

    def values(self, job: Job) -> ColumnValues:
        """Return the values of the columns, once they are counted.

        Raise `InputError` if the table cannot be read, or it takes too long.
        """
        work = self.counting(job)
        if not work.wait(PATIENCE):
            raise InputError("the values of the columns are still being counted; ask again in a moment")
        if work.state == "failed":
            raise InputError(work.why)
        found: ColumnValues = work.result
        return found

    def levels(self, job: Job, column: str, spec: Spec | None, some: int) -> list[Level]:
        """Return what every level below the star shows of a column's values, as a job reads its table.

        A `spec` of None stands for the values, and the star alone. `some` is how many labels of each level are wanted.
        Raise `PolicyError` or `InputError` if the hierarchy does not fit the column.
        """

        def find() -> list[Level]:
            values = self.values(job)
            if column not in values.names:
                raise PolicyError(f"the table has no column {column!r}; reload the page")
            if spec is None:
                texts = values.texts(column)
                return [Level(0, len(texts), _spread(texts, some))] if column in values.counted else []
            return levels_of(fit(job, values, [(column, spec)])[column].shown, some)

        policy = job.policy
        asked = (column, repr(spec), some, policy.reading, policy.complete_hierarchies, policy.star)
        return self._once(asked, find)

    def allowed_patterns(self, job: Job) -> int:
        """Return how many level vectors the mask of a job allows over its quasi-identifiers.

        Raise `PolicyError` or `InputError` if hierarchies or mask do not fit the table.
        """
        policy, names = job.policy, job.policy.quasi_identifiers

        def find() -> int:
            fitted = fit(job, self.values(job), policy.hierarchies)
            heights = [fitted[name].height if name in fitted else 1 for name in names]
            return policy.mask.compile(names, heights).count()

        asked = (names, repr(policy.hierarchies), repr(policy.mask))
        return self._once((*asked, policy.reading, policy.complete_hierarchies, policy.star), find)

    def _once(self, asked: tuple[Any, ...], find: Callable[[], Found]) -> Found:
        if asked not in self._kept:
            new = find()
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[asked] = new
        found: Found = self._kept[asked]
        return found


# The values of columns, counted once over the table: what levels show is then asked without reading it again.
@dataclass(frozen=True, slots=True)
class ColumnValues:
    """What was counted of a table under one way of reading it.

    `names`: the table's columns. `counted`: values and rows of the columns with at most 200,000 values.
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
    how: dict[str, Any] = {
        "complete": policy.complete_hierarchies, "star": star_of(policy), "encoding": policy.reading.encoding
    }  # fmt: skip
    if all(name in values.counted for name, _ in named):
        with open_engine(job.engine, job.memory) as engine:
            return fit_counted(
                engine, label_of(job.source), named, lambda name: engine.put(values.counted[name]), **how
            )
    with open_engine(job.engine, job.memory, job.source) as engine:
        opened = open_source(engine, job.source, policy.reading)
        return fit_hierarchies(engine, opened, named, **how)


# What the levels of a column's hierarchy show, and how many levels columns have.
@dataclass(frozen=True, slots=True)
class Level:
    """One level of a column's hierarchy.

    `number`: 0: the values as they are. `labels`: different labels. `some`: some of them, evenly spread; empty where
    none were asked for.
    """

    number: int
    labels: int
    some: tuple[str, ...]


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
