"""Loss over the thresholds, as Python hands it out: the curve by which people choose k."""

from __future__ import annotations

import shlex
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, and_, count_of, did_you_mean
from incrowd.report.document import Block, Card, Code, Document, Figure, Points, Prose, Section, Table, Verdict
from incrowd.report.result import Result, in_json
from incrowd.report.words import at_least, percent, plain
from incrowd.results import charts

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from incrowd.report.drawings import Drawing

Point = dict[str, Any]

MOST_SAID = 12  # points named to those who do not see a drawing
TOLD_BY_CHANCE = (
    "Somebody who takes a release for the cheapest claims of so many cells that a value is excluded. Told by chance: "
    "how often such a value is there, in percent of how often it would be if nothing were known (0%: the claims are "
    "certain; 100%: they say nothing). Given away: the cells claimed, less what chance tells of them."
)
READING = (
    "Cost: what the release would lose; at least: no release with this k costs less; crowds: groups of rows that look "
    "alike; highest risk: the chance to pick the right row of a known person, at most."
)
SHARE = "share of what stars alone cost"
UNITS = "Costs of different names have different units; a chart shows each as a share of what stars alone cost."


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Tradeoff(Result):
    """Loss over the thresholds; nothing was released, so nothing was verified. Names and counts, never a cell.

    Attributes
    ----------
    points
        One entry per solver and combination: thresholds, cost, lower bound, gap, suppressed share, classes.
    """

    source: str = in_json("table")
    rows: int
    quasi_identifiers: Sequence[str]
    row_types: int
    points: Sequence[Point]
    mask: Sequence[str]
    outlier_rule: str
    seconds: Mapping[str, float]
    seed: int
    version: str

    def __repr__(self) -> str:
        return f"<Trade-off of {count_of(self.rows, 'row')}: {count_of(len(self.points), 'point')}>"

    @property
    def table(self) -> Any:
        """The points as an Arrow table."""
        import pyarrow as pa

        texts = ({name: point[name] and str(point[name]) for name in ("l", "t")} for point in self.points)
        return pa.Table.from_pylist([{**point, **text} for point, text in zip(self.points, texts, strict=True)])

    def plot(self, of: str = "cost") -> Drawing:
        """Draw cost and lower bound over k, or what releases give away over their cost.

        Parameters
        ----------
        of : {"cost", "attack"}
            ``cost``: a line per solver and other thresholds. ``attack``: a line per release, as it is and blunted,
            where ``attack=True`` was asked.

        Returns
        -------
        Drawing
            It shows itself in a notebook; ``.save("tradeoff.svg")`` writes it.

        Raises
        ------
        InputError
            If there is no such chart, or nothing was attacked.
        """
        drawn = {"cost": _cost_chart, "attack": _attack_chart}
        if of not in drawn:
            raise InputError(f"a trade-off has no chart {of!r}; it has cost and attack{did_you_mean(of, drawn)}")
        return drawn[of](self)

    @property
    def several_costs(self) -> bool:
        """Whether the points are of several costs."""
        return len({point.get("cost_name") for point in self.points} - {None}) > 1

    @property
    def solved(self) -> list[Point]:
        """The points with a release."""
        return [point for point in self.points if point["cost"] is not None]

    def document(self, *, paper: bool = False) -> Document:
        """Return what every door shows of it."""
        known = and_(self.quasi_identifiers)
        opening = [f"{self.source}: {count_of(self.rows, 'row')}, {self.row_types:,} different on {known}."]
        ks = sorted({point["k"] for point in self.points})
        command = ["incrowd", "anonymize", self.source, "-o", "release.csv", "--qi", ",".join(self.quasi_identifiers)]
        command += ["--k", str(ks[len(ks) // 2]), "--report", "report.html"]
        later = "Release the table with the k you chose and the same other options; the release has its own report."
        rules = [*self.mask, f"outliers: {self.outlier_rule}"]
        sections = [
            Section("curve", "What every threshold costs", list(_curve(self))),
            Section("given-away", "What each release gives away, as it is and blunted", list(_given_away(self))),
            Section("asked", "Under which rules", [Points(rules)], paper=True),
            Section("next", "What next", [Prose(later), Code(shlex.join(command), "For example")], paper=True),
        ]
        points = ["Nothing was released or verified yet."]
        verdict = Verdict("look", "Choose the greatest k whose loss is still bearable.", points)
        title = f"Trade-off: {self.source}"
        return Document(title, opening, verdict, list(_cards(self)), [one for one in sections if one.blocks])

    def _repr_html_(self) -> str:
        return (_figure(self) if self.solved else _table(self)).html()


def _cards(found: Tradeoff) -> Iterator[Card]:
    for k in dict.fromkeys(place(p["k"] for p in found.solved) for place in (min, max)) if found.solved else ():
        best = min((p for p in found.solved if p["k"] == k), key=lambda p: p["cost"])
        yield Card(percent(best["suppressed_fraction"]), f"suppressed at k = {k}", f"by {best['solver_used']}")


def _curve(found: Tradeoff) -> Iterator[Block]:
    yield _figure(found) if found.solved else _table(found)
    why = sorted({f"{p['solver']} at k = {p['k']}: {p['why']}" for p in found.points if p["why"]})
    yield Points([*why, *([UNITS] if found.several_costs else []), READING])


def _table(found: Tradeoff) -> Table:
    """Return the thresholds that were asked, and what they cost."""
    asked = [name for name in ("k", "l", "t") if name == "k" or any(p[name] is not None for p in found.points)]
    by = ["cost by"] if found.several_costs else []
    head = [*by, *asked, "solver", "cost", "at least", "suppressed", "crowds", "highest risk"]

    def shown(value: Any, words: Any) -> str:
        return "–" if value is None else words(value)

    rows = [
        {
            "cost by": str(point.get("cost_name")),
            **{name: shown(point[name], str) for name in ("k", "l", "t")},
            "solver": str(point["solver"]),
            "cost": shown(point["cost"], plain),
            "at least": shown(point["lower_bound"], at_least),
            "suppressed": shown(point["suppressed_fraction"], percent),
            "crowds": shown(point["classes"], plain),
            "highest risk": shown(point["highest_risk"], percent),
        }
        for point in found.points
    ]
    bars = [point["suppressed_fraction"] for point in found.points]
    return Table("Every point", head, [[row[name] for name in head] for row in rows], wide=True, bars=bars)


def _figure(found: Tradeoff) -> Figure:
    said = "; ".join(f"k = {p['k']} {p['solver']}: {p['cost']}" for p in found.points[:MOST_SAID])
    caption = "Cost of the best release found, and the least any release can cost"
    return Figure(_cost_chart(found), caption=caption, alternative=f"Cost over k. {said}.", table=_table(found))


def _cost_chart(found: Tradeoff) -> Drawing:
    several = found.several_costs
    points = [_shares(point) for point in found.points] if several else found.points
    title = SHARE if several else "cost"
    return charts.tradeoff([{**point, "solver": _line(point, several)} for point in points], y_title=title)


def _attack_chart(found: Tradeoff) -> Drawing:
    several, lines = found.several_costs, []
    for point in found.points:
        name = f"k = {point['k']}, {_line(point, several)}"
        for one in point.get("attack", ()):
            cost = one["cost"] / point["stars_alone"] if several and point["stars_alone"] else one["cost"]
            lines.append({**one, "cost": cost, "line": name})
    if not lines:
        raise InputError("nothing was counted of what the releases give away; ask for it with attack=True")
    return charts.given_away(lines, x_title=SHARE if several else "cost")


def _shares(point: Point) -> Point:
    """Return a point whose cost and bound are shares of what stars alone cost."""
    most = point["stars_alone"]
    told = {name: point[name] and point[name] / most if most else None for name in ("cost", "lower_bound")}
    return {**point, **told, "bound": f"no release costs less by {point['cost_name']}"}


def _line(point: Point, several: bool) -> str:
    more = [f"{name} = {point[name]}" for name in ("l", "t") if point[name] is not None]
    by = [f"by {point['cost_name']}"] if several else []
    return ", ".join([str(point["solver"]), *by, *more])


def _given_away(found: Tradeoff) -> Iterator[Block]:
    head = ["k", "solver", "blunt", "cost", "claimed cells", "of them wrong", "told by chance", "given away"]
    rows = [
        [
            str(point["k"]),
            str(point["solver"]),
            "–" if one["blunt"] is None else str(one["blunt"]),
            plain(round(one["cost"], 1)),
            f"{one['claimed_cells']:,}",
            f"{one['wrong_cells']:,}",
            "–" if one["quotient"] is None else percent(one["quotient"]),
            f"{round(charts.told_cells(one)):,}",
        ]
        for point in found.points
        for one in point.get("attack", ())
    ]
    if not rows:
        return
    table = Table("What each release gives away", head, rows, wide=True, bars=[None] * len(rows))
    said = "; ".join(f"k = {row[0]} {row[1]}, blunt {row[2]}: {row[-1]} at {row[3]}" for row in rows[:MOST_SAID])
    caption = "Cells given away over cost: from left to right each release as it is, then blunted at 1, 2, 3"
    yield Figure(_attack_chart(found), caption=caption, alternative=f"Cells given away. {said}.", table=table)
    yield Points([TOLD_BY_CHANCE])
