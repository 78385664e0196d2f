"""``incrowd init``: a policy proposed for a table, ready to be used and to be edited."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from incrowd.errors import IncrowdError, InputError
from incrowd.jobs.proposal.columns import SAMPLE_ROWS, ColumnProfile, columns_of, every_nth
from incrowd.jobs.proposal.dependence import ages_of_dates, told_by, twins
from incrowd.jobs.proposal.loss import expected_loss
from incrowd.jobs.proposal.roles import Part, parts_of, with_warnings
from incrowd.policy.template import Proposed, policy_text
from incrowd.tables.engine.open import open_engine
from incrowd.tables.read import label_of, open_source

if TYPE_CHECKING:
    from collections.abc import Mapping

    from incrowd.policy.job import Job
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.hierarchy import Spec
    from incrowd.tables.table import Opened

__all__ = ["Start", "proposal", "starting_policy"]

USUAL_K = 5
SMALL = 50  # rows below which k is 2
RELATED_ROWS = 5_000  # on which columns are held against one another
CODED = ("numbers", "dates", "codes")


@dataclass(frozen=True, slots=True)
class Start:
    """What is proposed for a table.

    Attributes
    ----------
    text : str
        The policy file.
    rows : int
        Of the table.
    columns : tuple of Proposed
        What is said of every column, in their order.
    kinds : mapping of str to str
        What the values of each column look like: numbers, dates, codes, texts ...
    hierarchies : mapping of str to Spec
        The hierarchy that suits a column's values, whichever part it plays; columns without one are left out.
    lost : (float, int) or None
        Share that a quick search lost of so many rows.
    """

    text: str
    rows: int
    columns: tuple[Proposed, ...]
    kinds: Mapping[str, str]
    hierarchies: Mapping[str, Spec]
    lost: tuple[float, int] | None


def starting_policy(job: Job) -> str:
    """Return a policy file for a table: proposed roles, hierarchies and k to be used as they stand or edited.

    Parameters
    ----------
    job : Job
        Its source, how it is read, engine and memory.

    Returns
    -------
    str
        TOML; names and counts of columns, widths and words for missing values of a fixed list: no other cell.

    Raises
    ------
    InputError
        If the table cannot be read, or its first line looks like data.
    """
    return proposal(job).text


def proposal(job: Job) -> Start:
    """Return what is proposed for a table, as a policy file and column by column.

    Parameters
    ----------
    job : Job

    Raises
    ------
    InputError
        As of `starting_policy`.

    Notes
    -----
    Some passes over the table; at most 200,000 values of a column at a time and 20,000 rows leave the engine.
    """
    with open_engine(job.engine, job.memory, job.source) as engine:
        opened = open_source(engine, job.source, job.policy.reading)
        if not opened.quotable:
            raise InputError(
                f"the first line of {opened.label} looks like a row of data, so its fields are not repeated as names: "
                "say --no-header, or name the columns with --columns"
            )
        columns = columns_of(engine, opened)
        cells = _cells(engine, every_nth(opened, columns[0].rows, RELATED_ROWS), columns)
        parts = parts_of(columns, ages_of_dates(columns, cells), twins(columns, cells))
        kept = [part.column.name for part in parts if part.role in ("sensitive", "other")]
        known = [part.column.name for part in parts if part.role == "quasi_identifiers"]
        parts = with_warnings(parts, told_by(kept, known, cells))
        made = _proposed_job(job, parts, text=opened.kind == "csv")
        lost = _expected(job, engine, opened, made)
    text = policy_text(made.job, label_of(job.source), made.columns, lost)
    seen = {part.column.name: part.column.proposal for part in parts}
    kinds = {name: one.seen.kind for name, one in seen.items()}
    hierarchies = {name: one.spec for name, one in seen.items() if one.spec is not None}
    return Start(text, columns[0].rows, made.columns, kinds, hierarchies, lost)


@dataclass(frozen=True, slots=True)
class _Made:
    """A job under the proposed policy, and what is said of its columns."""

    job: Job
    columns: tuple[Proposed, ...]


def _proposed_job(job: Job, parts: list[Part], *, text: bool) -> _Made:
    by_role = {
        role: [part.column.name for part in parts if part.role == role]
        for role in ("quasi_identifiers", "sensitive", "identifiers")
    }
    chosen = [part for part in parts if part.role == "quasi_identifiers" and part.column.proposal.spec is not None]
    words = sorted({word for part in parts for word in _missing_words(part.column)}) if text else []
    missing = tuple(word for word in words if word not in job.policy.reading.na)
    rows = parts[0].column.rows
    settings = {
        **by_role,
        "k": USUAL_K if rows >= SMALL else min(2, max(rows, 1)),
        "hierarchies": {part.column.name: part.column.proposal.spec for part in chosen},
        "complete_hierarchies": any(_doubtful(part.column, missing) for part in chosen),
        **({"na": (*job.policy.reading.na, *missing)} if missing else {}),
    }
    said = tuple(
        Proposed(
            name=part.column.name, distinct=part.column.distinct, empty=part.column.empty,
            missing=part.column.missing if _missing_words(part.column) else 0, role=part.role, why=part.why,
        )
        for part in parts
    )  # fmt: skip
    return _Made(job.replace(**settings), said)


def _missing_words(column: ColumnProfile) -> tuple[str, ...]:
    """Return the words for a missing value of a column in which they can be nothing else."""
    seen = column.proposal.seen
    return tuple(word for word in seen.missing if word) if seen.kind in CODED else ()


def _doubtful(column: ColumnProfile, missing: tuple[str, ...]) -> bool:
    """Return whether a hierarchy may lack values of its column, once words for a missing one are read as such."""
    left = column.proposal.unplaced - sum(word in missing for word in column.proposal.seen.missing)
    return left > 0 or not column.whole


def _cells(engine: Engine, opened: Opened, columns: list[ColumnProfile]) -> dict[str, list[str | None]]:
    """Return the cells of some rows as texts, by column."""
    texts = {f"t{i}": engine.text(opened.data[f"c{i}"]) for i in range(len(columns))}
    with engine.guard(f"reading {opened.label}"):
        found = engine.fetch(opened.data.select(**texts))
    return {column.name: found.column(f"t{i}").to_pylist() for i, column in enumerate(columns)}


def _expected(job: Job, engine: Engine, opened: Opened, made: _Made) -> tuple[float, int] | None:
    """Return the share that is lost of a sample, and the rows of it; None where it cannot be said."""
    policy = made.job.policy
    if not policy.quasi_identifiers:
        return None
    if policy.reading.na != job.policy.reading.na:
        opened = open_source(engine, job.source, policy.reading)
    rows = every_nth(opened, int(engine.one(opened.data.aggregate(n=opened.data.count()))["n"]), SAMPLE_ROWS)
    count = int(engine.one(rows.data.aggregate(n=rows.data.count()))["n"])
    try:
        lost = expected_loss(engine, rows, policy)
    except IncrowdError:
        return None
    return None if lost is None else (lost, count)
