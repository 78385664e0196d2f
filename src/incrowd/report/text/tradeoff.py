"""The text of a trade-off: what every k costs, as a table with bars."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from incrowd.errors import count_of
from incrowd.report.text.words import and_, at_least, percent, plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence


BAR = 24
WIDTH = 100
TOLD_BY_CHANCE = (
    "Somebody who takes a release for the cheapest claims of so many cells that a value is excluded. Told by chance: "
    "how often such a value is there, in percent of how often it would be if nothing were known (0%: the claims are "
    "certain; 100%: they say nothing)."
)
GIVEN_AWAY = "Given away: the cells claimed, less what chance tells of them."


def columns_of(facts: Mapping[str, Any]) -> list[str]:
    """Return the headings of the table: thresholds that were asked, then what they cost.

    The facts are those of a trade-off, with ``points``.
    """
    asked = [name for name in ("k", "l", "t") if name == "k" or any(p[name] is not None for p in facts["points"])]
    by = ["cost by"] if several_costs(facts) else []
    return [*by, *asked, "solver", "cost", "at least", "suppressed", "crowds", "highest risk"]


def line_of(point: Mapping[str, Any], columns: Sequence[str]) -> list[str]:
    """Return a point as text, one text per column; a dash where there is no value.

    The point is an entry of ``points``, and the columns are as `columns_of` returns them.
    """
    cost, bound = point["cost"], point["lower_bound"]
    told = {
        "cost by": str(point.get("cost_name")),
        **{name: "–" if point[name] is None else str(point[name]) for name in ("k", "l", "t")},
        "solver": str(point["solver"]),
        "cost": "–" if cost is None else plain(cost),
        "at least": "–" if bound is None else at_least(bound),
        "suppressed": "–" if point["suppressed_fraction"] is None else percent(point["suppressed_fraction"]),
        "crowds": "–" if point["classes"] is None else f"{point['classes']:,}",
        "highest risk": "–" if point["highest_risk"] is None else percent(point["highest_risk"]),
    }
    return [told[name] for name in columns]


def several_costs(facts: Mapping[str, Any]) -> bool:
    """Return whether the points of a trade-off are of several costs.

    The facts are those of the trade-off, with ``points``.
    """
    return len({point.get("cost_name") for point in facts["points"]} - {None}) > 1


def told_cells(line: Mapping[str, Any]) -> float:
    """Return how many cells' worth of certain claims a release gives away: cells claimed, less what chance tells.

    It is all claimed cells where the claims are certain, and 0 where they say nothing more than chance. The line holds
    ``claimed_cells`` and ``quotient`` (None without claims) of a release, as a trade-off has them.
    """
    return float(line["claimed_cells"] * max(0.0, 1.0 - (line["quotient"] or 0.0)))


def tradeoff_summary(facts: Mapping[str, Any]) -> str:
    """Return a trade-off in words and bars: a table, the reasons of solvers that declined, and how to read it.

    The facts are those of a trade-off, as in its ``--json``.
    """
    names = columns_of(facts)
    lines = [line_of(point, names) for point in facts["points"]]
    widths = [max(len(name), *(len(line[i]) for line in lines)) for i, name in enumerate(names)]
    out = [
        f"{facts['table']}: {count_of(facts['rows'], 'row')}, {facts['row_types']:,} different on "
        f"{and_(facts['quasi_identifiers'])}.",
        "What every threshold costs (a draft: nothing was released or verified):",
        "",
        "  " + "  ".join(name.rjust(width) for name, width in zip(names, widths, strict=True)),
    ]
    for point, line in zip(facts["points"], lines, strict=True):
        share = point["suppressed_fraction"]
        bar = "" if share is None else "#" * round(BAR * share) or "."
        cells = "  ".join(text.rjust(width) for text, width in zip(line, widths, strict=True))
        out.append(f"  {cells}  {bar}".rstrip())
    declined = {f"{p['solver']} at k = {p['k']}: {p['why']}" for p in facts["points"] if p["why"]}
    out += ["", *sorted(declined)] if declined else []
    out += given_away(facts)
    return "\n".join([*out, "", *(textwrap.fill(line, WIDTH) for line in reading(facts))]) + "\n"


def lines_given_away(facts: Mapping[str, Any]) -> tuple[list[str], list[list[str]]]:
    """Return headings and lines of the table of what each release gives away; no lines where that was not asked.

    The facts are those of a trade-off.
    """
    names = ["k", "solver", "blunt", "cost", "claimed cells", "of them wrong", "told by chance", "given away"]
    rows = []
    for point in facts["points"]:
        for one in point.get("attack", ()):
            blunt = "–" if one["blunt"] is None else str(one["blunt"])
            quotient = "–" if one["quotient"] is None else percent(one["quotient"])
            told = [plain(round(one["cost"], 1)), f"{one['claimed_cells']:,}", f"{one['wrong_cells']:,}", quotient]
            rows.append([str(point["k"]), str(point["solver"]), blunt, *told, f"{round(told_cells(one)):,}"])
    return names, rows


def given_away(facts: Mapping[str, Any]) -> list[str]:
    """Return what each release would give away and what blunting takes back, line by line; nothing where not asked.

    The facts are those of a trade-off.
    """
    names, rows = lines_given_away(facts)
    if not rows:
        return []
    widths = [max(len(name), *(len(row[i]) for row in rows)) for i, name in enumerate(names)]
    lines = ["  " + "  ".join(text.rjust(w) for text, w in zip(row, widths, strict=True)) for row in (names, *rows)]
    return ["", "What each release gives away, as it is and with --blunt 1, 2, 3:", "", *lines, "",
            *textwrap.wrap(f"{TOLD_BY_CHANCE} {GIVEN_AWAY}", WIDTH)]  # fmt: skip


def reading(facts: Mapping[str, Any]) -> list[str]:
    """Return how to read a trade-off, by its facts."""
    apart = ["Costs of different names have different units; a chart shows each as a share of what stars alone cost."]
    return [
        *(apart if several_costs(facts) else []),
        "cost: what the release would lose; at least: no release with this k costs less; crowds: groups of rows that "
        "look alike; highest risk: the chance to pick the right row of a known person, at most.",
        "Choose the greatest k whose loss is still bearable.",
    ]
