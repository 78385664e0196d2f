"""The report of a release, section by section."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd import registry
from incrowd.report import cite
from incrowd.report.charts import release
from incrowd.report.charts.parts import size_label
from incrowd.report.pages.models import models_table
from incrowd.report.pages.page import Block, Card, Figure, Page, Points, Prose, Section, Table
from incrowd.report.pages.proof import check, optimality
from incrowd.report.pages.shown import columns_shown, still_useful
from incrowd.report.text.models import model_name, models_of
from incrowd.report.text.recoding import words_of
from incrowd.report.text.release import sections as told
from incrowd.report.text.verdict import verdict_of_release
from incrowd.report.text.words import at_most, percent, plain, sentences

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["release_card", "release_page"]

MOST_VALUES = 6  # values a text alternative repeats
STAGES = {
    "read": "read the table and check it",
    "compress": "group equal rows",
    "solve": "search for a release",
    "bound": "prove a lower bound",
    "expand": "write the stars into the rows",
    "verify": "recount the release independently",
    "recount": "recount the lower bound independently",
    "measure": "measure loss and risks",
}


def release_page(facts: Mapping[str, Any]) -> Page:
    """Return the page of a release.

    The facts are those of the release with its details (`incrowd.report.facts.details.details_of`) and ``files``: base
    names of ``source``, ``output`` and ``certificate`` (or None) and the ``policy`` as TOML.
    """
    words = told(facts)
    sections = [
        Section("asked", "What was asked", list(_question(facts, words["asked"]))),
        Section("safety", "How safe it is", list(_safety(facts))),
        Section("columns", "What each column still shows", list(columns_shown(facts)), columns=True),
        Section("loss", "What was lost", list(_loss(facts, words["lost"]))),
        *([Section("usefulness", "Is it still useful", use)] if (use := list(still_useful(facts))) else []),
        Section("optimality", "How close to the least possible loss", list(optimality(facts, words["proof"]))),
        Section(
            "limits",
            "What this does not protect from",
            [Points(sentences(words["worries"], [c["name"] for c in facts["kept_columns"]]))],
        ),
        Section("done", "What was done", list(_done(facts))),
        Section("check", "Check it yourself", list(check(facts["files"]))),
        Section("cite", "What to cite", [Points(cite.for_release(facts))]),
    ]
    return Page(_title(facts), _subtitle(facts), verdict_of_release(facts), list(cards(facts)), sections)


def _title(facts: Mapping[str, Any]) -> str:
    name = facts["files"]["output"] or facts["files"]["source"]
    return f"Release report: {name}" if name else "Release report"


def _subtitle(facts: Mapping[str, Any]) -> str:
    source = facts["files"]["source"]
    dry = " Nothing was written: this was a dry run." if facts.get("dry_run") else ""
    return (
        f"{facts['rows']:,} rows, {facts['columns']} columns, of which {len(facts['quasi_identifiers'])} may be known "
        f"to an attacker{f'; made from {source}' if source and facts['files']['output'] else ''}.{dry}"
    )


def cards(facts: Mapping[str, Any]) -> Iterator[Card]:
    """Return the numbers that are looked for first.

    The facts are as `incrowd.report.facts.release.facts_of` returns them.
    """
    smallest = facts["classes"]["min"]
    yield Card(
        "–" if smallest is None else f"{smallest:,}", "people at least in every crowd", f"k = {facts['k']} asked"
    )
    risk = facts["measures"].get("risks", {}).get("prosecutor")
    if risk is not None:
        yield Card(percent(risk), "highest chance to pick the right row", "of a person known to be in the table")
    yield Card(percent(facts["suppressed_fraction"]), "of the cells were suppressed", "of the columns that may change")
    if facts["optimal"]:
        yield Card("0%", "above the least possible loss", "this is the least")
    elif facts["gap"] is not None:
        near = at_most(facts["gap"])
        yield Card(near if near.startswith("under") else f"≤ {near}", "above the least possible loss", "proven")
    else:
        yield Card("unknown", "distance to the least possible loss", "no lower bound above 0")


def _question(facts: Mapping[str, Any], words: list[str]) -> Iterator[Block]:
    more = [
        f"{model_name(model)}: {plain(model['asked'])}, {registry.load('models', model['name']).summary}"
        for model in models_of(facts)
        if model["name"] in registry.MODELS and model["asked"] is not None and model["name"] not in " ".join(words)
    ]
    yield Points(sentences([*words[:1], *more, *words[1:]], [name.split()[0] for name in registry.MODELS]))
    rows: list[list[Any]] = [
        [name, "quasi-identifier", "may be known; may be changed"] for name in facts["quasi_identifiers"]
    ]
    for column in facts["kept_columns"]:
        role = "sensitive" if column["role"] == "sensitive" else "no role"
        rows.append([column["name"], role, "must not be learned; kept" if role == "sensitive" else "kept as it is"])
    yield Table("The columns of the release", ["column", "role", "meaning"], rows, wide=True)


def _done(facts: Mapping[str, Any]) -> Iterator[Block]:
    passed = (
        "An independent check, which shares no code with what made the release, recounted it against the original "
        f"before it was handed out: {_classes(facts)}, every changed cell allowed, every other cell as it was. "
        "It passed."
    )
    yield Prose(passed)
    seconds = facts["seconds"]
    rows = [[text, f"{seconds[name]:.2f}"] for name, text in STAGES.items() if name in seconds]
    yield Table("Stages as performed", ["stage", "seconds"], rows)
    notes = "; ".join([*facts.get("advice", ()), *facts["solver_notes"]])
    settings: list[list[Any]] = [
        ["solver", facts["solver"]],
        ["how the search ended", str(facts["status"]).replace("_", " ")],
        ["notes of the solver", notes or "none"],
        ["seed", "none: drawn from the system and kept nowhere" if facts["seed"] is None else str(facts["seed"])],
        ["row order", "as in the input" if facts["keep_order"] else "by the released content alone"],
        ["a star is written as", facts["suppressed"]],
        ["version", f"incrowd {facts['version']}"],
    ]
    yield Table("Settings", ["setting", "value"], settings)


def _classes(facts: Mapping[str, Any]) -> str:
    classes = facts["classes"]
    if not classes["count"]:
        return "no class, every row fully suppressed"
    if classes["count"] == 1:
        return f"1 class of {classes['min']:,} rows"
    return f"{classes['count']:,} classes, the smallest of {classes['min']:,} rows"


def _safety(facts: Mapping[str, Any]) -> Iterator[Block]:
    k, classes = facts["k"], facts["classes"]
    if classes["count"]:
        yield Prose(
            "Rows that look alike on all columns an attacker may know form a crowd (class). The "
            f"smallest crowd has {classes['min']:,} rows ({k:,} asked), the average {classes['mean']:,.1f}, the "
            f"largest {classes['max']:,}."
        )
        lines = [[size_label(c), c["rows"], c["classes"]] for c in facts["class_sizes"]]
        share = [f"{c['rows'] / facts['rows']:.0%} of rows in crowds of {size_label(c)}" for c in facts["class_sizes"]]
        yield Figure.of(
            release.classes(facts), "classes", caption="How large the crowds are",
            alternative=f"Bars: {'; '.join(share[:MOST_VALUES])}.",
            table=Table("Rows and classes by class size", ["rows in the class", "rows", "classes"], lines),
        )  # fmt: skip
    yield _risks(facts)
    crowd = {"name": "k-anonymity", "asked": k, "reached": classes["min"], "ok": facts["k_anonymous"]}
    yield models_table([crowd, *(model for model in models_of(facts) if model["name"] != "k-anonymity")])


def _risks(facts: Mapping[str, Any]) -> Table:
    before, after = facts["before"], facts["measures"].get("risks", {})
    rows: list[list[Any]] = [
        ["people whose row is unlike any other", about(before["unique_percent"]), _share(after, "unique_rows", facts)],
        ["highest chance to pick the right row", about(before["prosecutor_percent"]), _chance(after.get("prosecutor"))],
        ["average chance", about(before["prosecutor_mean_percent"]), _chance(after.get("prosecutor_mean"))],
    ]
    for old, new in zip(before["above"], after.get("above", []), strict=False):
        rows.append(
            [f"people with a chance above {old['threshold']:.0%}", about(old["percent"]), percent(new["fraction"])]
        )
    return Table("Risk that a known person's row is found", ["", "original (rounded)", "release"], rows)


def about(value: int) -> str:
    """Return a percentage that was rounded on purpose.

    `value` is in whole percents, 0 to 100; 0 and 100 mean none and all.
    """
    return (
        f"about {value}%"
        if 1 < value < 99
        else {0: "none", 1: "1% or less", 99: "99% or more", 100: "all (100%)"}[value]
    )


def _chance(value: float | None) -> str:
    return "–" if value is None else percent(value)


def _share(risks: Mapping[str, Any], name: str, facts: Mapping[str, Any]) -> str:
    value = risks.get(name)
    return "–" if value is None else "none" if not value else percent(value / facts["rows"])


def _loss(facts: Mapping[str, Any], words: list[str]) -> Iterator[Block]:
    yield Points(sentences(words[: 2 if facts.get("cost_name") else 1]))  # the second names the cost
    stars = sorted(facts["stars_per_column"], key=lambda c: -c["suppressed"])
    said = "; ".join(f"{c['name']} {percent(c['fraction'])}" for c in stars[:MOST_VALUES])
    yield Figure.of(
        release.columns(facts), "stars", caption="Stars by column",
        alternative=f"Share of rows suppressed, by column: {said}.",
        table=Table(
            "Stars by column", ["column", "rows suppressed", "share"],
            [[c["name"], c["suppressed"], percent(c["fraction"])] for c in stars],
        ),
    )  # fmt: skip
    used = facts["patterns_used"]
    shown = min(len(used), release.MOST_PATTERNS)
    rest = sum(p["rows"] for p in used[shown:])
    more = f" The {len(used) - shown:,} rarer ones ({rest:,} rows) are left out." if len(used) > shown else ""
    if any(height > 1 for height in facts["levels_top"].values()):
        more += words_of(facts).legend
    rows = [
        [", ".join(f"{name} {_shows(facts, name, level)}" for name, level in p["levels"].items()) or "nothing changed",
         p["rows"], p["classes"]]
        for p in used[:shown]
    ]  # fmt: skip
    yield Figure.of(
        release.patterns(facts), "patterns", wide=True,
        caption=f"What is blanked together, with the number of rows: the {shown} most frequent patterns.{more}",
        alternative=f"Heat map of {shown} patterns over {len(facts['quasi_identifiers'])} columns, ★ where a cell is "
        f"suppressed. Most frequent: {rows[0][0]}, {rows[0][1]:,} rows." if rows else "No pattern is in use.",
        table=Table("Patterns by rows", ["suppressed columns", "rows", "classes"], rows),
    )  # fmt: skip
    yield _measures(facts)


def _shows(facts: Mapping[str, Any], name: str, level: int) -> str:
    if level >= facts["levels_top"].get(name, 1):
        return "★"
    return words_of(facts).level(level)


def _measures(facts: Mapping[str, Any]) -> Table:
    rows = []
    for name, value in facts["measures"].items():
        number = value.get("fraction") if isinstance(value, dict) and name != "risks" else value
        if isinstance(number, int | float):
            rows.append([name.replace("_", " "), number, registry.load("measures", name).summary])
    return Table("Measures of loss", ["measure", "value", "meaning"], rows, wide=True)


def release_card(facts: Mapping[str, Any]) -> str:
    """Return a release as a notebook shows it, from the facts alone: HTML without charts.

    The facts are as `incrowd.report.facts.release.facts_of` returns them; no details are needed.
    """
    title = f"Release of {facts['rows']:,} rows"
    return Page(title, "", verdict_of_release(facts), list(cards(facts))).card()
