"""A result as a document: sections of prose, points, tables and figures, shown by a terminal, a file and a notebook.

What stands in a document is written once. The terminal shows its sentences and what its figures say; the file, one HTML
page without script or request, shows everything; a notebook and the web app show the verdict and the numbers.
"""

from __future__ import annotations

import functools
import re
import textwrap
from dataclasses import KW_ONLY, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar, Literal

from incrowd import registry
from incrowd.atomic_file import write_whole
from incrowd.report.words import model_name, plain, visible
from incrowd.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from incrowd.report.drawings import Drawing


WIDTH = 100  # of a line in the terminal
BAR = 24  # signs of the longest bar beside a table in the terminal


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
    """Text to copy, in a file alone."""

    kind: ClassVar[str] = "code"
    text: str
    label: str


@dataclass(frozen=True, slots=True)
class Table:
    """A table; cells that are no text are numbers and stand on the right.

    `head` names the c columns, and each of the rows holds c texts and numbers; None is an unknown. `wide` lets the
    table take the whole width of the page. `bars` are shares of 1 or None, one a row: the terminal shows the table,
    with them as bars, also where it is that of a figure; without them the file alone shows it.
    """

    kind: ClassVar[str] = "table"
    caption: str
    head: Sequence[str]
    rows: Sequence[Sequence[Any]]
    wide: bool = False
    bars: Sequence[float | None] | None = None

    @property
    def numeric(self) -> list[bool]:
        """Which columns hold numbers alone."""
        return [all(numeric(row[i]) for row in self.rows) for i in range(len(self.head))]

    def html(self) -> str:
        """Return the table as a notebook shows it."""
        return _rendered("figure.html", table=self, drawn="")


@dataclass(frozen=True, slots=True)
class Figure:
    """A drawing, the same as a table, and in words.

    The table holds the figures of the chart. `alternative` says what it shows to those who do not see it, in the
    terminal too if it is `told`: a whole sentence then, which no other says. `wide` lets it take the whole width of the
    page.
    """

    kind: ClassVar[str] = "figure"
    chart: Drawing
    _: KW_ONLY
    caption: str
    alternative: str
    table: Table
    wide: bool = False
    told: bool = False

    @property
    def drawing(self) -> Drawing:
        """The chart with its words."""
        return self.chart.saying(self.alternative)

    def html(self) -> str:
        """Return the figure as a notebook shows it."""
        return _rendered("figure.html", table=self.table, drawn=self.drawing)


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
    """A part of a document.

    `id` is the anchor in the page, unlike every other. `columns` lets figures fill columns from top to bottom. What is
    on `paper` alone, the terminal leaves out.
    """

    id: str
    title: str
    blocks: Sequence[Block]
    columns: bool = False
    paper: bool = False


