"""The text of an audit: how risky a table is, and what makes it so. Made from the facts alone."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from incrowd.report.text.words import and_, plain

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping


WIDTH = 100
MOST_COLUMNS = 10
MOST_PAIRS = 5


def audit_summary(facts: Mapping[str, Any]) -> str:
    """Return an audit in words that a newcomer understands, in lines of at most 100 characters.

    The facts are those of an audit, as in its ``--json``.
    """
    parts = [
        _headline(facts),
        _section("Who could be found", _risks(facts)),
        _section("What was asked", _question(facts)),
        _section("What gives people away", _columns(facts)),
        _section("What this does not say", _limits(facts)),
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def sections(facts: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the audit's sentences by topic: ``risks``, ``asked``, ``columns`` and ``limits``.

    The facts are those of an audit, as in its ``--json``.
    """
    told = {"risks": _risks, "asked": _question, "columns": _columns, "limits": _limits}
    return {name: list(tell(facts)) for name, tell in told.items()}


def _section(title: str, lines: Iterable[str]) -> str:
    filled = [
        textwrap.fill(line, WIDTH, initial_indent="  - ", subsequent_indent="    ", break_on_hyphens=False)
        for line in lines
    ]
    return "\n".join([title, *filled]) if filled else ""


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"


def _classes(count: int) -> str:
    return "1 class" if count == 1 else f"{count:,} classes"


def _share(value: float | None) -> str:
    """Return a share; one that is not quite nothing or all is not rounded to it."""
    if value is None:
        return "-"
    text = f"{value:.1%}"
    if text == "0.0%" and value > 0:
        return "under 0.1%"
    return "over 99.9%" if text == "100.0%" and value < 1 else text


def _headline(facts: Mapping[str, Any]) -> str:
    names = facts["quasi_identifiers"]
    lines = [f"{facts['table']}: {_rows(facts['rows'])}, of which an attacker is taken to know {and_(names)}."]
    if facts["assumed_quasi_identifiers"]:
        lines.append(
            "No quasi-identifiers were named: every column that is no identifier and not sensitive is taken for one, "
            "which makes the table look as risky as it can be. Name those that an attacker may know with --qi."
        )
    k, unique = facts["k"], facts["unique_rows"]
    if k is None:
        lines.append("All rows are fully suppressed: nothing is shown of anybody.")
    elif k == 1:
        lines.append(
            f"{_rows(unique)} of {facts['rows']:,} ({_share(facts['unique_fraction'])}) "
            f"{'is' if unique == 1 else 'are'} unlike any other: whoever knows these columns of such a person "
            "finds their row."
        )
    else:
        others = "1 other" if k == 2 else f"{k - 1:,} others"
        lines.append(f"Every row looks like at least {others} (k = {k:,}); none is unique.")
    return "\n".join(textwrap.fill(line, WIDTH, break_on_hyphens=False) for line in lines)


def _risks(facts: Mapping[str, Any]) -> Iterable[str]:
    classes, risks = facts["classes"], facts["risks"]
    if facts["k"] is not None:
        low, high = classes["min"], classes["max"]
        sizes = _rows(low) if low == high else f"{low:,} to {_rows(high)}, {plain(classes['mean'])} on average"
        yield f"{_classes(classes['count'])} of rows that look alike: {sizes}"
        yield (
            f"prosecutor risk {_share(risks['prosecutor'])} at most, {_share(risks['prosecutor_mean'])} on average: "
            "the chance to pick the right row of somebody who is known to be in the table (1 / rows of the class)"
        )
        for above in risks["above"]:
            below = round(1 / above["threshold"])
            yield (
                f"{_rows(above['rows'])} ({_share(above['fraction'])}) with a prosecutor risk above "
                f"{above['threshold']:.0%}: in classes of fewer than {below}"
            )
        yield (
            f"journalist risk {_share(risks['journalist'])} at most: the same of somebody who need not be in the "
            "table. No table of the population is given, so this is the prosecutor's, the most it can be"
        )
        yield (
            f"marketer risk {_share(risks['marketer'])}: the share of rows that somebody who links the whole table "
            "with names gets right on average (classes / rows)"
        )
    if facts["outliers"]:
        yield (
            f"{_rows(facts['outliers'])} fully suppressed and left out above (outliers: suppress); being few, such "
            "rows can point at those who fit no class"
        )


