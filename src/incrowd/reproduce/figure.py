"""The paper's Figure 1, for any of its tables: running time and usefulness over k."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.atomic_file import write_whole
from incrowd.errors import InputError
from incrowd.report.charts.libraries import altair, check_installed

if TYPE_CHECKING:
    from pathlib import Path

    from incrowd.reproduce.experiment import Reproduction

__all__ = ["chart", "check_figure", "draw"]

NAMES = {"greedy": "greedy heuristic", "mondrian": "Mondrian", "exact": "exact solver", "ilp": "integer program"}
PANELS = (("seconds", "seconds", True), ("usefulness", "usefulness (smaller is better)", False))


def check_figure(path: Path) -> None:
    """Refuse a file that is no picture we draw, and any where nothing is installed to draw it with.

    Parameters
    ----------
    path : Path
        Where the figure is to go.

    Raises
    ------
    InputError
        If the ending is neither ``.svg`` nor ``.png``, or the extra ``report`` is not installed.
    """
    if path.suffix.lower() not in (".svg", ".png"):
        raise InputError("--figure must end in .svg or .png")
    check_installed("the charts of a figure")


def draw(found: Reproduction, path: Path) -> None:
    """Write the figure, whole or not at all, as SVG or PNG by the file's ending.

    Parameters
    ----------
    found : Reproduction
    path : Path
        Ends in ``.svg`` or ``.png``.

    Raises
    ------
    InputError
        As `check_figure`, or if the file cannot be written.

    References
    ----------
    R. Bredereck, A. Nichterlein, R. Niedermeier, "Pattern-Guided k-Anonymity", Algorithms 2013, 6(4), Figure 1.
    """
    check_figure(path)
    import vl_convert

    made = chart(found).to_dict()
    if path.suffix.lower() == ".svg":
        content = vl_convert.vegalite_to_svg(made, allowed_base_urls=[]).encode()
    else:
        content = vl_convert.vegalite_to_png(made, scale=2, allowed_base_urls=[])
    write_whole(path, content)


def chart(found: Reproduction) -> Any:
    """Return the figure as an Altair chart.

    Parameters
    ----------
    found : Reproduction

    Returns
    -------
    altair chart
        Two panels over k: seconds (logarithmic) and usefulness.

    Raises
    ------
    InputError
        If Altair is not installed.
    """
    alt = altair()
    values = [
        {
            "k": line.k,
            "algorithm": NAMES[line.method],
            "seconds": max(line.seconds, 1e-6),  # on a logarithmic axis
            "usefulness": line.usefulness,
        }
        for line in found.lines
    ]
    base = alt.Chart(alt.InlineData(values=values)).mark_line(point=True)
    panels = [
        base.encode(
            x=alt.X("k:Q", scale=alt.Scale(type="log"), axis=alt.Axis(values=[2, 3, 5, 10, 25, 50, 100])),
            y=alt.Y(f"{name}:Q", title=title, scale=alt.Scale(type="log" if log else "linear")),
            color=alt.Color("algorithm:N", title=None),
            shape=alt.Shape("algorithm:N", title=None),
        ).properties(width=320, height=240)
        for name, title, log in PANELS
    ]
    return alt.hconcat(*panels).properties(title=found.title)
