"""How useful a release still is, from the two tables alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, PolicyError
from incrowd.jobs.check import read_again
from incrowd.jobs.shares import Clock, memory_kept
from incrowd.jobs.verify import opened_pair
from incrowd.progress import Watch
from incrowd.results.release_facts import peak_mb
from incrowd.results.usefulness import Usefulness
from incrowd.tables.engine.open import open_engine
from incrowd.tables.read import label_of
from incrowd.tables.usefulness.coded_tables import coded_pair
from incrowd.tables.usefulness.figures import figures_of, refuse_questions
from incrowd.tables.verify.pairing.common_coding import alike
from incrowd.tables.verify.rules import with_ranges
from incrowd.version import __version__

if TYPE_CHECKING:
    from incrowd.policy.job import Job
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Opened
    from incrowd.tables.usefulness.coded_tables import CodedTables
    from incrowd.tables.verify.rules import Rules


def usefulness(
    original: Any, released: Any, job: Job, *, target: str | None = None, queries: int = 1000,
    time_limit: float | None = None, watch: Watch | None = None,
) -> Usefulness:  # fmt: skip
    """Hold what analysts would find in a release against what they would find in the original.

    Both tables are a path, frame or Arrow table: `original` is read as the policy says, `released` as `incrowd` writes
    it. The job's policy says which columns changed and how, and its seed draws the queries. The limit of the job's
    search is none here. `target` is the column that a model is to predict, and `queries` the number of random counts
    that are asked. `time_limit` is in seconds for the questions, once both tables are read; those that were asked by
    then are the answer, and a model that was begun is learned to its end (it sees at most 20,000 rows of each table).
    The watch hears events. `IncrowdError` is raised if a table cannot be read, the release shows texts that the policy
    does not explain, a column is missing, or a target is named without scikit-learn. One GROUP BY over each table; what
    is kept grows with the distinct rows of the quasi-identifiers and sensitive columns, 4 bytes a column, beside their
    texts while they are read. Time: O(queries) passes over those rows.
    """
    refuse_questions(target, queries)
    if time_limit is not None and not time_limit >= 0:
        raise PolicyError(f"time_limit must be a number of at least 0, not {time_limit}")
    clock = Clock(watch or Watch())
    with memory_kept(job, clock.watch, original, released) as memory:
        with open_engine(job.engine, memory.engine, original, released) as engine, clock("read"):
            before, after, rules = opened_pair(engine, original, released, job, read_again(job.policy))
            tables = _tables(engine, before, after, rules, target)
        clock.watch.limit(time_limit)
        found = figures_of(tables, seed=job.seed or 0, queries=queries, target=target, watch=clock.watch, timed=clock)
    names: dict[str, Any] = {"original": label_of(original).strip("'"), "release": label_of(released).strip("'")}
    return Usefulness(**names, **found, seconds=clock.report({}), peak_mb=peak_mb(), version=__version__)


def _tables(engine: Engine, before: Opened, after: Opened, rules: Rules, target: str | None) -> CodedTables:
    """Return both tables coded, with their quasi-identifiers, their sensitive columns and the target."""
    policy, names = rules.policy, rules.names
    kept = [name for name in rules.kept if name not in names]
    if target is not None and target not in (*names, *kept):
        raise InputError(f"column {target!r}, named as target, is not in the release of {before.label}")
    missing = [name for name in (*names, *kept) if name not in after.names]
    if missing:
        raise InputError(f"{after.label} lacks column {missing[0]!r} of the original; name a release of it")
    coding = alike(before, after, rules, engine)
    asked = {*policy.sensitive, *([] if target is None else [target])}
    coded = {f"q{j}": name for j, name in enumerate(names)}
    coded |= {f"o{j}": name for j, name in enumerate(coding.others) if name in asked}
    rules = with_ranges(engine, before, after, rules)
    return coded_pair(
        engine, coding.original, coding.released, coded, changing=names, star=policy.star,
        hierarchies=rules.hierarchies, ranges=policy.ranges,
    )  # fmt: skip
