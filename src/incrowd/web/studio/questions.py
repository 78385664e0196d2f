"""What is asked about the columns of an open table: answered from values that are counted once, and kept."""

from __future__ import annotations

import threading
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError
from incrowd.web.studio.column_values import ColumnValues, count_values
from incrowd.web.studio.levels import allowed_patterns, levels

if TYPE_CHECKING:
    from collections.abc import Callable

    from incrowd.policy.job import Job
    from incrowd.tables.hierarchy import Spec
    from incrowd.web.studio.levels import Level
    from incrowd.web.studio.work import Work

__all__ = ["Questions"]

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
        """Return what the levels of a hierarchy show, as `incrowd.web.studio.levels.levels` does.

        Raise `PolicyError` or `InputError` as that does.
        """
        policy = job.policy
        asked = (column, repr(spec), some, policy.reading, policy.complete_hierarchies, policy.star)
        found: list[Level] = self._once(asked, lambda: levels(job, self.values(job), column, spec, some))
        return found

    def allowed_patterns(self, job: Job) -> int:
        """Return how many patterns the mask of a job allows.

        Raise `PolicyError` or `InputError` if hierarchies or mask do not fit the table.
        """
        policy = job.policy
        asked = (
            policy.quasi_identifiers, repr(policy.hierarchies), repr(policy.mask), policy.reading,
            policy.complete_hierarchies, policy.star,
        )  # fmt: skip
        found: int = self._once(asked, lambda: allowed_patterns(job, self.values(job)))
        return found

    def _once(self, asked: tuple[Any, ...], find: Callable[[], Any]) -> Any:
        if asked not in self._kept:
            found = find()
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[asked] = found
        return self._kept[asked]
