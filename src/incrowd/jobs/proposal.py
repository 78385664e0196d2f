"""``incrowd init``: a policy proposed for a table, ready to be used and to be edited."""

from __future__ import annotations

import itertools
import re
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import ibis
import numpy as np

from incrowd.errors import IncrowdError, InputError, count_of
from incrowd.jobs.prepare import prepare_opened
from incrowd.jobs.stars_alone import quick_loss
from incrowd.policy.template import Proposed, policy_text
from incrowd.progress import Watch
from incrowd.tables.attack.column_ties import tie_of
from incrowd.tables.engine.open import open_engine
from incrowd.tables.hierarchy.builders import day_of, number_of, parsed
from incrowd.tables.hierarchy.proposals import MISSING_WORDS, Proposal, propose
from incrowd.tables.read import label_of, open_source
from incrowd.tables.read.table import distinct_values

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from incrowd.policy.job import Job, Policy
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.hierarchy import Spec
    from incrowd.tables.table import Opened
    from incrowd.tables.values import Int64

USUAL_K = 5
SMALL = 50  # rows below which k is 2
RELATED_ROWS = 5_000  # on which columns are held against one another
CODED = ("numbers", "dates", "codes")


@dataclass(frozen=True, slots=True)
class Start:
    """What is proposed for a table.

    `text`: the policy file. `rows`: of the table. `columns`: what is said of every column, in their order. `kinds`:
    what the values of each column look like: numbers, dates, codes, texts ... `hierarchies`: the hierarchy that suits a
    column's values, whichever part it plays; columns without one are left out. `lost`: (float, int) or None, share that
    a quick search lost of so many rows.
    """

    text: str
    rows: int
    columns: tuple[Proposed, ...]
    kinds: Mapping[str, str]
    hierarchies: Mapping[str, Spec]
    lost: tuple[float, int] | None


def proposal(job: Job, watch: Watch | None = None) -> Start:
    """Return what is proposed for a table, as a policy file (to be used as it stands or edited) and column by column.

    `job`: its source, how it is read, engine and memory. What is proposed holds names and counts of columns, widths and
    words for missing values of a fixed list: no other cell. InputError is raised if the table cannot be read, or its
    first line looks like data; `Cut` where the watch says stop. Some passes over the table; at most 200,000 values of a
    column at a time and 20,000 rows leave the engine.
    """
    with open_engine(job.engine, job.memory, job.source) as engine, engine.stoppable(watch or Watch()):
        opened = open_source(engine, job.source, job.policy.reading)
        if not opened.quotable:
            raise InputError(
                f"the first line of {opened.label} looks like a row of data, so its fields are not repeated as names: "
                "say header = false, or name the columns (columns)"
            )
        columns = columns_of(engine, opened)
        rows = columns[0].rows
        cells = _cells(engine, every_nth(opened, rows, RELATED_ROWS), columns)
        places = {name: places_of(values) for name, values in cells.items()}
        parts = parts_of(columns, ages_of_dates(columns, cells), twins(columns, places))
        kept = [part.name for part in parts if part.role in ("sensitive", "other")]
        known = [part.name for part in parts if part.role == "quasi_identifiers"]
        parts = with_warnings(parts, told_by(kept, known, places))
        made = _proposed_job(job, columns, parts, text=opened.kind == "csv")
        lost = _expected(job, engine, opened, made.policy, rows)
    text = policy_text(made, label_of(job.source), parts, lost)
    kinds = {column.name: column.proposal.seen.kind for column in columns}
    hierarchies = {column.name: column.proposal.spec for column in columns if column.proposal.spec is not None}
    return Start(text, rows, tuple(parts), kinds, hierarchies, lost)


def _proposed_job(job: Job, columns: list[ColumnProfile], parts: list[Proposed], *, text: bool) -> Job:
    """Return a job under the proposed policy."""
    by_role = {
        role: [part.name for part in parts if part.role == role]
        for role in ("quasi_identifiers", "sensitive", "identifiers")
    }
    known = by_role["quasi_identifiers"]
    chosen = [column for column in columns if column.name in known and column.proposal.spec is not None]
    words = sorted({word for column in columns for word in _missing_words(column)}) if text else []
    missing = tuple(word for word in words if word not in job.policy.reading.na)
    rows = columns[0].rows
    return job.replace(
        **by_role,
        k=USUAL_K if rows >= SMALL else min(2, max(rows, 1)),
        hierarchies={column.name: column.proposal.spec for column in chosen},
        complete_hierarchies=any(_doubtful(column, missing) for column in chosen),
        **({"na": (*job.policy.reading.na, *missing)} if missing else {}),
    )


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


