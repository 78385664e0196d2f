"""A page of a report: sections of plain blocks, and the one template that turns them into a self-contained file."""

from __future__ import annotations

import functools
import re
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from incrowd import registry
from incrowd.atomic_file import write_whole
from incrowd.errors import count_of
from incrowd.memory import MB, in_words
from incrowd.policy.python_calls import in_python
from incrowd.report.text.attack import attack_points
from incrowd.report.text.usefulness import usefulness_points
from incrowd.report.text.verdict import Verdict
from incrowd.report.text.verify import sentence
from incrowd.report.text.words import model_name, percent, plain, visible
from incrowd.tables.write import check_output
from incrowd.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from incrowd.report.drawings import Drawing
    from incrowd.tables.verdict import Violation


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
    """A drawing, and the same as a table.

    The table holds the figures of the chart. `wide` lets it take the whole width of the page.
    """

    kind: ClassVar[str] = "figure"
    drawing: Drawing
    caption: str
    table: Table
    wide: bool = False

    def html(self) -> str:
        """Return the figure as a notebook shows it."""
        return _rendered("figure.html", table=self.table, drawn=self.drawing)

    @classmethod
    def of(cls, drawing: Drawing, *, caption: str, alternative: str, table: Table, wide: bool = False) -> Figure:
        """Return a figure; `alternative` says what it shows to those who do not see it."""
        return cls(drawing.saying(alternative), caption, table, wide)


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
    """A whole report, ready to be written. `promise`: what the file holds of the data."""

    title: str
    subtitle: str
    verdict: Verdict
    cards: Sequence[Card] = field(default_factory=tuple)
    sections: Sequence[Section] = field(default_factory=tuple)
    promise: str = "It names columns, counts and settings; values only where enough rows of the release show them."

    def html(self) -> str:
        """Return the page as one file: no script, no request to the outside."""
        from datetime import UTC, datetime

        made = datetime.now(UTC).date().isoformat()
        return _rendered("page.html", page=self, version=__version__, made=made)

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


# Facts of a release, an audit, a network or a trade-off -> its report as one file.
def check_report(path: str | Path, *others: Any) -> None:
    """Refuse a report that cannot be written, before anything runs: InputError as by `check_output`.

    It goes to `path`, and must not replace any of the files `others`.
    """
    check_output(path, *others, any_ending=True)


def write_page(page: Page, path: str | Path) -> None:
    """Write a page, whole or not at all.

    A file that stands at `path` is replaced. InputError is raised if it cannot be written.
    """
    text = page.html()
    write_whole(Path(path), text)


# The models that a release or a table is held to, as a table of a page.
def models_table(models: Sequence[Mapping[str, Any]]) -> Table:
    """Return the privacy models as a table, with what was asked and reached; those that were asked come first.

    The models are as `incrowd.report.text.words.models_of` returns them; one that is not registered has a dash for its
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


# What a notebook shows of results that have no page of their own: a headline, points and numbers. Never a cell.
def attack_card(facts: Mapping[str, Any]) -> str:
    """Return what a release gives away as a notebook shows it.

    The facts are as `incrowd.results.attack.Attack.facts`.
    """
    known, excluded = facts["determined_cells"], facts["excluded_cells"]
    if facts["premises"]["valid"] == "no":
        verdict = Verdict("no", "The release breaks its policy.", tuple(attack_points(facts)))
    elif known:
        told = f"{count_of(known, 'hidden cell')} can be known for certain."
        verdict = Verdict("no", told, tuple(attack_points(facts)))
    elif excluded:
        told = f"In {count_of(excluded, 'hidden cell')} a value can be excluded; none is known for certain."
        verdict = Verdict("look", told, tuple(attack_points(facts)))
    else:
        verdict = Verdict("yes", "No simple rule excludes a value for certain.", tuple(attack_points(facts)))
    cards = [
        Card(f"{facts['hidden_cells']:,}", "cells of the quasi-identifiers are hidden"),
        Card(f"{excluded:,}", "with a value that is excluded for certain"),
        Card(f"{known:,}", "known for certain"),
    ]
    return Page(f"What {facts['release']!r} gives away", "", verdict, cards).card()


def usefulness_card(facts: Mapping[str, Any]) -> str:
    """Return how useful a release is as a notebook shows it.

    The facts are as `incrowd.results.usefulness.Usefulness.facts`.
    """
    counts = facts["counts"]
    cards = [
        Card(percent(counts["mean"]), "error of random counts on average"),
        Card(percent(counts["mean_of_noise"]), "the same of another sample of as many people"),
    ]
    headline = "What analyses of the release would find, beside those of the original."
    verdict = Verdict("told", headline, tuple(usefulness_points(facts)))
    title = f"Usefulness of {facts['release']!r}"
    return Page(title, "", verdict, cards if counts["queries"] else []).card()


def estimate_card(facts: Mapping[str, Any], title: str) -> str:
    """Return what a job would take as a notebook shows it.

    The facts are as `incrowd.results.estimate.Estimate.facts`; `title` is what was looked at.
    """
    factor = facts["factor"]
    cards = [
        Card(in_words(facts["memory_mb"] * MB), "of memory at most", f"within a factor of {factor['memory']}"),
        Card(in_words(facts["disk_mb"] * MB), "of disk"),
    ]
    for stage, seconds in facts["seconds"].items():
        about = f"within a factor of {factor['seconds']}" if "seconds" in factor else "at most"
        hint = "" if seconds is None else "measured" if stage in facts["measured"] else about
        cards.append(Card("not known" if seconds is None else f"{seconds:.1f} s", stage, hint))
    return Page(title, "", Verdict("told", "Nothing was searched, and nothing released."), cards).card()


def kernel_card(facts: Mapping[str, int]) -> str:
    """Return how much smaller a kernel is than its table, as a notebook shows it.

    The facts are as `incrowd.results.kernel.Kernel.facts`.
    """
    rows, before = facts["rows"], facts["rows_before"]
    headline = (
        "A release of the kernel leads to one of the table at the same cost (back), and the least cost is the same."
    )
    cards = [
        Card(f"{rows:,}", "rows of the kernel", f"of {count_of(before, 'row')}"),
        Card(f"{facts['row_types']:,}", "different rows, as many as before"),
        Card(f"{facts['most_copies']:,}", "copies of a row at most"),
    ]
    return Page(f"Kernel of {count_of(before, 'row')}", "", Verdict("told", headline), cards).card()


def violations_card(violations: Sequence[Violation], cards: Sequence[tuple[str, str]]) -> str:
    """Return what a recount found as a notebook shows it.

    `cards` are what was recounted of a certificate: value and meaning.
    """
    if violations:
        wrong = any(not violation.rule.startswith("certificate: ") for violation in violations)
        headline = "The release does NOT keep the policy." if wrong else "The certificate does NOT hold."
        verdict = Verdict("no", headline, tuple(sentence(violation) for violation in violations))
    else:
        verdict = Verdict("yes", "The release keeps the policy: an independent recount found nothing against it.")
    return Page("Recount of a release", "", verdict, [Card(*card) for card in cards]).card()