Level = Literal["yes", "look", "no", "told"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A plain answer to whether something may be handed out.

    `level`: nothing speaks against it; somebody has to look at the points first; the points speak against it; something
    was measured, and nothing is to be decided. `headline`: the answer in one sentence. `points`: what to look at, or
    what speaks against it.
    """

    level: Level
    headline: str
    points: Sequence[str] = ()


@dataclass(frozen=True, slots=True)
class Document:
    """A result, ready to be shown. `opening`: what it is about; `promise`: what the file holds of the data."""

    title: str
    opening: Sequence[str]
    verdict: Verdict
    cards: Sequence[Card] = ()
    sections: Sequence[Section] = ()
    promise: str = "It names columns, counts and settings, and no value of the table."

    def text(self) -> str:
        """Return what a terminal shows, in lines of at most 100 characters, where words allow."""
        begun = "\n".join(_filled(line) for line in self.opening)
        answer = "\n".join([_filled(self.verdict.headline), *map(_item, self.verdict.points)])
        rest = ("\n".join([s.title, *said]) for s in self.sections if not s.paper and (said := _said(s.blocks)))
        return "\n\n".join(part for part in (begun, answer, *rest) if part) + "\n"

    def html(self) -> str:
        """Return the document as one file: no script, no request to the outside."""
        from datetime import UTC, datetime

        made = datetime.now(UTC).date().isoformat()
        return _rendered("page.html", page=self, version=__version__, made=made)

    def fragment(self) -> str:
        """Return the sections as a part of another page, but for those on paper alone."""
        return _rendered("sections.html", sections=[section for section in self.sections if not section.paper])

    def card(self) -> str:
        """Return what a notebook shows: verdict and numbers, in a few hundred bytes."""
        return _rendered("card.html", page=self)

    def write(self, path: str | Path) -> None:
        """Write the document as one file, whole or not at all; InputError is raised if it cannot be written."""
        write_whole(Path(path), self.html())


def _filled(line: str, indent: str = "", more: str = "") -> str:
    return textwrap.fill(
        line, WIDTH, initial_indent=indent, subsequent_indent=more, break_on_hyphens=False, break_long_words=False
    )


def _item(line: str) -> str:
    return _filled(line, "  - ", "    ")


def _said(blocks: Sequence[Block]) -> list[str]:
    """Return the lines of a section in the terminal."""
    lines: list[str] = []
    for block in blocks:
        if isinstance(block, Prose):
            lines.append(_item(block.text))
        elif isinstance(block, Points):
            lines += map(_item, block.items)
        elif isinstance(block, Figure) and block.told:
            lines.append(_item(block.alternative))
        else:
            table = block.table if isinstance(block, Figure) else block
            if isinstance(table, Table) and table.bars is not None:
                lines += _aligned(table, table.bars)
    return lines


def _aligned(table: Table, bars: Sequence[float | None]) -> list[str]:
    rows = [list(table.head), *([cell(value) for value in row] for row in table.rows)]
    widths = [max(len(row[i]) for row in rows) for i in range(len(table.head))]
    ends = ["", *("#" * round(BAR * share) or "." if share is not None else "" for share in bars)]
    return [
        "  ".join(["", *(text.rjust(width) for text, width in zip(row, widths, strict=True)), end]).rstrip()
        for row, end in zip(rows, ends, strict=True)
    ]


def _rendered(template: str, **held: Any) -> str:
    """Return a filled template; whatever names and values hold, a browser can show it."""
    return visible(str(templates("incrowd.report").get_template(template).render(**held)))


@functools.cache
def templates(package: str) -> Any:
    """Return the environment of a package's templates; every text in them is escaped."""
    import jinja2

    made = jinja2.Environment(
        loader=jinja2.PackageLoader(package),
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
    """Return a cell of a table as people write it: an unknown as a dash, numbers with their thousands apart."""
    if value is None:
        return "–"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return plain(value)


def check_report(path: str | Path, *others: Any) -> None:
    """Refuse a report that cannot be written, before anything runs: InputError as by `check_output`.

    It goes to `path`, and must not replace any of the files `others`.
    """
    from incrowd.tables.write import check_output  # with the table engine, which no other report needs

    check_output(path, *others, any_ending=True)


def models_table(models: Sequence[Mapping[str, Any]]) -> Table:
    """Return the privacy models as a table, with what was asked and reached; those that were asked come first.

    The models are as `incrowd.report.words.models_of` returns them; one that is not registered has a dash for its
    meaning.
    """
    rows = [
        [
            model_name(model),
            "–" if model.get("asked") is None else plain(model["asked"]),
            "–" if model.get("reached") is None else plain(model["reached"]),
            {True: "met", False: "NOT met", None: "measured only"}[model.get("ok")],
            registry.load("models", model["name"]).summary if model["name"] in registry.MODELS else "–",
        ]
        for model in sorted(models, key=lambda model: model.get("asked") is None)
    ]
    return Table("Privacy models", ["model", "asked", "reached", "verdict", "meaning"], rows, wide=True)
