"""An error of ours while a search holds a release: the search ends there, the release stands, and its notes say so.

Errors that are raised on purpose, lack of memory and interruptions go their own ways, and so does what a caller's
listener raises. Where `RAISING` is set in the environment nothing is kept back: the suite fails, a debugger sees all.
"""

from __future__ import annotations

import dataclasses
import os
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from incrowd.errors import IncrowdError
from incrowd.progress import Watch
from incrowd.tables.values import Advice

if TYPE_CHECKING:
    from collections.abc import Callable
    from types import TracebackType

    from incrowd.tables.values import Solution


RAISING = ("INCROWD_STRICT", "INCROWD_DEBUG")
# A SystemError is what compiled code makes of an interruption.
NOT_OURS = (IncrowdError, MemoryError, SystemError)


@dataclass(frozen=True)
class release_kept:  # noqa: N801 - read as what a block does
    """A block that an error of ours ends without going on, and of which the watch remembers where it came from.

    `holds` says whether there is a release by then; without one the error goes on. By default there is one.
    """

    watch: Watch
    holds: Callable[[], bool] = lambda: True

    def __enter__(self) -> None:
        """Begin the block."""

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> bool:
        """Return whether the error ends here."""
        if not isinstance(error, Exception) or isinstance(error, NOT_OURS):
            return False
        if any(map(os.environ.get, RAISING)) or not self.holds():
            return False
        where = "an unknown place"
        while trace is not None:
            code = trace.tb_frame.f_code
            if code is Watch.report.__code__:
                return False
            where = f"{Path(code.co_filename).name}, line {trace.tb_lineno}"
            trace = trace.tb_next
        self.watch.failures.append(f"{type(error).__name__} in {where}")  # its own text may quote the table
        return True


def with_mishaps(solution: Solution, watch: Watch) -> Solution:
    """Return a solution that says which errors ended its searches, if any did."""
    if not watch.failures:
        return solution
    where = "; ".join(dict.fromkeys(watch.failures))
    said = Advice(
        f"the search for a better release or bound broke off ({where}): this is our bug, please report it; the "
        "release and its lower bound hold"
    )
    status = solution.status if solution.status in ("optimal", "gap") else "interrupted"
    return dataclasses.replace(solution, status=status, notes=(*solution.notes, said))