def _question(facts: Mapping[str, Any]) -> Iterable[str]:
    if all(model["asked"] is None for model in facts["models"]):
        yield (
            "nothing: say with --k how many rows must look alike (with --l, --t or --require what their sensitive "
            "values must be like), and the answer says whether they do"
        )
    for model in facts["models"]:
        name = model["name"] + (f" of {model['column']}" if model["column"] else "")
        settings = model.get("settings")
        if settings:
            name += f" ({', '.join(f'{key}={value}' for key, value in settings.items())})"
        if model["asked"] is None:
            continue
        if model["ok"]:
            yield f"{name}: {model['asked']} asked, {_reached(model)} reached"
        else:
            yield (
                f"{name}: {model['asked']} asked, NOT met: {_reached(model)} reached; not met in "
                f"{_classes(model['failing_classes'])} with {_rows(model['failing_rows'])}"
            )


def _reached(model: Mapping[str, Any]) -> str:
    reached = model["reached"]
    if reached is None and model["ok"] is False:
        return "none"
    return "nothing to measure" if reached is None else plain(reached)


def _columns(facts: Mapping[str, Any]) -> Iterable[str]:
    columns, rows = facts["columns"], facts["rows"]
    if facts["unique_rows"] and len(columns) > 1:
        saved = [c for c in columns if c["unique_without"] is not None and c["unique_without"] < facts["unique_rows"]]
        saved.sort(key=lambda c: c["unique_without"])
        told = [f"{c['name']} {c['unique_without']:,}" for c in saved[:MOST_COLUMNS]]
        if told:
            yield (
                f"unique rows that would be left without one column (now {facts['unique_rows']:,}), the most "
                f"telling first: {', '.join(told)}"
            )
    alone = sorted(columns, key=lambda c: (-c["alone_unique"], -(c["separation"] or 0)))[:MOST_COLUMNS]
    told = [f"{c['name']} {_share(c['separation'])} ({c['distinct']:,} values)" for c in alone]
    yield f"share of the pairs of rows that a column tells apart by itself: {', '.join(told)}"
    for column in alone:
        if column["alone_unique"]:
            yield (
                f"{column['name']} alone finds {_rows(column['alone_unique'])} "
                f"({_share(column['alone_unique'] / rows)}): their value is nobody else's"
            )
    single = {c["name"]: c["alone_unique"] for c in columns}
    more = [p for p in facts["pairs"] if p["unique"] > max(single[name] for name in p["columns"])]
    if more and len(columns) > 2:
        told = [f"{and_(p['columns'])} {p['unique']:,}" for p in more[:MOST_PAIRS]]
        yield f"rows that two columns are enough to find: {', '.join(told)}"
    if len(facts["pairs"]) < facts["pairs_possible"]:
        yield (
            f"{len(facts['pairs']):,} of {facts['pairs_possible']:,} pairs of columns were looked at: those of the "
            "columns that tell most apart, within a limit on work"
        )
    for column in facts["kept_columns"]:
        if column["nearly_unique"]:
            yield (
                f"{column['name']} is none of the columns an attacker is taken to know, but nearly unique "
                f"({column['distinct']:,} values): who knows it finds the person"
            )


def _limits(facts: Mapping[str, Any]) -> Iterable[str]:
    yield (
        "the risks hold for an attacker who knows exactly these columns, without a mistake; more columns, or another "
        "table of the same people, can only make them greater"
    )
    if facts["kept_columns"]:
        yield "a class whose rows share a sensitive value gives it away of everybody in it, however many they are"
    yield from facts["notes"]
