"""The chart of what releases give away against what they cost, as they are and blunted."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.report.charts.libraries import altair
from incrowd.report.charts.parts import BAND, GRID, INK, INNER, MAIN, MUTED, STAR, finished, rows_of
from incrowd.report.text.tradeoff import told_cells

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["given_away"]

COLOURS = (MAIN, STAR, INK, INNER, BAND)
DASHES = ([1, 0], [6, 2], [2, 2], [8, 2, 2, 2], [4, 4])


def given_away(lines: Sequence[Mapping[str, Any]], *, x_title: str = "cost") -> Any:
    """Draw cells given away over cost, a line per release and a mark per level of blunting.

    Each of the `lines` has ``line`` (of which release), ``blunt`` (None: as it is), ``cost``, ``claimed_cells`` and
    ``quotient``; they are in the order in which a line is drawn. `x_title` is what the axis of costs says. The chart is
    one of Altair, and InputError is raised if Altair is not installed.
    """
    alt = altair()
    names = list(dict.fromkeys(line["line"] for line in lines))
    rows = [
        {
            "line": line["line"],
            "cost": line["cost"],
            "cells": told_cells(line),
            "blunt": "" if line["blunt"] is None else str(line["blunt"]),
            "order": place,
        }
        for place, line in enumerate(lines)
    ]
    colours = [COLOURS[i % len(COLOURS)] for i in range(len(names))]
    dashes = [list(DASHES[i % len(DASHES)]) for i in range(len(names))]
    legend = alt.Legend(
        title=None, orient="top", direction="vertical", labelColor=INK, labelFontSize=12, labelLimit=320
    )
    base = alt.Chart().encode(
        x=alt.X("cost:Q", title=x_title, scale=alt.Scale(zero=False, nice=True),
                axis=alt.Axis(tickCount=5, format="~s", gridColor=GRID)),
        y=alt.Y("cells:Q", title="cells given away", scale=alt.Scale(zero=True, nice=True),
                axis=alt.Axis(tickCount=4, format="~s", titlePadding=12)),
        color=alt.Color("line:N", scale=alt.Scale(domain=names, range=colours), legend=legend),
    )  # fmt: skip
    drawn = base.mark_line(strokeWidth=2.2, point=alt.OverlayMarkDef(size=46)).encode(
        strokeDash=alt.StrokeDash("line:N", scale=alt.Scale(domain=names, range=dashes), legend=legend),
        order="order:Q",
    )
    told = base.mark_text(dx=7, dy=-8, align="left").encode(text="blunt:N", color=alt.value(MUTED))
    return finished(alt.layer(drawn, told, data=rows_of(rows)), height=250 + 16 * len(names), right=16)
