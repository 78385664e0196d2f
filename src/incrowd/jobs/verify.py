"""A release held against its original, from the two tables alone."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
from typing import TYPE_CHECKING, Any

from incrowd.check import verdict as check
from incrowd.check.certificate import whole
from incrowd.errors import PolicyError
from incrowd.jobs.check import read_again
from incrowd.jobs.large.choice import limit_engine_memory, memory_for_portions, most_types
from incrowd.jobs.shares import memory_kept
from incrowd.policy.questions import complete
from incrowd.progress import Watch
from incrowd.proved.check import Proved, proved_check
from incrowd.results.check import Violations
from incrowd.tables.engine.open import open_engine
from incrowd.tables.formats.base import bare
from incrowd.tables.read import label_of, open_source
from incrowd.tables.recoding import load_recoding
from incrowd.tables.roles import Reading
from incrowd.tables.verdict import HeldTo
from incrowd.tables.verify.certificates import on_grid, prices_in_memory, read_certificate, recheck, recheck_lines
from incrowd.tables.verify.lines import PriceFile
from incrowd.tables.verify.recount import readable
from incrowd.tables.verify.release.other_columns import count_unchanged
from incrowd.tables.verify.release.pairing import verify_tables
from incrowd.tables.verify.rules import read_rules
from incrowd.tables.verify.second_reading import confirm_cells

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping
    from pathlib import Path

    from incrowd.policy.job import Job
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Opened
    from incrowd.tables.verdict import Violation
    from incrowd.tables.verify.rules import Rules


class _Ended(Exception):
    """The recount of a certificate was to end before it was through."""


TOO_MANY = "the program reads row types in memory, and there are more than memory holds or types_in_memory allows"
WRONG = "the release or its certificate was found wrong before"
# how a released CSV is read: exactly as `incrowd` writes it
AS_WRITTEN = Reading(header=True, delimiter=",", encoding="utf-8", strip=False)


def verify(
    original: Any,
    released: Any,
    job: Job,
    certificate: str | Path | Mapping[str, Any] | None = None,
    *,
    proved: bool = False,
    time_limit: float | None = None,
    watch: Watch | None = None,
    counted: tuple[Violation, ...] | None = None,
    file: str | Path | None = None,
    given: Collection[str] = (),
) -> Violations:
    """Recount a release from the original and the released table alone, and its certificate if there is one.

    Both tables are a path, frame or Arrow table: `original` is read as the policy says, `released` as `incrowd` writes
    it. The job's policy says what to hold the release to; where it stands in a `file` that is read again, but for the
    settings that were `given` beside it. `certificate` is what `Release.certificate` wrote. `proved`
    says whether the program whose correctness is machine-proved is asked too; only with a certificate. `time_limit` is
    in seconds that the recount of the certificate may take, and again that program. A wish of the watch to stop ends
    that recount as the time limit does. `counted` is what the recount of this release found before: it is not made
    again. The result has the violations; with a certificate also what was recounted of it, nothing where that was ended
    before. `IncrowdError` is raised if a table or the certificate cannot be read, or the question is above the limit
    stated in the message.
    """
    policy = complete(job.policy)
    if proved and certificate is None:
        raise PolicyError("proved recounts a certificate; name its file as certificate")
    if time_limit is not None and not time_limit >= 0:
        raise PolicyError(f"time_limit must be a number of at least 0, not {time_limit}")
    claims = None if certificate is None else read_certificate(certificate)
    watch = watch or Watch()

    def ask() -> None:
        if watch.interrupted or watch.out_of_time:
            raise _Ended

    if claims is not None and (why := load_recoding(policy.recoding).no_certificate):
        raise PolicyError(why)
    asked = read_again(policy, file, given)
    with (
        memory_kept(job, watch, original, released) as memory,
        open_engine(job.engine, memory.engine, original, released) as engine,
    ):
        before, after, rules = opened_pair(engine, original, released, job, asked)
        limit_engine_memory(engine, memory)
        rules = on_grid(engine, before, after, rules, None if isinstance(claims, PriceFile) else claims)
        found, loss = counted, None
        if found is None:
            room = functools.partial(memory_for_portions, engine, memory, watch)
            found, loss = verify_tables(engine, before, after, rules, room)
        kept = count_unchanged(engine, after, asked, quotable=before.quotable)
        about: dict[str, Any] = {
            "certified": claims is not None, "notes": before.notes_on(asked.kept(before.names)),
            "held": HeldTo(asked.k, tuple(model.rule for model in asked.models), asked.quasi_identifiers, kept),
            "judged": {model.rule: model.judged for model in asked.models},
            "names": (label_of(original), label_of(released)),
        }  # fmt: skip
        if claims is None:
            return Violations(found, **about)
        told = _of_release(engine, after)
        watch.limit(time_limit)
        most = job.types_in_memory or 0  # row types that may lie in this process
        if job.types_in_memory is None and isinstance(claims, PriceFile):
            most = most_types(engine, memory, sum(top + 1 for top in rules.heights), len(rules.heights))
        again: dict[str, Any] = {"proven": False}
        with contextlib.suppress(_Ended):
            ask()
            if isinstance(claims, PriceFile):
                again = recheck_lines(engine, before, after, rules, claims, most, ask, loss, told)._asdict()
            else:
                again = recheck(engine, before, after, rules, claims, ask, loss=loss, told=told)._asdict()
        found = (*found, *again.pop("violations", ()))
        said = None
        if proved and found:
            said = Proved(False, why=WRONG)
        elif proved:
            if isinstance(claims, PriceFile):
                with readable():  # where the recount was ended nothing of its head is known
                    check.kind_of(claims.head)
                    types = whole(claims.head, "row_types", 1)
                claims = prices_in_memory(claims, types) if types <= most else None
            said = Proved(False, why=TOO_MANY)
            if claims is not None:
                said = proved_check(engine, before, after, rules, claims, time_limit)
    return Violations(found, proved=said, **again, **about, **told)


def _of_release(engine: Engine, released: Opened) -> dict[str, Any]:
    """Return what tells a release from every other: a certificate's head says it, and a report [H8]."""
    with engine.guard("adding up the release"):
        return {"released_sum": engine.row_sum(released.data, [released.data[name] for name in released.ids.values()])}


def opened_pair(engine: Engine, original: Any, released: Any, job: Job, asked: Any) -> tuple[Opened, Opened, Rules]:
    """Return an original and its release opened, and what the release is held to.

    Both tables are a path, frame or Arrow table: `original` is read as the policy says, `released` as `incrowd` writes
    it. The job says whether the release was written safe for spreadsheets, and `asked` is its policy as `read_again`
    returns it. What CSV files hold is read a second way. `IncrowdError` is raised if a table cannot be read, or the
    policy does not fit the original.
    """
    reading = Reading(**asked.reading)
    before, after = open_source(engine, original, reading), open_source(engine, released, AS_WRITTEN)
    once = confirm_cells(engine, before, original, reading) + confirm_cells(engine, after, released, AS_WRITTEN)
    before = dataclasses.replace(before, notes=(*before.notes, *once))
    if job.spreadsheet_safe:
        rows, names = bare(engine, after.data, after.names)
        after = dataclasses.replace(after, data=rows, names=tuple(names))
    job.policy.roles.check(before.names, quotable=before.quotable)
    return before, after, read_rules(engine, before, asked)
