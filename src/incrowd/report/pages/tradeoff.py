"""The page of a trade-off: the curve by which people choose k."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError
from incrowd.report import charts
from incrowd.report.pages.page import Block, Card, Code, Figure, Page, Points, Prose, Section, Table
from incrowd.report.text.tradeoff import (
    GIVEN_AWAY,
    TOLD_BY_CHANCE,
    columns_of,
    line_of,
    lines_given_away,
    reading,
    several_costs,
)
from incrowd.report.text.verdict import Verdict
from incrowd.report.text.words import and_, percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from incrowd.report.drawings import Drawing


PROMISE = "It names columns, counts and settings, and no value of the table."


def chart(facts: Mapping[str, Any]) -> Drawing:
    """Draw cost and lower bound over k, a line per solver and other thresholds.

    The facts are those of a trade-off, with ``points``.
    """
    several = several_costs(facts)
    points = [_shares(point) for point in facts["points"]] if several else facts["points"]
    title = "share of what stars alone cost" if several else "cost"
    return charts.tradeoff([{**point, "solver": _line(point, several)} for point in points], y_title=title)


def attack_chart(facts: Mapping[str, Any]) -> Drawing:
    """Draw what each release gives away over its cost, as it is and blunted.

    The facts are those of a trade-off whose points hold ``attack``. InputError is raised if that was not asked for.
    """
    several = several_costs(facts)
    lines = []
    for point in facts["points"]:
        name = f"k = {point['k']}, {_line(point, several)}"
        for one in point.get("attack", ()):
            cost = one["cost"] / point["stars_alone"] if several and point["stars_alone"] else one["cost"]
            lines.append({**one, "cost": cost, "line": name})
    if not lines:
        raise InputError("nothing was counted of what the releases give away; ask for it with attack=True")
    return charts.given_away(lines, x_title="share of what stars alone cost" if several else "cost")


def _shares(point: Mapping[str, Any]) -> dict[str, Any]:
    """Return a point whose cost and bound are shares of what stars alone cost."""
    most = point["stars_alone"]
    told = {name: point[name] and point[name] / most if most else None for name in ("cost", "lower_bound")}
    return {**point, **told, "bound": f"no release costs less by {point['cost_name']}"}


def _line(point: Mapping[str, Any], several: bool) -> str:
    more = [f"{name} = {point[name]}" for name in ("l", "t") if point[name] is not None]
    by = [f"by {point['cost_name']}"] if several else []
    return ", ".join([str(point["solver"]), *by, *more])


def tradeoff_page(facts: Mapping[str, Any]) -> Page:
    """Return the page of a trade-off's facts, as in its ``--json``."""
    title = f"Trade-off: {facts['table']}"
    subtitle = f"{facts['rows']:,} rows, {facts['row_types']:,} different on {and_(list(facts['quasi_identifiers']))}."
    ks = sorted({point["k"] for point in facts["points"]})
    sections = [
        Section("curve", "Loss over k", list(_curve(facts))),
        *_given_away(facts),
        Section("asked", "Under which rules", [Points([*facts["mask"], f"outliers: {facts['outlier_rule']}"])]),
        Section("next", "What next", list(_next(facts, ks))),
    ]
    verdict = Verdict("look", "Choose the greatest k whose loss is still bearable.", ("Nothing was released yet.",))
    return Page(title, subtitle, verdict, list(_cards(facts)), sections, promise=PROMISE)


def tradeoff_card(facts: Mapping[str, Any]) -> str:
    """Return a trade-off as a notebook shows it: the curve and the points as a table.

    The facts are those of a trade-off, as in its ``--json``. What is returned is HTML.
    """
    names = columns_of(facts)
    rows = [line_of(point, names) for point in facts["points"]]
    table = Table("Points", names, rows)
    return _figure(facts, "Loss over k", table).html() if _drawn(facts) else table.html()


def _drawn(facts: Mapping[str, Any]) -> bool:
    return any(point["cost"] is not None for point in facts["points"])


def _figure(facts: Mapping[str, Any], caption: str, table: Table) -> Figure:
    said = "; ".join(f"k = {p['k']} {p['solver']}: {p['cost']}" for p in facts["points"][:12])
    return Figure.of(chart(facts), caption=caption, alternative=f"Cost over k. {said}.", table=table)


def _cards(facts: Mapping[str, Any]) -> Iterator[Card]:
    solved = [point for point in facts["points"] if point["cost"] is not None]
    for k in dict.fromkeys(place(p["k"] for p in solved) for place in (min, max)) if solved else ():
        best = min((p for p in solved if p["k"] == k), key=lambda p: p["cost"])
        yield Card(percent(best["suppressed_fraction"]), f"suppressed at k = {k}", f"by {best['solver_used']}")


def _curve(facts: Mapping[str, Any]) -> Iterator[Block]:
    names = columns_of(facts)
    rows = [line_of(point, names) for point in facts["points"]]
    if _drawn(facts):
        table = Table("Points", names, rows)
        yield _figure(facts, "Cost of the best release found, and the least any release can cost", table)
    yield Table("Every point", names, rows, wide=True)
    yield Points(reading(facts))
    why = sorted({f"{p['solver']} at k = {p['k']}: {p['why']}" for p in facts["points"] if p["why"]})
    if why:
        yield Points(why)


def _given_away(facts: Mapping[str, Any]) -> Iterator[Section]:
    names, rows = lines_given_away(facts)
    if not rows:
        return
    table = Table("What each release gives away, as it is and blunted", names, rows, wide=True)
    said = "; ".join(f"k = {row[0]} {row[1]}, blunt {row[2]}: {row[-1]} at {row[3]}" for row in rows[:12])
    caption = "Cells given away over cost: from left to right each release as it is, then blunted at 1, 2, 3"
    figure = Figure.of(attack_chart(facts), caption=caption, alternative=f"Cells given away. {said}.", table=table)
    yield Section("given-away", "What each release gives away", [figure, Points([TOLD_BY_CHANCE, GIVEN_AWAY])])


def _next(facts: Mapping[str, Any], ks: list[int]) -> Iterator[Block]:
    yield Prose(
        "Release the table with the k you chose and the same other options; the release has a report of its own."
    )
    names = ",".join(facts["quasi_identifiers"])
    command = ["incrowd", "anonymize", facts["table"], "-o", "release.csv", "--qi", names, "--k", str(ks[len(ks) // 2])]
    yield Code(shlex.join([*command, "--report", "report.html"]), "For example")
