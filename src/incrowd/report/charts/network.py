"""Charts of a measured network, each made from facts alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.report.charts.libraries import altair
from incrowd.report.charts.release import GRID, MAIN, MUTED, STAR, bars, finished, rows_of, size_label

if TYPE_CHECKING:
    from collections.abc import Mapping


MOST_STEPS = 300
MOST_LAYERS = 14
WIDE_RANGE = 200  # from here on an axis is logarithmic


def curve(facts: Mapping[str, Any]) -> Any:
    """Draw the least number of attackers for every k. Reads ``steps``.

    The facts are those of a measured network; at most about 300 of its steps are drawn.
    """
    alt = altair()
    steps = facts["steps"]
    every = -(-len(steps) // MOST_STEPS)
    steps = [*steps[:-1:every], steps[-1]]
    known, proven = "attackers, smallest set known", "proven to be needed"
    lines = [
        {"k": at, "attackers": step["attackers"], "line": known}
        for step in steps
        for at in dict.fromkeys((step["first"], step["last"]))
    ]
    if any(step["lower"] < step["attackers"] for step in steps):
        lines += [
            {"k": at, "attackers": max(1, step["lower"]), "line": proven}
            for step in steps
            for at in dict.fromkeys((step["first"], step["last"]))
        ]
    names = [known, proven] if len({line["line"] for line in lines}) > 1 else [known]
    legend = alt.Legend(title=None, orient="top", direction="vertical", labelLimit=320) if len(names) > 1 else None
    colour = alt.Color("line:N", scale=alt.Scale(domain=names, range=[MAIN, MUTED][: len(names)]), legend=legend)
    dash = alt.StrokeDash("line:N", scale=alt.Scale(domain=names, range=[[1, 0], [4, 4]][: len(names)]), legend=legend)
    line = alt.Chart(rows_of(lines)).mark_line(interpolate="step-after", point=len(lines) <= 40, strokeWidth=2.2)
    drawn = line.encode(
        x=alt.X("k:Q", title="k: size of the smallest crowd left", scale=_scale([x["k"] for x in lines]),
                axis=_axis([x["k"] for x in lines])),
        y=alt.Y("attackers:Q", title="attackers", scale=_scale([x["attackers"] for x in lines]),
                axis=_axis([x["attackers"] for x in lines])),
        color=colour, strokeDash=dash,
    )  # fmt: skip
    return finished(drawn, height=270)


def _scale(values: list[int]) -> Any:
    alt = altair()
    if max(values) > WIDE_RANGE and min(values) > 0:
        return alt.Scale(type="log", nice=False, domain=[min(values), max(values)])
    return alt.Scale(zero=True, nice=True)


def _axis(values: list[int]) -> Any:
    alt = altair()
    if max(values) > WIDE_RANGE and min(values) > 0:
        powers = [10**i for i in range(len(str(max(values)))) if min(values) <= 10**i <= max(values)]
        return alt.Axis(values=powers, format="~s", gridColor=GRID)
    return alt.Axis(tickCount=min(5, max(values)), format="~s", gridColor=GRID)


def layers_rows(facts: Mapping[str, Any]) -> list[tuple[str, int]]:
    """Return the layers around the witness as lines: distance in words, and nodes.

    The facts hold ``layers`` (nodes by distance to the witness) and ``unreached``. There are at most 14 layers, the
    farthest taken together, and nodes not connected where there are any.
    """
    sizes = facts["layers"]
    rows = [("the witness itself", sizes[0]), *((f"at distance {i}", n) for i, n in enumerate(sizes) if i)]
    if len(rows) > MOST_LAYERS:
        rows = [*rows[: MOST_LAYERS - 1], ("farther", sum(n for _, n in rows[MOST_LAYERS - 1 :]))]
    return [*rows, ("not connected", facts["unreached"])] if facts["unreached"] else rows


def layers(facts: Mapping[str, Any]) -> Any:
    """Draw nodes by their distance to the witness. Reads ``layers``; the facts hold ``unreached`` too."""
    rows = [
        {"label": label, "nodes": count, "text": f"{count:,}", "colour": STAR if i == 0 else MAIN}
        for i, (label, count) in enumerate(layers_rows(facts))
    ]
    return bars(rows, label="label", value="nodes", text="text", title="nodes")


def alone(facts: Mapping[str, Any]) -> Any:
    """Draw nodes by how many members each of them singles out by itself. Reads ``alone``.

    What is read holds ``bins``: labels and numbers of nodes.
    """
    rows = [
        {"label": line["label"], "nodes": line["nodes"], "text": f"{line['nodes']:,}", "colour": STAR if i else MAIN}
        for i, line in enumerate(facts["alone"]["bins"])
    ]
    return bars(rows, label="label", value="nodes", text="text", title="nodes, by members that each singles out")


def witness_classes(facts: Mapping[str, Any]) -> Any:
    """Draw members by the size of the crowd the witness sees them in. Reads ``witness_classes``.

    Each entry has ``from``, ``to`` (sizes) and ``rows`` (members).
    """
    rows = [
        {
            "label": size_label(line),
            "nodes": line["rows"],
            "text": f"{line['rows']:,}",
            "colour": STAR if line["to"] == 1 else MAIN,
        }
        for line in facts["witness_classes"]
    ]
    return bars(rows, label="label", value="nodes", text="text", title="members, by crowd size")