def _expected(job: Job, engine: Engine, opened: Opened, policy: Policy, rows: int) -> tuple[float, int] | None:
    """Return the share that is lost of a sample, and the rows of it; None where it cannot be said."""
    if not policy.quasi_identifiers:
        return None
    if policy.reading.na != job.policy.reading.na:
        opened = open_source(engine, job.source, policy.reading)
    try:
        problem = prepare_opened(engine, every_nth(opened, rows, SAMPLE_ROWS), policy).problem()
        lost = quick_loss(problem)
    except IncrowdError:
        return None
    return None if lost is None else (lost, problem.types.n)


# What is counted of every column of a table, before anybody says which part it plays.
SAMPLE_ROWS = 20_000


@dataclass(frozen=True, slots=True)
class ColumnProfile:
    """A column in numbers, and the hierarchy that its values suggest.

    `rows`, `empty`, `missing`: of the table; those without a value; those whose value is a word for a missing one.
    `distinct`: different values. `blanks`: blanks inside a value, on average: words less one. `whole`: whether all
    distinct values were looked at (else those of a sample).
    """

    name: str
    rows: int
    empty: int
    missing: int
    distinct: int
    blanks: float
    proposal: Proposal
    whole: bool = True

    @property
    def filled(self) -> int:
        """Rows that say something."""
        return self.rows - self.empty - self.missing


def columns_of(engine: Engine, opened: Opened) -> list[ColumnProfile]:
    """Return the columns of a table, whose rows lie in the engine, in numbers.

    Two GROUP BYs a column; at most 200,000 values of a column leave the engine, and of a column with more those of a
    sample of 20,000 rows.
    """
    counts = _counts(engine, opened)
    rows = counts[0]["rows"]
    sample = None
    columns = []
    for name, counted in zip(opened.names, counts, strict=True):
        values = distinct_values(engine, opened, name)
        whole = values is not None
        if values is None:
            sample = sample or every_nth(opened, rows, SAMPLE_ROWS)
            values = distinct_values(engine, sample, name) or []
        filled = rows - counted["empty"]
        columns.append(
            ColumnProfile(
                name, rows, counted["empty"], counted["missing"], counted["distinct"],
                blanks=counted["blanks"] / filled if filled else 0.0, proposal=propose(name, values), whole=whole,
            )
        )  # fmt: skip
    return columns


def _counts(engine: Engine, opened: Opened) -> list[dict[str, int]]:
    """Return rows, empty cells, words for a missing value, distinct values and blanks of every column, in their order.

    Texts are looked at once a value, not once a row.
    """
    asked = []
    for place in range(len(opened.names)):
        text = engine.text(opened.data[f"c{place}"])
        counted = opened.data.select(v=text).group_by("v").aggregate(n=lambda rows: rows.count())
        word = counted.v.strip().lower()
        blanks = counted.v.length() - counted.v.replace(" ", "").length()
        asked.append(
            counted.aggregate(
                rows=counted.n.sum(),
                distinct=counted.v.count(),
                empty=counted.v.isnull().ifelse(counted.n, 0).sum(),
                missing=word.isin(sorted({"", *MISSING_WORDS})).ifelse(counted.n, 0).sum(),
                blanks=(counted.n * blanks).sum(),
            ).mutate(place=ibis.literal(place, "int64"))
        )
    with engine.guard(f"reading {opened.label}"):
        found = engine.fetch(ibis.union(*asked)).to_pylist()
    found.sort(key=lambda one: one["place"])
    return [{key: int(value or 0) for key, value in one.items()} for one in found]


