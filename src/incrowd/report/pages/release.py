"""The report of a release, section by section."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from incrowd import registry
from incrowd.report import charts, cite
from incrowd.report.charts import size_label
from incrowd.report.pages.page import Block, Card, Code, Figure, Page, Points, Prose, Section, Table, models_table
from incrowd.report.text.release import kernel_words
from incrowd.report.text.release import sections as told
from incrowd.report.text.usefulness import usefulness_points
from incrowd.report.text.verdict import verdict_of_release, words_of
from incrowd.report.text.words import and_, at_least, at_most, model_name, models_of, percent, plain, sentences, up_to

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

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

    The facts are those of the release with its details (`incrowd.report.facts.release.details_of`) and ``files``: base
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
            charts.classes(facts), caption="How large the crowds are",
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
        charts.columns(facts), caption="Stars by column",
        alternative=f"Share of rows suppressed, by column: {said}.",
        table=Table(
            "Stars by column", ["column", "rows suppressed", "share"],
            [[c["name"], c["suppressed"], percent(c["fraction"])] for c in stars],
        ),
    )  # fmt: skip
    used = facts["patterns_used"]
    shown = min(len(used), charts.MOST_PATTERNS)
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
        charts.patterns(facts), wide=True,
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
    """Return a release as a notebook shows it, from the facts alone.

    The facts are as `incrowd.report.facts.release.facts_of` returns them; no details are needed.
    """
    title = f"Release of {facts['rows']:,} rows"
    return Page(title, "", verdict_of_release(facts), list(cards(facts))).card()


# What an analyst still sees in a release, and how far analyses are off: two sections of its report.
MOST_COLUMNS = 24  # columns whose values are drawn


def still_useful(facts: Mapping[str, Any]) -> Iterator[Block]:
    """Yield how far analyses of the release are from those of the original; nothing where none was asked.

    The facts hold ``usefulness``, as `incrowd.report.facts.release.rough` makes it, or None.
    """
    found = facts.get("usefulness")
    if found is None:
        return
    yield Points(usefulness_points(found))
    counts, pairs = found["counts"], found["associations"]
    if counts["queries"]:
        rows: list[list[Any]] = [
            ["counts, on average", percent(counts["mean"]), percent(counts["mean_of_noise"])],
            ["counts, half of them by at most", percent(counts["median"]), percent(counts["median_of_noise"])],
            ["counts, by how frequent values are", percent(counts["mean_by_shares"]), percent(counts["mean_of_noise"])],
        ]
        if pairs["pairs"]:
            rows.append(["associations, on average", plain(pairs["mean"]), plain(pairs["mean_of_noise"])])
            rows.append(["associations, at most", plain(pairs["largest"]), plain(pairs["largest_of_noise"])])
        yield Figure.of(
            charts.count_errors(counts),
            caption="How far random counts are off; the upright line is what another sample of as many people would be",
            alternative=f"Bars: counts are off by {percent(counts['mean'])} on average, half of them by at most "
            f"{percent(counts['median'])}; another sample by {percent(counts['mean_of_noise'])} on average.",
            table=Table("Errors of analyses", ["", "release", "another sample"], rows),
        )  # fmt: skip
    yield Prose(
        "The figures hold the release against the original and are rounded: they are for those who "
        "decide, like the rest of this report. More questions, and models that learn from the release, are asked by "
        "incrowd usefulness."
    )


def columns_shown(facts: Mapping[str, Any]) -> Iterator[Block]:
    """Yield what an analyst sees in each quasi-identifier; the facts are those of a release with its details."""
    least = facts["least_shown"]
    yield Prose(
        f"Values are named where at least {least} rows of the release show them; all others are pooled. Of the "
        "original only the number of distinct values is told, and a rough share of what is named: exact counts "
        "beside those of the release would tell by subtraction what a star hides."
    )
    yield _levels(facts)
    columns = sorted(facts["columns_after"], key=lambda c: -c["starred"])[:MOST_COLUMNS]
    if len(columns) < len(facts["columns_after"]):
        yield Prose(f"The {len(columns)} columns with most stars of {len(facts['columns_after'])} are drawn.")
    for place, column in enumerate(columns):
        if column["intervals"]:
            yield _intervals(column, f"column{place}")
            continue
        lines = charts.value_rows(column, facts["rows"])
        if not lines:
            continue
        said = "; ".join(f"{line['label']} {percent(line['share'])}" for line in lines[:MOST_VALUES])
        rows = [[line["label"], line["rows"], percent(line["share"]), band(line["before"])] for line in lines]
        yield Figure.of(
            charts.column(column, facts["rows"]),
            caption=f"{column['name']}: {column['distinct_before']:,} distinct values before",
            alternative=f"Share of rows after the release: {said}.",
            table=Table(column["name"], ["value", "rows after", "share after", "share before (rough)"], rows),
        )  # fmt: skip


def band(before: Any) -> str:
    """Return a band of shares in words. `before` holds the least and the greatest share, 0 to 1, or is None."""
    return "–" if before is None else f"{before[0]:.0%} to {before[1]:.0%}"


def _levels(facts: Mapping[str, Any]) -> Figure:
    """Return the shares of the cells that are as they were, coarser or stars, by column."""
    lines = charts.level_shares(facts)
    drawn = list(dict.fromkeys(line["column"] for line in lines))
    rest = len(drawn) - charts.MOST_COLUMNS
    some = [f"{line['column']} {line['what']} {percent(line['share'])}" for line in lines[: 2 * MOST_VALUES]]
    coarser = f", {words_of(facts).cell} in between" if any(line["mark"] not in ("", "★") for line in lines) else ""
    more = f" The {rest:,} columns that changed least are in the table alone." if rest > 0 else ""
    return Figure.of(
        charts.levels(facts),
        caption=f"What the cells of each column show: the value as it was at the left{coarser}, a star at the "
        f"right.{more}",
        alternative=f"Stacked bars, share of rows by column: {'; '.join(some)}.",
        table=Table(
            "Cells by column and level", ["column", "cells show", "rows", "share"],
            [[line["column"], line["what"], line["rows"], percent(line["share"])] for line in lines],
        ),
    )  # fmt: skip


def _intervals(column: Mapping[str, Any], name: str) -> Figure:
    """Return the ranges of a column on an axis."""
    lines = [[_ends(one["low"], one["high"]), one["rows"]] for one in column["intervals"]]
    some = sorted(lines, key=lambda line: -line[1])[:MOST_VALUES]
    return Figure.of(
        charts.intervals(column),
        caption=f"{column['name']}: the {len(lines)} ranges and numbers that most rows show, numbers "
        f"in the first line; {column['distinct_before']:,} distinct values before",
        alternative=f"Ranges on an axis, with their rows: {'; '.join(f'{line[0]} {line[1]:,}' for line in some)}.",
        table=Table(column["name"], ["range", "rows after"], lines),
    )  # fmt: skip


def _ends(low: float | None, high: float | None) -> str:
    if low is None:
        return f"up to {high:.10g}"
    if high is None:
        return f"from {low:.10g}"
    return f"{low:.10g}" if low == high else f"{low:.10g} to {high:.10g}"


# What a release's report holds of proof: how near the least loss it is, and how anybody recounts it.
def optimality(facts: Mapping[str, Any], words: list[str]) -> Iterator[Block]:
    """Return what is proven of the loss, and what is not.

    The facts are those of a release, with ``progress``. `words` are the summary's sentences on the proof; the first is
    used.
    """
    yield Prose(sentences(words[:1])[0])
    yield Prose(unproven(facts))
    yield from (Prose(said) for said in sentences(list(kernel_words(facts))))
    points = [p for p in facts.get("progress", []) if p["cost"] is not None or p["lower_bound"] is not None]
    if len({p["seconds"] for p in points}) > 1:
        rows = [[p["seconds"], p["cost"], p["lower_bound"]] for p in points]
        cost, bound = facts["cost"], facts["lower_bound"]
        yield Figure.of(
            charts.bounds({"progress": points}), caption="Cost and lower bound while the search ran",
            alternative=f"The cost falls to {plain(cost)}; the proven lower bound rises to {at_least(bound)}.",
            table=Table("Cost and bound over time", ["seconds", "cost", "lower bound"], rows),
        )  # fmt: skip
    yield Table(
        "In numbers",
        ["", "value"],
        [
            ["cost of this release", facts["cost"]],
            ["no release under this policy costs less than", at_least(facts["lower_bound"])],
            ["of which a recheck of the certificate confirms", at_least(facts["lower_bound_checked"])],
            ["gap", "unknown" if facts["gap"] is None else at_most(facts["gap"])],
        ],
    )


def unproven(facts: Mapping[str, Any]) -> str:
    """Return what of a release's claim is not proven, in one plain sentence."""
    if not facts["optimal"]:
        left, cost = up_to(facts["cost"] - facts["lower_bound"]), plain(facts["cost"])
        return f"What remains unproven: a cheaper release may exist, cheaper by at most {left} of {cost}."
    if facts["lower_bound_checked"] < facts["lower_bound"]:
        return (
            f"A certificate can recheck the bound up to {at_least(facts['lower_bound_checked'])}; the rest is the "
            "word of an exact solver."
        )
    return "Nothing remains unproven: a certificate lets anybody who holds the original recount the bound."


