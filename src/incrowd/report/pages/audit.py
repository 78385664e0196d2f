"""The report of an audit: how risky a table is as it is."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from incrowd.report import charts, cite
from incrowd.report.charts import size_label
from incrowd.report.pages.page import Block, Card, Code, Figure, Page, Points, Prose, Section, Table, models_table
from incrowd.report.text.audit import sections as told
from incrowd.report.text.verdict import verdict_of_audit
from incrowd.report.text.words import and_, percent, sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


PROMISE = "It names columns, counts and settings, and no value of the table."
MOST_SAID = 6
MOST_COLUMNS = 20
MOST_PAIRS = 15


def audit_page(facts: Mapping[str, Any]) -> Page:
    """Return the page of an audit.

    The facts are as in ``--json``, with ``policy``: what was asked, as TOML, files by their base names.
    """
    words = told(facts)
    sections = [
        Section("asked", "What was asked", list(_question(facts, words["asked"]))),
        Section("risks", "Who could be found", list(_risks(facts, words["risks"]))),
        Section("columns", "What gives people away", list(_columns(facts, words["columns"]))),
        Section("limits", "What this does not say", [Points(sentences(words["limits"]))]),
        Section("check", "Do it again", list(_again(facts))),
        Section("cite", "What to cite", [Points(cite.for_release(facts))]),
    ]
    names = facts["quasi_identifiers"]
    subtitle = f"{facts['rows']:,} rows, of which an attacker is taken to know {and_(names)}."
    return Page(
        f"Audit: {facts['table']}", subtitle, verdict_of_audit(facts), list(_cards(facts)), sections, promise=PROMISE
    )


def audit_card(facts: Mapping[str, Any]) -> str:
    """Return an audit as a notebook shows it.

    The facts are those of an audit, as in its ``--json``.
    """
    return Page(f"Audit of {facts['rows']:,} rows", "", verdict_of_audit(facts), list(_cards(facts))).card()


def _cards(facts: Mapping[str, Any]) -> Iterator[Card]:
    risks = facts["risks"]
    yield Card("–" if facts["k"] is None else f"{facts['k']:,}", "people at least in every crowd", "k of the table")
    yield Card(percent(facts["unique_fraction"]), "of the rows are unlike any other", f"{facts['unique_rows']:,} rows")
    if risks["prosecutor_mean"] is not None:
        yield Card(
            percent(risks["prosecutor_mean"]), "average chance to pick the right row", "of a person in the table"
        )
    for above in risks["above"][:1]:
        yield Card(percent(above["fraction"]), f"of the rows above {above['threshold']:.0%} risk", "a common limit")


def _question(facts: Mapping[str, Any], words: list[str]) -> Iterator[Block]:
    asked = any(model["asked"] is not None for model in facts["models"])
    yield Points(sentences(words)) if not asked else Prose("What was asked, and what the table reaches as it is:")
    if facts["models"]:
        yield models_table(facts["models"])
    if facts["assumed_quasi_identifiers"]:
        yield Prose(
            "No quasi-identifiers were named, so every column that is no identifier and not sensitive was taken for "
            "one: the table looks as risky as it can be."
        )


def _risks(facts: Mapping[str, Any], words: list[str]) -> Iterator[Block]:
    if facts.get("class_sizes"):
        total = facts["rows"]
        lines = [[size_label(c), c["rows"], c["classes"]] for c in facts["class_sizes"]]
        said = [f"{percent(c['rows'] / total)} of rows in crowds of {size_label(c)}" for c in facts["class_sizes"]]
        yield Figure.of(
            charts.classes(facts), caption="How large the crowds are that look alike",
            alternative=f"Bars: {'; '.join(said[:MOST_SAID])}.",
            table=Table("Rows and classes by class size", ["rows in the class", "rows", "classes"], lines),
        )  # fmt: skip
    risks, meanings = facts["risks"], facts["risk_meanings"]
    rows: list[list[Any]] = [
        [
            name.replace("_", " ").replace("mean", "(mean)"),
            "–" if risks[name] is None else percent(risks[name]),
            meanings[name],
        ]
        for name in ("prosecutor", "prosecutor_mean", "journalist", "journalist_mean", "marketer")
    ]
    yield Table("Risks by attacker", ["attacker", "risk", "what it is"], rows, wide=True)
    yield Points(sentences([line for line in words if "fully suppressed" in line or "above" in line]))


def _columns(facts: Mapping[str, Any], words: list[str]) -> Iterator[Block]:
    columns = sorted(facts["columns"], key=lambda c: -(c["separation"] or 0))[:MOST_COLUMNS]
    said = "; ".join(f"{c['name']} {percent(c['separation'] or 0)}" for c in columns[:MOST_SAID])
    rows = [
        [c["name"], c["distinct"], percent(c["separation"] or 0), c["alone_unique"], c["unique_without"]]
        for c in columns
    ]
    head = ["column", "distinct values", "pairs told apart", "rows it finds alone", "unique rows without it"]
    yield Figure.of(
        charts.separation(columns), caption="Share of the pairs of people that a column tells apart",
        alternative=f"Bars: {said}.", table=Table("Columns by what they tell", head, rows),
    )  # fmt: skip
    without = sorted((c for c in columns if c["unique_without"] is not None), key=lambda c: c["unique_without"])
    if facts["unique_rows"] and len(without) > 1:
        said = "; ".join(f"{c['name']} {c['unique_without']:,}" for c in without[:MOST_SAID])
        yield Figure.of(
            charts.without(without, facts["unique_rows"]),
            caption="Rows still unlike any other if one column were left out",
            alternative=f"Bars, now {facts['unique_rows']:,} rows: {said}.",
            table=Table("Unique rows without a column", ["column left out", "unique rows"],
                        [[c["name"], c["unique_without"]] for c in without]),
        )  # fmt: skip
    charted = ("unique rows that would be left", "share of the pairs of rows", "rows that two columns")
    rest = [line for line in words if not line.startswith(charted)]
    if rest:
        yield Points(sentences(rest, facts["quasi_identifiers"]))
    pairs = [[and_(p["columns"]), p["unique"]] for p in facts["pairs"][:MOST_PAIRS] if p["unique"]]
    if pairs:
        yield Table("Two columns together", ["columns", "rows they find"], sorted(pairs, key=lambda p: -p[1]))


def _again(facts: Mapping[str, Any]) -> Iterator[Block]:
    yield Prose("Save this policy as policy.toml beside the table and run:")
    yield Code(shlex.join(["incrowd", "audit", facts["table"], "--policy", "policy.toml"]), "The audit")
    yield Code(facts["policy"].rstrip() or "# nothing was asked", "policy.toml")
