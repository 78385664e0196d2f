"""Charts made from facts alone, for pages and notebooks alike: of releases, audits, trade-offs and networks."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from incrowd.errors import count_of
from incrowd.report.document import Figure, Table
from incrowd.report.drawings import (
    DASHES,
    Bar,
    Cell,
    Drawing,
    Line,
    Piece,
    Span,
    bars,
    lines,
    ranges,
    stacked,
    star_map,
)
from incrowd.report.words import percent, span

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from incrowd.networks.values import Step
    from incrowd.results.release_facts import ReleaseFacts

MOST_PATTERNS = 14
MOST_COLUMNS = 24  # columns whose levels are drawn
MOST_STEPS = 300
MOST_SAID = 8  # patterns named to those who do not see the drawing
MOST_LAYERS = 14
SERIES = ("main", "star", "ink", "inner", "band")  # colours of lines, in their order
NEEDED = "proven to be needed"
FOUND, BOUND = "cost of the best release", "no release costs less"


def size_label(line: Mapping[str, Any]) -> str:
    """Return a range of class sizes (``from``, ``to``, in rows) in words: ``5``, or ``5 to 9``."""
    return span(line["from"], line["to"])


def classes(sizes: Sequence[Mapping[str, Any]]) -> Drawing:
    """Draw rows by the size of the crowd they are in: the ``class_sizes`` of a release or an audit."""
    total = sum(line["rows"] for line in sizes) or 1
    rows = [Bar(size_label(line), line["rows"] / total, f"{line['rows']:,}") for line in sizes]
    return bars(rows, "share of rows, by crowd size")


def crowds(sizes: Sequence[Mapping[str, Any]], rows: int) -> Figure:
    """Return how large the crowds are that look alike, drawn, as a table, and in words."""
    lines = [[size_label(line), line["rows"], line["classes"]] for line in sizes]
    shares = [f"{percent(count / rows)} of rows in crowds of {label}" for label, count, _ in lines]
    return Figure(
        classes(sizes), caption="How large the crowds are that look alike",
        alternative=f"Bars: {'; '.join(shares[:MOST_SAID])}.",
        table=Table("Rows and classes by class size", ["rows in the class", "rows", "classes"], lines),
    )  # fmt: skip


def columns(facts: ReleaseFacts) -> Drawing:
    """Draw the share of the rows of a release that show a star, by column."""
    rows = sorted(facts.stars_per_column, key=lambda c: -c["suppressed"])
    return _shares([(c["name"], c["fraction"], "star") for c in rows], "share of rows suppressed")


def patterns(facts: ReleaseFacts, levels_top: Mapping[str, int], most: int = MOST_PATTERNS) -> Drawing:
    """Draw the most frequent patterns over the columns, with their rows; `levels_top` are the levels of stars."""
    every = sorted(facts.patterns_used, key=lambda line: -line["rows"])
    told = []
    for line in every[:most]:
        cells = []
        for name in facts.quasi_identifiers:
            level = line["levels"].get(name, 0)
            starred = level > 0 and level >= levels_top.get(name, 1)
            inner = Cell("inner", words_of(facts).mark.format(level)) if level else Cell("keep")
            cells.append(Cell("star", "★") if starred else inner)
        told.append((f"{line['rows']:,} ({percent(line['rows'] / (facts.rows or 1))})", cells))
    rest = sum(line["rows"] for line in every[most:])
    left = f"and {count_of(rest, 'row')} of other patterns" if rest else ""
    return star_map(facts.quasi_identifiers, told, left)


def value_rows(shown: Mapping[str, Any], rows: int) -> list[dict[str, Any]]:
    """Return the lines of a column's chart and table: values, what is pooled, and stars.

    `shown` is an entry of ``columns_after``, and `rows` are those of the release, at least 1. A line has ``label``,
    ``share`` (0 to 1), ``rows``, ``before`` (a band of shares, or None) and ``colour``.
    """
    found = [(_named(value["label"]), value["rows"], value["before"], "main") for value in shown["values"]]
    if shown["pooled_rows"]:
        count = shown["pooled_values"]
        found.append((f"({count:,} other value{'' if count == 1 else 's'})", shown["pooled_rows"], None, "band"))
    if shown["starred"]:
        found.append(("★", shown["starred"], None, "star"))
    return [
        {"label": label, "share": count / rows, "rows": count, "before": before, "colour": colour}
        for label, count, before, colour in found
    ]


def _named(label: str | None) -> str:
    return "(empty)" if label is None else label or "(blank)"


def column(shown: Mapping[str, Any], rows: int) -> Drawing:
    """Draw what a quasi-identifier shows after the release, as of `value_rows`."""
    told = value_rows(shown, rows)
    return _shares([(one["label"], one["share"], one["colour"]) for one in told], "share of rows after")


def separation(columns: Sequence[Mapping[str, Any]]) -> Drawing:
    """Draw the share of the pairs of rows that differ in each column of an audit (``separation``, 0 to 1 or None)."""
    return _shares([(c["name"], c["separation"] or 0, "main") for c in columns], "share of pairs told apart")


def without(columns: Sequence[Mapping[str, Any]], now: int) -> Drawing:
    """Draw the unique rows that stay if one column of an audit is left out; `now` is their number with all columns."""
    rows = [("(none left out)", now, "star"), *((c["name"], c["unique_without"], "main") for c in columns)]
    return _numbers(rows, "unique rows")


def bounds(progress: Sequence[Mapping[str, Any]]) -> Drawing:
    """Draw the cost of the best release and the proven lower bound while the search ran, at one point or more."""
    last = max(point["seconds"] for point in progress)
    told = []
    for name, key, colour, dash in ((FOUND, "cost", "main", ""), (BOUND, "lower_bound", "muted", DASHES[4])):
        points = [(point["seconds"], point[key]) for point in progress if point[key] is not None]
        if points:
            told.append(Line(name, [*points, (last, points[-1][1])], colour, dash))  # both lines reach the end
    values = [y for line in told for _, y in line.points]
    return lines(told, "seconds", "cost", steps=True, marks=False, zero=min(values) < 0.5 * max(values))


def tradeoff(points: Sequence[Mapping[str, Any]], *, y_title: str = "cost") -> Drawing:
    """Draw cost and bound over k, a line per solver and per name of ``bound``.

    Points without a cost or a bound are left out of that line.
    """
    costs: dict[str, list[tuple[float, float]]] = {}
    best: dict[str, dict[float, float]] = {}
    for point in points:
        if point["cost"] is not None:
            costs.setdefault(point["solver"], []).append((point["k"], point["cost"]))
        if point["lower_bound"] is not None:
            of = best.setdefault(point.get("bound", BOUND), {})
            of[point["k"]] = max(of.get(point["k"], 0), point["lower_bound"])
    told = _series(costs)
    told += [Line(name, sorted(of.items()), "muted", DASHES[4]) for name, of in best.items()]
    return lines(told, "k", y_title)


def _series(
    found: Mapping[str, Sequence[tuple[float, float]]], labels: Mapping[str, Sequence[str]] | None = None
) -> list[Line]:
    return [
        Line(name, points, SERIES[i % len(SERIES)], DASHES[i % len(DASHES)], (labels or {}).get(name, ()))
        for i, (name, points) in enumerate(found.items())
    ]


def told_cells(line: Mapping[str, Any]) -> float:
    """Return how many cells' worth of certain claims a release gives away: cells claimed, less what chance tells.

    It is all claimed cells where the claims are certain, and 0 where they say nothing more than chance. The line holds
    ``claimed_cells`` and ``quotient`` (None without claims) of a release, as a trade-off has them.
    """
    return float(line["claimed_cells"] * max(0.0, 1.0 - (line["quotient"] or 0.0)))


def given_away(told: Sequence[Mapping[str, Any]], *, x_title: str = "cost") -> Drawing:
    """Draw cells given away over cost, a line per release and a mark per level of blunting.

    Each has ``line`` (of which release), ``blunt`` (None: as it is), ``cost``, ``claimed_cells`` and ``quotient``; they
    are in the order in which a line is drawn.
    """
    points: dict[str, list[tuple[float, float]]] = {}
    labels: dict[str, list[str]] = {}
    for one in told:
        points.setdefault(one["line"], []).append((one["cost"], told_cells(one)))
        labels.setdefault(one["line"], []).append("" if one["blunt"] is None else str(one["blunt"]))
    return lines(_series(points, labels), x_title, "cells given away")


# What an analyst still sees: levels by column, ranges on an axis, how far counts are off.
class Level(NamedTuple):
    """A level of a column: in words, its mark and colour, and the rows that show it."""

    column: str
    level: int
    what: str
    mark: str
    rows: int
    share: float
    colour: str
    strength: float


def level_shares(facts: ReleaseFacts, level_names: Mapping[str, Sequence[str]]) -> list[Level]:
    """Return the shares of the rows by column and level: columns by what they lost, levels from the value to the star.

    `level_names` holds names of levels, by column, where they have some. Levels that no row shows are left out.
    """
    words, total = words_of(facts), facts.rows or 1
    stars = {column["name"]: column["suppressed"] for column in facts.stars_per_column}
    found: list[tuple[float, list[Level]]] = []
    for column in facts.levels_per_column:
        name, rows, starred = column["name"], list(column["rows"]), stars[column["name"]]
        top = max(len(rows) - 1, 1)
        # where the top level may show a range too, only the cells say which are stars
        inner = [*rows[1:-1], *([rows[-1] - starred] if len(rows) > 1 else [])]
        told = [Level(name, 0, "as it was", "", rows[0], rows[0] / total, "main", 1.0)]
        for level, count in enumerate(inner, 1):
            called = "".join(f": {one}" for one in level_names.get(name, ())[level - 1 : level])
            what, mark = f"{words.level.format(level)}{called}", words.mark.format(level)
            strength = round(0.4 + 0.6 * level / len(inner), 2)
            told.append(Level(name, level, what, mark, count, count / total, "inner", strength))
        told.append(Level(name, top, "★", "★", starred, starred / total, "star", 1.0))
        shown = [line for line in told if line.rows]
        found.append((sum(line.share * line.level / top for line in shown), shown))
    found.sort(key=lambda one: -one[0])
    return [line for _, told in found for line in told]


def levels(lines: Sequence[Level]) -> Drawing:
    """Draw a bar a column: which share of its cells is as it was, coarser, and a star."""
    pieces: dict[str, list[Piece]] = {}
    for line in lines:
        pieces.setdefault(line.column, []).append(Piece(line.share, line.colour, line.strength, line.mark))
    return stacked(list(pieces.items())[:MOST_COLUMNS], "share of rows")


def intervals(shown: Mapping[str, Any]) -> Drawing:
    """Draw the ranges that a column shows on an axis of its numbers, with their rows: an entry of ``columns_after``."""
    spans = [
        Span(one["low"], one["high"], "", "main")
        if one["low"] == one["high"]
        else Span(one["low"], one["high"], f"{one['rows']:,}")
        for one in shown["intervals"]
    ]
    return ranges(spans, "values, with the rows that show each range")


def count_errors(counts: Mapping[str, Any]) -> Drawing:
    """Draw how far random counts are off, each beside what another sample would be off.

    The counts are as of `incrowd.tables.usefulness.figures.count_errors`.
    """
    told = (
        ("half of the time", "median", "median_of_noise"),
        ("on average", "mean", "mean_of_noise"),
        ("knowing frequencies", "mean_by_shares", "mean_of_noise"),
    )
    rows = [Bar(label, counts[error], percent(counts[error]), "main", counts[noise]) for label, error, noise in told]
    return bars(rows, "counts are off by")


# A measured network.
def curve(steps: Sequence[Step]) -> Drawing:
    """Draw the least number of attackers for every k; at most about 300 of the steps are drawn."""
    every = -(-len(steps) // MOST_STEPS)
    steps = [*steps[:-1:every], steps[-1]]

    def corners(key: str) -> list[tuple[float, float]]:
        return [(at, max(1, getattr(s, key))) for s in steps for at in dict.fromkeys((s.first, s.last))]

    told = [Line("attackers, smallest set known", corners("attackers"))]
    if any(step.lower < step.attackers for step in steps):
        told.append(Line(NEEDED, corners("lower"), "muted", DASHES[4]))
    return lines(told, "k: size of the smallest crowd left", "attackers", steps=True)


def layers_rows(sizes: Sequence[int], unreached: int) -> list[tuple[str, int]]:
    """Return the layers around the witness as lines: distance in words, and nodes.

    `sizes` are nodes by distance to the witness. There are at most 14 layers, the farthest taken together, and nodes
    not connected where there are any.
    """
    rows = [("the witness itself", sizes[0]), *((f"at distance {i}", n) for i, n in enumerate(sizes) if i)]
    if len(rows) > MOST_LAYERS:
        rows = [*rows[: MOST_LAYERS - 1], ("farther", sum(n for _, n in rows[MOST_LAYERS - 1 :]))]
    return [*rows, ("not connected", unreached)] if unreached else rows


def layers(rows: Sequence[tuple[str, int]]) -> Drawing:
    """Draw nodes by their distance to the witness, as of `layers_rows`."""
    return _numbers([(label, n, "main" if i else "star") for i, (label, n) in enumerate(rows)], "nodes")


def alone(bins: Sequence[tuple[str, int]]) -> Drawing:
    """Draw nodes by how many members each of them singles out by itself: labels and nodes."""
    rows = [(label, n, "star" if i else "main") for i, (label, n) in enumerate(bins)]
    return _numbers(rows, "nodes, by members that each singles out")


def witness_classes(told: Sequence[Mapping[str, Any]]) -> Drawing:
    """Draw members by the size of the crowd the witness sees them in."""
    rows = [(size_label(one), one["rows"], "star" if one["to"] == 1 else "main") for one in told]
    return _numbers(rows, "members, by crowd size")


def _numbers(rows: Sequence[tuple[str, int, str]], title: str) -> Drawing:
    return bars([Bar(label, n, f"{n:,}", colour) for label, n, colour in rows], title)


def _shares(rows: Sequence[tuple[str, float, str]], title: str) -> Drawing:
    return bars([Bar(label, share, _percent(share), colour) for label, share, colour in rows], title)


def _percent(share: float) -> str:
    if share == 0 or 0 < share < 0.001:
        return "<0.1%" if share else "0%"
    return f"{share:.1%}" if share < 0.1 else f"{share:.0%}"


# Words for what a cell shows that is neither its value nor surely a star: one line a recoding.
class RecodingWords(NamedTuple):
    """Words of a recoding.

    `cell`: what such a cell shows, with its article. `legend`: how such cells are marked in the table of patterns,
    after a blank. `level`, `mark`: a level from 1 to below that of a star, in words and in the map of patterns.
    `like_stars`: whether such a cell costs like a star.
    """

    cell: str = "a coarser label"
    legend: str = " A number is the level of a coarser label."
    level: str = "level {}"
    mark: str = "{}"
    like_stars: bool = False


WORDS = {
    "levels": RecodingWords(),
    "ranges": RecodingWords("a range", " ↔ is a range (or a star).", "range", "↔", like_stars=True),
    "grid": RecodingWords(
        "a range or a coarser label",
        " A number is the level of a coarser label, or stands for ranges of a numeric column.",
    ),
    "global": RecodingWords(),
}


def words_of(facts: ReleaseFacts) -> RecodingWords:
    """Return the words for a release; KeyError is raised if there are none for its recoding."""
    return WORDS[facts.recoding]
