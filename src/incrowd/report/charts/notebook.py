"""Charts of a release for notebooks: Altair charts, made from the same facts as the report."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, did_you_mean

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["Plots"]

CHARTS = ("levels", "classes", "patterns", "columns", "bounds")


class Plots:
    """Charts of one release, each an `altair.Chart` that a notebook shows by itself: ``release.plot()``, or by name.

    `facts` gives the facts of the release with its details; it is called when a chart is made. Every chart is refused
    with an `InputError` where the extra ``report`` is not installed.
    """

    def __init__(self, facts: Callable[[], Mapping[str, Any]]) -> None:
        self._facts = facts

    def __call__(self, name: str = "levels") -> Any:
        """Draw a chart by its name, by default what the cells of each column show.

        `name` is ``levels``, ``classes``, ``patterns``, ``columns`` or ``bounds``. InputError is raised if there is no
        such chart.
        """
        if name not in CHARTS:
            raise InputError(f"there is no chart {name!r}{did_you_mean(name, CHARTS)}; there are {', '.join(CHARTS)}")
        return getattr(self, name)()

    def classes(self) -> Any:
        """Draw rows by the size of the crowd (class) they are in."""
        from incrowd.report.charts import release

        return release.classes(self._facts())

    def patterns(self) -> Any:
        """Draw the patterns in use as a heat map over the columns, with their rows."""
        from incrowd.report.charts import release

        return release.patterns(self._facts())

    def levels(self) -> Any:
        """Draw what the cells of each column show: the value as it was, coarser labels, a star."""
        from incrowd.report.charts import shown

        return shown.levels(self._facts())

    def columns(self, name: str | None = None) -> Any:
        """Draw the share of rows suppressed by column; with a column's `name`, what it still shows.

        InputError is raised if `name` is no quasi-identifier.
        """
        from incrowd.report.charts import release

        facts = self._facts()
        if name is None:
            return release.columns(facts)
        shown = {column["name"]: column for column in facts["columns_after"]}
        if name not in shown:
            raise InputError(f"{name!r} is no quasi-identifier of this release{did_you_mean(name, list(shown))}")
        return release.column(shown[name], facts["rows"])

    def bounds(self) -> Any:
        """Draw the cost of the best release and the proven lower bound while the search ran."""
        from incrowd.report.charts import release

        return release.bounds(self._facts())