def check(files: Mapping[str, Any]) -> Iterator[Block]:
    """Return how an auditor recounts the release.

    `files` holds base names of ``source``, ``output`` and ``certificate`` (or None), and the ``policy`` as TOML.
    """
    source, output = files["source"] or "original.csv", files["output"] or "release.csv"
    yield Prose(
        "Whoever holds the original and the release can recount everything that is claimed here, with a program that "
        "shares no code with the one that made the release. Save this policy as policy.toml beside them and run:"
    )
    command = ["incrowd", "verify", source, output, "--policy", "policy.toml"]
    if files["certificate"]:
        command += ["--certificate", files["certificate"]]
    yield Code(shlex.join(command), "The check (exit status 0: it holds; 1: it does not)")
    yield Code(files["policy"].rstrip(), "policy.toml")
    if not files["certificate"]:
        yield Prose(
            "No certificate was written with this release, so the check covers the classes, the policy and every cell, "
            "but not the lower bound; ask for one with --certificate FILE.json."
        )
    yield Prose(
        "Whoever has only a browser can do the same with a page that checks offline and from which nothing leaves the "
        "tab; this command writes it:"
    )
    yield Code("incrowd checker -o check.html", "The check as a page")
    names = [f"the original ({source})"] if files["source"] else []
    if names:
        yield Prose(f"Needed for it: {and_([*names, f'the release ({output})'])}; all names are without their folders.")
