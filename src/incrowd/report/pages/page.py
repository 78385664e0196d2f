"""A page of a report: sections of plain blocks, and the one template that turns them into a self-contained file."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, ClassVar

from incrowd.policy.python_words import in_python
from incrowd.report.charts.svg import Drawing, inline_svgs
from incrowd.report.text.characters import visible
from incrowd.report.text.words import plain
from incrowd.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.report.text.verdict import Verdict

__all__ = ["Block", "Card", "Code", "Figure", "Page", "Points", "Prose", "Section", "Table"]


@dataclass(frozen=True, slots=True)
class Prose:
    """A paragraph."""

    kind: ClassVar[str] = "prose"
    text: str


@dataclass(frozen=True, slots=True)
class Points:
    """Sentences of equal rank."""

    kind: ClassVar[str] = "points"
    items: Sequence[str]


@dataclass(frozen=True, slots=True)
class Code:
    """Text to copy."""

    kind: ClassVar[str] = "code"
    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table; cells that are no text are numbers and stand on the right.

    `head` names the c columns, and each of the rows holds c texts and numbers; None is an unknown. `wide` lets the
    table take the whole width of the page.
    """

    kind: ClassVar[str] = "table"
    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[Any]]
    wide: bool = False

    @property
    def numeric(self) -> list[bool]:
        """Which columns hold numbers alone."""
        return [all(numeric(row[i]) for row in self.rows) for i in range(len(self.head))]

    def html(self) -> str:
        """Return the table as a notebook shows it."""
        return _rendered("figure.html", table=self, drawn="")


@dataclass(frozen=True, slots=True)
class Figure:
    """A chart with its text alternative, and the same as a table.

    The table holds the figures of the chart. `wide` lets it take the whole width of the page.
    """

    kind: ClassVar[str] = "figure"
    drawing: Drawing
    caption: str
    table: Table
    wide: bool = False

    def html(self) -> str:
        """Return the figure as a notebook shows it.

        InputError is raised if the chart cannot be drawn.
        """
        drawn = inline_svgs([self.drawing])
        return _rendered("figure.html", table=self.table, drawn=drawn[self.drawing.name])

    @classmethod
    def of(cls, chart: Any, name: str, *, caption: str, alternative: str, table: Table, wide: bool = False) -> Figure:
        """Return a figure of an Altair chart.

        `name` is a word, unlike the name of every other chart of the page, and `alternative` is what the chart shows,
        for those who do not see it. The table holds the figures of the chart. `wide` lets it take the whole width of
        the page.
        """
        return cls(Drawing(chart.to_dict(validate=False), name, alternative), caption, table, wide)


Block = Prose | Points | Code | Table | Figure


@dataclass(frozen=True, slots=True)
class Card:
    """One number that is looked for first.

    `value` is the number as it is shown, `label` what it is, and `hint` a remark.
    """

    value: str
    label: str
    hint: str = ""


@dataclass(frozen=True, slots=True)
class Section:
    """A part of a page.

    `id` is the anchor in the page, unlike every other. `columns` lets figures fill columns from top to bottom.
    """

    id: str
    title: str
    blocks: Sequence[Block]
    columns: bool = False  # whether figures fill columns from top to bottom


@dataclass(frozen=True, slots=True)
class Page:
    """A whole report, ready to be written.

    Attributes
    ----------
    title, subtitle : str
    verdict : Verdict
    cards : sequence of Card
    sections : sequence of Section
    promise : str
        What the file holds of the data.
    """

    title: str
    subtitle: str
    verdict: Verdict
    cards: Sequence[Card] = field(default_factory=tuple)
    sections: Sequence[Section] = field(default_factory=tuple)
    promise: str = "It names columns, counts and settings; values only where enough rows of the release show them."

    def html(self) -> str:
        """Return the page as one file: no script, no request to the outside. All charts are drawn at once.

        InputError is raised if a chart cannot be drawn.
        """
        from datetime import UTC, datetime

        made = datetime.now(UTC).date().isoformat()
        blocks = [block for section in self.sections for block in section.blocks]
        drawn = inline_svgs([block.drawing for block in blocks if isinstance(block, Figure)])
        return _rendered("page.html", page=self, version=__version__, made=made, drawn=drawn)

    def card(self) -> str:
        """Return what a notebook shows: verdict and numbers, in a few hundred bytes and in Python's words."""
        said = self.verdict
        spoken = replace(said, headline=in_python(said.headline), points=tuple(map(in_python, said.points)))
        return _rendered("card.html", page=replace(self, verdict=spoken))


def _rendered(template: str, **held: Any) -> str:
    """Return a filled template; whatever names and values hold, a browser can show it."""
    return visible(str(_templates().get_template(template).render(**held)))


@functools.cache
def _templates() -> Any:
    import jinja2

    made = jinja2.Environment(
        loader=jinja2.PackageLoader("incrowd.report.pages"),
        autoescape=True,
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
    )
    made.filters["cell"] = cell
    return made


def numeric(value: Any) -> bool:
    """Whether a cell stands on the right: a number, a percentage or an unknown (None)."""
    return not isinstance(value, str) or re.fullmatch(r"[≤<]?[\d,.]+%?|–", value) is not None


def cell(value: Any) -> str:
    """Return a cell of a table as people write it: an unknown as a dash, numbers with their thousands apart.

    `value` is a number, a bool, a text or None.
    """
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return plain(value)
