"""The text summary: what was asked, what was lost, what is left to worry about. Made from the facts alone."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from incrowd import registry

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["sections", "summary"]

WIDTH = 100


def summary(facts: Mapping[str, Any]) -> str:
    """Return a summary of a release that a newcomer understands."""
    parts = [
        _headline(facts),
        _section("What was asked", _asked(facts)),
        _section("What was lost", _lost(facts)),
        _section("How good that is", _proof(facts)),
        _section("What is left to worry about", _worries(facts)),
    ]
    return "\n\n".join(parts) + "\n"


def sections(facts: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the summary's sentences by what they tell: ``asked``, ``lost``, ``proof`` and ``worries``."""
    told = {"asked": _asked, "lost": _lost, "proof": _proof, "worries": _worries}
    return {name: list(tell(facts)) for name, tell in told.items()}


def _section(title: str, lines: Iterable[str]) -> str:
    return "\n".join([title, *(_item(line) for line in lines)])


def _item(line: str) -> str:
    return textwrap.fill(line, WIDTH, initial_indent="  - ", subsequent_indent="    ", break_on_hyphens=False)


def _n(value: float) -> str:
    return f"{value:,}" if isinstance(value, int) else f"{value:,.4g}"


def _rows(count: int) -> str:
    return "1 row" if count == 1 else f"{count:,} rows"


def _headline(facts: Mapping[str, Any]) -> str:
    k, rows = facts["k"], _rows(facts["rows"])
    if not facts["k_anonymous"]:
        said = (
            f"The release of {rows} is k-anonymous for k={k} EXCEPT for {_rows(facts['outliers'])} "
            "that are fully suppressed and too few to hide in (see below)."
        )
    elif k == 1:
        said = f"The release of {rows} asks for no crowd at all: k=1 hides nobody."
    else:
        said = f"Every one of the {rows} of the release looks like at least {_others(k)}."
    return f"{said}\n{_classes(facts['classes'])}"


def _others(k: int) -> str:
    return "1 other" if k == 2 else f"{k - 1:,} others"


def _classes(classes: Mapping[str, Any]) -> str:
    if not classes["count"]:
        return "All rows are fully suppressed."
    if classes["count"] == 1:
        return f"They form one class of {_rows(classes['min'])} that look alike."
    return f"There are {_n(classes['count'])} classes of rows that look alike, the smallest of {_rows(classes['min'])}."


def _asked(facts: Mapping[str, Any]) -> Iterable[str]:
    names = facts["quasi_identifiers"]
    yield (
        f"k = {facts['k']}: nobody who knows {_and(names)} of a person can tell their row from {_others(facts['k'])}"
    )
    for line in facts.get("requirements", ()):
        meaning = registry.load("models", line["rule"].split()[0]).summary
        yield f"{line['rule']}: {meaning} (reached: {_reached(line['reached'])})"
    for line in facts["mask"]:
        yield f"mask: {line}"
    count = facts["patterns_allowed"]
    yield f"{_n(count) if count < 10**9 else f'about {count:.3g}'} combinations of changed columns are allowed"
    if facts["outlier_rule"] == "suppress":
        yield "fully suppressed rows need no crowd (outliers: suppress)"
    else:
        yield "fully suppressed rows need a crowd too (outliers: forbid)"
    if facts["dropped_identifiers"]:
        one = facts["dropped_identifiers"] == 1
        yield (
            "the identifier column was dropped"
            if one
            else f"{facts['dropped_identifiers']} identifier columns were dropped"
        )


def _reached(value: Any) -> str:
    return "not measured" if value is None else _n(value)