def every_nth(opened: Opened, rows: int, most: int) -> Opened:
    """Return a table with some of its rows, evenly spread over the input: the same for the same table.

    `rows` are those of the table. At most `most` rows are kept; all of them where there are no more.
    """
    step = -(-rows // most)
    if step <= 1:
        return opened
    return replace(opened, data=opened.data.filter(opened.data["row_key"] % step == 0))


# The part that is proposed for each column, with its reason: by its name and by counts, never by a single value.
SENSITIVE = re.compile(
    r"diagnos|disease|illness|condition|salary|income|wage|religio|politic|sexual|drug|medication|treatment|"
    r"result|test|score|grade|offen[cs]e|debt|health|icd|therap|befund|krankheit|choroba|rozpoznanie",
    re.IGNORECASE,
)
A_NAME = re.compile(
    r"^(full|first|last|given|family|patient|person|sur|vor|nach|user)?[_\s-]?name$|nazwisko|^imi[eę]$|e?-?mail($|[_\W])|"
    r"(^|[_\W])(phone|telefon|tel|mobile|handy|ssn|pesel|iban|passport|address|adresse|adres|street|strasse|straße|ulica)($|[_\W])",
    re.IGNORECASE,
)
A_NUMBER = re.compile(r"(^|[_\W])(name|id|number|nr|no|key|uuid|guid)($|[_\W])|[a-z]Id$", re.IGNORECASE)
PLACE = re.compile(r"(^|[_\W])(lat|latitude|lon|lng|long|longitude)($|[_\W])", re.IGNORECASE)
SAYS_NOTHING = re.compile(
    r"^([a-z]|[vxyqc]|col|column|var|variable|field|feld|spalte|f|code|grp|group|gruppe|class|klasse|cat|category|type|typ|"
    r"kind|art|flag|value|wert|attr|attribute|unnamed)[_\W]*\d*$",
    re.IGNORECASE,
)
MANY = 5  # rows for each value, below which a column called a number names people
HALF = 2
FREE_TEXT = 1.5  # blanks inside a value on average
FEW_ROWS = 20


def parts_of(
    columns: Sequence[ColumnProfile], told: Mapping[str, str], alike: Sequence[tuple[str, str]]
) -> list[Proposed]:
    """Return what is proposed for every column, in their order.

    `told` maps dates of birth to the age that tells them: the date is left out, for the age says the same more
    coarsely. `alike` are columns that tell each other: what says the same as a sensitive column is sensitive.
    """
    parts = {column.name: _part(column) for column in columns}
    for date, age in told.items():
        if parts[date].role == "quasi_identifiers":
            why = f"dropped: {shown(age)} says the same, more coarsely"
            parts[date] = replace(parts[date], role="identifiers", why=why)
    for pair in alike:
        for one, other in (pair, pair[::-1]):
            if parts[one].role == "sensitive" and parts[other].role == "quasi_identifiers":
                parts[other] = replace(parts[other], role="sensitive", why=f"says the same as {shown(one)}")
    return list(parts.values())


def with_warnings(parts: Sequence[Proposed], told: Mapping[str, Sequence[str]]) -> list[Proposed]:
    """Return the parts, those of columns that give a quasi-identifier away with a warning in their reason.

    `told` holds, by the name of a column that passes unchanged, the quasi-identifiers that it tells.
    """
    warned = []
    for part in parts:
        if names := ", ".join(map(shown, told.get(part.name, ()))):
            why = f"{part.why}; BUT it tells {names}: kept as it is, it gives away what is hidden there"
            part = replace(part, why=why)
        warned.append(part)
    return warned


def shown(name: str) -> str:
    """Return a column's name for a comment: quoted where it holds what is not printed."""
    return name if name.isprintable() else repr(name)


def _part(column: ColumnProfile) -> Proposed:
    role, why = _names_people(column) or _by_kind(column)
    seen = column.proposal.seen
    if seen.other_dates:
        why += "; its dates are not all written as 2023-04-27: write them so, and they can be grouped"
    elif seen.cases and role in ("quasi_identifiers", "sensitive"):
        why += f"; what differs in capital letters alone is counted apart ({count_of(seen.cases, 'value')})"
    missing = column.missing if _missing_words(column) else 0
    return Proposed(column.name, column.distinct, column.empty, missing, role, why)


def _names_people(column: ColumnProfile) -> tuple[str, str] | None:
    """Return why a column names people, or None."""
    seen, distinct, filled = column.proposal.seen, column.distinct, column.filled
    if seen.kind in ("nothing", "one value") and seen.said < HALF:
        return None
    if A_NAME.search(column.name):
        return "identifiers", "dropped: its name says that it names people"
    if A_NUMBER.search(column.name) and distinct * MANY >= filled:
        return "identifiers", "dropped: its name and its many values say that it names people"
    if seen.kind == "dates" or seen.form in ("age", "decimal", "postcode", "icd"):
        return None
    if column.blanks >= FREE_TEXT and distinct * MANY >= filled and filled >= FEW_ROWS:
        return "identifiers", "dropped: free text may name people"
    if distinct >= filled > 1:
        return "identifiers", "dropped: every row has a value of its own"
    if seen.kind != "numbers" and distinct * HALF >= filled >= FEW_ROWS:
        return "identifiers", "dropped: nearly every row has a value of its own"
    return None


def _by_kind(column: ColumnProfile) -> tuple[str, str]:
    seen = column.proposal.seen
    if seen.kind in ("nothing", "one value"):
        return "other", column.proposal.why
    if seen.form == "icd" or SENSITIVE.search(column.name):
        return "sensitive", "what nobody may learn of a person"
    if seen.form == "decimal" and not PLACE.search(column.name):
        return "sensitive", "measured values, which hardly anybody else knows"
    if column.proposal.spec is not None:
        return "quasi_identifiers", f"others may know it; {column.proposal.why}"
    if column.distinct * FEW_ROWS > column.filled and column.filled >= FEW_ROWS:
        way = "" if seen.other_dates else "; its values are rare: group them in a hierarchy"
        return "quasi_identifiers", f"others may know it{way}"
    if SAYS_NOTHING.search(column.name):
        return "quasi_identifiers", (
            "its name does not say what it holds: taken for known, the careful choice; "
            "sensitive, if nobody may learn it"
        )
    return "quasi_identifiers", "others may know it"


# Which columns say the same: an age and a date of birth, a code and its name. Judged on a sample of the rows.
MOST_COLUMNS = 40  # whose pairs are looked at
NEARLY = 0.99  # of the rows follow a rule
FEWEST_ROWS = 50
MOST_PAIRS = 400  # of a column that passes unchanged and a quasi-identifier
YEARS = 3  # the year of birth and the age add up to the year of the table, give or take


def ages_of_dates(columns: Sequence[ColumnProfile], sample: Mapping[str, Sequence[str | None]]) -> dict[str, str]:
    """Return the dates of birth that an age tells: the column of dates, and the column of ages.

    `sample` holds the cells of some rows by column, as texts.
    """
    ages = [column.name for column in columns if column.proposal.seen.form == "age"]
    dates = [column.name for column in columns if column.proposal.seen.kind == "dates"]
    pairs = ((date, age) for date in dates for age in reversed(ages) if _add_up(sample[date], sample[age]))
    return dict(pairs)  # the first age of several


def _add_up(dates: Sequence[str | None], ages: Sequence[str | None]) -> bool:
    """Return whether the years of dates and the ages beside them come to one year, in nearly all rows with both."""
    years = parsed((date or "" for date in dates), lambda text: day_of(text).year)
    pairs = zip(years, parsed((age or "" for age in ages), lambda text: float(number_of(text))), strict=True)
    born, told = np.array([pair for pair in pairs if None not in pair], np.float64).reshape(-1, 2).T
    if len(told) < FEWEST_ROWS or np.std(told) < YEARS:
        return False
    return bool(np.mean(np.abs(born + told - np.median(born + told)) <= YEARS) >= NEARLY)


def twins(columns: Sequence[ColumnProfile], places: Mapping[str, Int64]) -> list[tuple[str, str]]:
    """Return the pairs of columns of which each tells the other, in nearly all rows.

    The first 40 columns that are neither unique nor of one value are looked at. `places` are those of their values in
    some rows, as `places_of` gives them.
    """
    chosen = [c.name for c in columns if c.distinct > 1 and 3 * c.distinct <= c.filled][:MOST_COLUMNS]
    codes = {name: places[name] + 1 for name in chosen}  # a missing value is one more
    return [
        (a, b)
        for a, b in itertools.combinations(chosen, 2)
        if len(codes[a]) >= FEWEST_ROWS and _tells(codes[a], codes[b]) and _tells(codes[b], codes[a])
    ]


def told_by(kept: Sequence[str], known: Sequence[str], places: Mapping[str, Int64]) -> dict[str, list[str]]:
    """Return the quasi-identifiers that columns give away which pass unchanged, by such a column.

    `kept` are the columns that pass unchanged, and `known` the quasi-identifiers; the first 400 pairs are looked at.
    `places` are as for `twins`.
    """
    pairs = [(one, other) for other in known for one in kept][:MOST_PAIRS]
    found: dict[str, list[str]] = {}
    for one, other in pairs:
        if tie_of(places[one], places[other]):
            found.setdefault(one, []).append(other)
    return found


def places_of(cells: Sequence[str | None]) -> Int64:
    """Return the place of every value among those of its column, numbers by size; -1 for a missing one."""
    given = [cell for cell in cells if cell is not None]
    try:
        values: list[float] | list[str] = [float(number_of(cell)) for cell in given]
    except (ValueError, OverflowError):
        values = given
    places = np.full(len(cells), -1, np.int64)
    places[[cell is not None for cell in cells]] = np.unique(values, return_inverse=True)[1]
    return places


def _tells(a: Int64, b: Int64) -> bool:
    """Return whether of the rows with a value of `a` nearly all have one of `b`, and one value of `b` is not all."""
    width = int(b.max()) + 1
    pairs, rows = np.unique(a.astype(np.int64) * width + b, return_counts=True)
    most = np.zeros(int(a.max()) + 1, np.int64)
    np.maximum.at(most, pairs // width, rows)
    counts = np.bincount(a)
    often = counts > 1
    followed = int(most[often].sum())
    return int(np.bincount(b).max()) <= NEARLY * len(b) and followed >= NEARLY * int(counts[often].sum()) > 0
