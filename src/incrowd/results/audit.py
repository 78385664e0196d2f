"""What an audit of a table as it is found."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from incrowd.errors import and_, count_of
from incrowd.report import cite
from incrowd.report.document import Card, Code, Document, Figure, Points, Prose, Section, Table, Verdict, models_table
from incrowd.report.result import Result, not_in_json
from incrowd.report.words import SMALLEST_CROWD, model_name, others, percent, plain, sentences, threshold_text
from incrowd.results import charts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from incrowd.report.document import Block

Line = dict[str, Any]

MOST_SAID = 10  # columns, or sizes of crowds, named in a sentence
MOST_COLUMNS = 20  # that are drawn
MOST_PAIRS = 5


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class AuditResult(Result):
    """What an audit found: names and numbers, never a cell.

    Attributes
    ----------
    rows, quasi_identifiers
        Rows of the table; columns that the attacker is taken to know.
    classes
        Of rows that look alike: count, min, mean and max size in rows.
    k
        Size of the smallest class (None: every row is an outlier).
    unique_rows, unique_fraction, outliers, outlier_rule
        Rows that are alone in their class, and their share of all; fully suppressed rows that count in no class.
    risks, risk_meanings
        Prosecutor, journalist and marketer risk, and what each is.
    class_sizes
        Rows and classes by size.
    models
        Per model and sensitive column the threshold reached, and whether it is what was asked.
    columns, pairs, pairs_possible
        What each quasi-identifier gives away, and what pairs of them do, those that give away most first.
    kept_columns, assumed_quasi_identifiers, table, notes, seconds, peak_mb, version
        The other columns; whether none were named; the table's name; how it was read, and what that took.
    policy
        What was asked, as a policy file for a reader elsewhere; not in the JSON.
    """

    rows: int
    quasi_identifiers: Sequence[str]
    classes: Line
    k: int | None
    unique_rows: int
    unique_fraction: float
    outliers: int
    outlier_rule: str
    risks: Line
    risk_meanings: Mapping[str, str]
    class_sizes: Sequence[Line]
    models: Sequence[Line]
    columns: Sequence[Line]
    pairs: Sequence[Line]
    pairs_possible: int
    kept_columns: Sequence[Line]
    assumed_quasi_identifiers: bool
    table: str
    notes: Sequence[str]
    seconds: Mapping[str, float]
    peak_mb: float | None
    version: str
    policy: str = not_in_json("")

    def __repr__(self) -> str:
        verdict = "nothing was asked" if not self.asked else f"{'meets' if self.ok else 'does NOT meet'} what was asked"
        unique = count_of(self.unique_rows, "unique row")
        return f"<Audit of {count_of(self.rows, 'row')}: k={self.k}, {unique}, {verdict}>"

    @property
    def asked(self) -> bool:
        """Whether anything was asked of the table."""
        return any(model["asked"] is not None for model in self.models)

    @property
    def ok(self) -> bool:
        """Whether the table meets everything that was asked (also where nothing was)."""
        return all(model["ok"] is not False for model in self.models)

    def document(self, *, paper: bool = False) -> Document:
        """Return what every door shows of it."""
        asked: list[Block] = [Points(list(_asked(self)))]
        if self.models:
            asked.append(models_table(self.models))
        again: list[Block] = [
            Prose("Save this policy as policy.toml beside the table and run:"),
            Code(shlex.join(["incrowd", "audit", self.table, "--policy", "policy.toml"]), "The audit"),
            Code(self.policy.rstrip() or "# nothing was asked", "policy.toml"),
        ]
        sections = [
            Section("asked", "What was asked", asked),
            Section("risks", "Who could be found", list(_risks(self))),
            Section("columns", "What gives people away", list(_columns(self))),
            Section("limits", "What this does not say", [Points(list(_limits(self)))]),
            Section("check", "Do it again", again, paper=True),
            Section("cite", "What to cite", [Points(cite.for_release(self.facts))] if paper else [], paper=True),
        ]
        known = and_(self.quasi_identifiers)
        opening = [f"{self.table}: {count_of(self.rows, 'row')}, of which an attacker is taken to know {known}."]
        if self.assumed_quasi_identifiers:
            opening.append(
                "No quasi-identifiers were named: every column that is no identifier and not sensitive is taken for "
                "one, which makes the table look as risky as it can be. Name those that an attacker may know."
            )
        return Document(f"Audit: {self.table}", opening, verdict_of(self), list(_cards(self)), sections)


def verdict_of(found: AuditResult) -> Verdict:
    """Return whether a table meets what was asked of it, or how exposed it is where nothing was."""
    unique = [] if not found.unique_rows else [
        f"{count_of(found.unique_rows, 'row')} ({percent(found.unique_fraction)}) "
        f"{'is' if found.unique_rows == 1 else 'are'} unlike any other: whoever knows these columns finds "
        f"{'it' if found.unique_rows == 1 else 'them'}."
    ]  # fmt: skip
    if not found.ok:
        failed = [_failed(model, found.rows) for model in found.models if model["ok"] is False]
        headline = "The table does not meet what was asked. Do not hand it out as it is."
        return Verdict("no", headline, [*failed, *unique])
    if found.asked:
        return Verdict("yes", "The table meets what was asked of it.")
    if found.k == 1:
        return Verdict("no", "People can be found in this table. Do not hand it out as it is.", unique)
    crowd = "everybody else, for all rows are fully suppressed" if found.k is None else others(found.k)
    headline = f"Everybody looks like at least {crowd}. Whether that is enough, nobody has said yet."
    return Verdict("look", headline, ["Ask for k, how many people must look alike, and audit again."])


def _failed(model: Line, rows: int) -> str:
    few = f"{model['failing_rows']:,} of {count_of(rows, 'row')}"
    if model["name"] == "k-anonymity" and model["reached"] is not None:
        return (
            f"k-anonymity: {model['asked']:,} rows have to look alike, and the smallest crowd has "
            f"{model['reached']:,}; {few} have too few like them."
        )
    return f"{model_name(model)}: {threshold_text(model)}; too low for {few}."


def _cards(found: AuditResult) -> Iterator[Card]:
    yield Card("–" if found.k is None else f"{found.k:,}", SMALLEST_CROWD, "k of the table")
    unique = f"{found.unique_rows:,} of {count_of(found.rows, 'row')}"
    yield Card(percent(found.unique_fraction), "of the rows are unlike any other", unique)
    if found.risks["prosecutor_mean"] is not None:
        risk = percent(found.risks["prosecutor_mean"])
        yield Card(risk, "average chance to pick the right row", "of a person in the table")
    for above in found.risks["above"][:1] if found.k is not None else ():
        yield Card(percent(above["fraction"]), f"of the rows above {above['threshold']:.0%} risk", "a common limit")


def _asked(found: AuditResult) -> Iterator[str]:
    if not found.asked:
        yield (
            "Nothing: ask for k, how many rows must look alike (and for l, t or a requirement, what their sensitive "
            "values must be like), and the answer says whether they do."
        )
    for model in found.models:
        if model["asked"] is None:
            continue
        said = f"{model_name(model)}: {threshold_text(model)}"
        if not model["ok"]:
            few = f"{count_of(model['failing_classes'], 'class')} with {count_of(model['failing_rows'], 'row')}"
            said = said.replace(" asked, ", " asked, NOT met: ", 1) + f"; not met in {few}"
        yield f"{said}."


def _risks(found: AuditResult) -> Iterator[Block]:
    said, classes, risks = [], found.classes, found.risks
    if found.k is not None:
        low, high = classes["min"], classes["max"]
        sizes = (
            count_of(low, "row")
            if low == high
            else f"{low:,} to {count_of(high, 'row')}, {plain(classes['mean'])} on average"
        )
        said = [
            f"{count_of(classes['count'], 'class')} of rows that look alike: {sizes}.",
            f"Prosecutor risk {percent(risks['prosecutor'])} at most, {percent(risks['prosecutor_mean'])} on average: "
            "the chance to pick the right row of somebody who is known to be in the table (1 / rows of the class).",
            *(
                f"{count_of(above['rows'], 'row')} ({percent(above['fraction'])}) with a prosecutor risk above "
                f"{above['threshold']:.0%}: in classes of fewer than {round(1 / above['threshold'])}."
                for above in risks["above"]
            ),
            f"Journalist risk {percent(risks['journalist'])} at most: the same of somebody who need not be in the "
            "table. No table of the population is given, so this is the prosecutor's, the most it can be.",
            f"Marketer risk {percent(risks['marketer'])}: the share of rows that somebody who links the whole table "
            "with names gets right on average (classes / rows).",
        ]
    if found.outliers:
        said.append(
            f"{count_of(found.outliers, 'row')} fully suppressed and left out above (outliers: suppress); being few, "
            "such rows can point at those who fit no class."
        )
    if found.class_sizes:
        yield charts.crowds(found.class_sizes, found.rows)
    yield Points(said)


def _columns(found: AuditResult) -> Iterator[Block]:
    columns = sorted(found.columns, key=lambda c: (-(c["separation"] or 0), -c["alone_unique"]))[:MOST_COLUMNS]
    said = [f"{c['name']} {percent(c['separation'] or 0)} ({c['distinct']:,} values)" for c in columns[:MOST_SAID]]
    head = ["column", "distinct values", "pairs told apart", "rows it finds alone", "unique rows without it"]
    yield Figure(
        charts.separation(columns), caption="Share of the pairs of people that a column tells apart", told=True,
        alternative=f"Share of the pairs of rows that a column tells apart by itself: {', '.join(said)}.",
        table=Table("Columns by what they tell", head, [
            [c["name"], c["distinct"], percent(c["separation"] or 0), c["alone_unique"], c["unique_without"]]
            for c in columns
        ]),
    )  # fmt: skip
    without = sorted((c for c in columns if c["unique_without"] is not None), key=lambda c: c["unique_without"])
    if found.unique_rows and len(without) > 1:
        less = [c for c in without if c["unique_without"] < found.unique_rows]
        said = [f"{c['name']} {c['unique_without']:,}" for c in less[:MOST_SAID]]
        yield Figure(
            charts.without(without, found.unique_rows), told=bool(less),
            caption="Rows still unlike any other if one column were left out",
            alternative=f"Unique rows that would be left without one column (now {found.unique_rows:,}), the most "
            f"telling first: {', '.join(said) or 'as many without any'}.",
            table=Table("Unique rows without a column", ["column left out", "unique rows"],
                        [[c["name"], c["unique_without"]] for c in without]),
        )  # fmt: skip
    yield Points(list(_telling(found)))


def _telling(found: AuditResult) -> Iterator[str]:
    single = {c["name"]: c["alone_unique"] for c in found.columns}
    for name, alone in sorted(single.items(), key=lambda one: -one[1])[:MOST_SAID]:
        if alone:
            share = percent(alone / found.rows)
            yield f"{name} alone finds {count_of(alone, 'row')} ({share}): their value is nobody else's."
    more = [p for p in found.pairs if p["unique"] > max(single[name] for name in p["columns"])]
    if more and len(found.columns) > 2:
        told = [f"{and_(p['columns'])} {p['unique']:,}" for p in more[:MOST_PAIRS]]
        yield f"Rows that two columns are enough to find: {', '.join(told)}."
    if len(found.pairs) < found.pairs_possible:
        yield (
            f"{len(found.pairs):,} of {found.pairs_possible:,} pairs of columns were looked at: those of the columns "
            "that tell most apart, within a limit on work."
        )
    for column in found.kept_columns:
        if column["nearly_unique"]:
            yield (
                f"{column['name']} is none of the columns an attacker is taken to know, but nearly unique "
                f"({column['distinct']:,} values): who knows it finds the person."
            )


def _limits(found: AuditResult) -> Iterator[str]:
    yield (
        "The risks hold for an attacker who knows exactly these columns, without a mistake; more columns, or another "
        "table of the same people, can only make them greater."
    )
    if found.kept_columns:
        yield "A class whose rows share a sensitive value gives it away of everybody in it, however many they are."
    yield from sentences(found.notes)