def _lost(facts: Mapping[str, Any]) -> Iterable[str]:
    cells = facts["rows"] * len(facts["quasi_identifiers"])
    yield (
        f"{_n(facts['suppressed_cells'])} of {_n(cells)} cells of the quasi-identifiers are suppressed "
        f"({facts['suppressed_fraction']:.1%}); {_coarser(facts, cells)}all other cells are as they were"
    )
    if facts.get("recoding") == "ranges":
        yield (
            f"a cell that shows a range costs like a star, {_n(facts['cost'])} in all; certainty penalty (NCP) "
            f"{facts['measures']['ncp']:.3f} on a scale from 0 to 1 (how wide the ranges are; less is better)"
        )
    elif facts["cost"] != facts["suppressed_cells"]:
        yield f"cost with weights and labels: {_n(facts['cost'])}, where a star counts 1 times its column's weight"
    worst = sorted(facts["stars_per_column"], key=lambda c: -c["suppressed"])
    some = [f"{c['name']} {c['fraction']:.0%}" for c in worst if c["suppressed"]]
    if some:
        yield f"share of rows suppressed, by column: {', '.join(some)}"
    whole = [c["name"] for c in worst if c["suppressed"] == 0]
    if whole:
        yield f"never suppressed: {', '.join(whole)}"
    if facts["fully_suppressed_rows"]:
        share = facts["fully_suppressed_rows"] / facts["rows"]
        yield f"{_rows(facts['fully_suppressed_rows'])} fully suppressed ({share:.1%})"
    measures = facts["measures"]
    if "usefulness" in measures:
        m = len(facts["quasi_identifiers"])
        yield (
            f"usefulness {measures['usefulness']:.3f} on a scale from 0 to {m} (how much rows of one class differ; "
            "less is better)"
        )


def _coarser(facts: Mapping[str, Any], cells: int) -> str:
    """Say how many cells show a coarser label."""
    coarser = facts["changed_cells"] - facts["suppressed_cells"]
    return f"{_n(coarser)} show a coarser label ({coarser / cells:.1%}); " if coarser else ""


def _proof(facts: Mapping[str, Any]) -> Iterable[str]:
    cost, bound = facts["cost"], facts["lower_bound"]
    if facts["optimal"]:
        yield f"this is the least loss possible under this policy: no release can cost less than {_n(bound)}"
    elif facts["gap"] is None:
        yield f"cost {_n(cost)}; no lower bound above 0 is known"
    else:
        yield (
            f"no release under this policy can cost less than {_n(bound)} ({facts['bound_method']} bound); this one "
            f"costs {_n(cost)}, at most {facts['gap']:.1%} above the least"
        )
    notes = "".join(f"; {note}" for note in facts["solver_notes"])
    yield f"found by {facts['solver']} ({facts['status']}) in {facts['seconds'].get('solve', 0):.2f} s{notes}"
    yield "an independent recount of the release against the original passed"


def _worries(facts: Mapping[str, Any]) -> Iterable[str]:
    worried = list(_warnings(facts))
    yield from worried
    judged = {column for line in facts.get("requirements", ()) for column in line["columns"]}
    sensitive = [c["name"] for c in facts["kept_columns"] if c["role"] == "sensitive" and c["name"] not in judged]
    if sensitive:
        yield (
            f"{_and(sensitive)} passed unchanged: where all rows of a class share a value, "
            "that value is learned of everybody in it"
        )
    if judged:
        yield (
            f"what was asked of {_and(sorted(judged))} limits what a class tells of its members, not what somebody can "
            "rule out who knows them"
        )
    yield (
        "k-anonymity hides who a row belongs to among those who look alike; it does not protect against somebody "
        "who knows more columns than the quasi-identifiers, or who holds another release of the same people"
    )


def _warnings(facts: Mapping[str, Any]) -> Iterable[str]:
    if not facts["k_anonymous"]:
        yield (
            f"{_rows(facts['outliers'])} fully suppressed, fewer than k={facts['k']}: somebody known to be in the "
            "table who fits no shown class is one of them, with their other columns in the open; "
            "outliers: forbid avoids this"
        )
    unique = [c for c in facts["kept_columns"] if c["nearly_unique"]]
    for column in unique:
        yield (
            f"column {column['name']} is kept and nearly unique ({_n(column['distinct'])} distinct values in "
            f"{_rows(facts['rows'])}): who knows it finds the person; drop it or make it a quasi-identifier"
        )
    if facts["keep_order"]:
        yield "the row order of the input was kept: whoever holds a table in that order can join rows by position"
    yield from facts["notes"]


def _and(names: list[str]) -> str:
    return names[0] if len(names) == 1 else f"{', '.join(names[:-1])} and {names[-1]}"
