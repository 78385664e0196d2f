"""Which values a column is known to have: those of its hierarchy, of a file, or those that the release shows."""

from __future__ import annotations

import datetime
import re
from dataclasses import dataclass
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Literal

import numpy as np

from incrowd.errors import InputError, PolicyError, count_of
from incrowd.tables.hierarchy import Dates, Fitted, Hierarchy, HierarchyFile, Intervals, Prefix
from incrowd.tables.hierarchy.values import MISSING

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.attack.values import Asked
    from incrowd.tables.values import Int32

MOST_VALUES = 1_000_000
MOST_BYTES = 1 << 28
NOBODY = "no value is shown"  # stands for the values of a column that shows none; never printed


@dataclass(frozen=True, slots=True)
class ColumnDomain:
    """The values that a column is known to have.

    `values`: known values (None: a missing value), at least one. `closed`: whether no other value is possible.
    `fitted`: the column's hierarchy, with one line for each value, in their order. `made`: whether the hierarchy was
    made of the column's values, and what stands for them here: the values that ``--domain`` lists, or one below every
    label of the release. How many values a label stands for is then not known.
    """

    values: tuple[str | None, ...]
    closed: bool
    fitted: Fitted | None = None
    made: Literal["", "listed", "labels"] = ""

    def places(self, star: str | None) -> dict[str | None, tuple[int, int]]:
        """Return for every label the lowest level at which it stands, and a value below it."""
        lines = [(value,) for value in self.values] if self.fitted is None else self.fitted.shown
        place: dict[str | None, tuple[int, int]] = {}
        for level in range(len(lines[0])):
            for i, line in enumerate(lines):
                place.setdefault(line[level], (level, i))
        place[star] = (len(lines[0]), 0)  # a star is what the policy calls one, whatever else it spells
        return place

    def ups(self) -> Int32:
        """Return the nodes of the values at every level, (h + 1, d)."""
        every = np.arange(len(self.values), dtype=np.int64)
        if self.fitted is not None:
            return self.fitted.hierarchy.ups(every)
        return np.stack([every, every * 0]).astype(np.int32)


def read_domain(path: str | Path, column: str) -> tuple[str | None, ...]:
    """Return the values that a file lists, one a line; the line NULL stands for a missing value.

    `column` is for messages. InputError is raised if the file cannot be read, lists nothing, or lists a value twice.
    """
    file = Path(path)
    try:
        if file.stat().st_size > MOST_BYTES:
            raise InputError(f"the domain of column {column!r} is a file above 256 MB; list its values, one a line")
        lines = file.read_text(encoding="utf-8-sig").splitlines()
    except (OSError, ValueError):
        raise InputError(
            f"the domain of column {column!r} cannot be read from {file.name!r}: it has to be a text file (UTF-8) "
            "with one value a line"
        ) from None
    values = [None if line == MISSING else line for line in lines if line]
    if not values or len(values) > MOST_VALUES:
        raise InputError(f"the domain of column {column!r} must list from 1 to {MOST_VALUES:,} values, one a line")
    twice = len(values) - len(set(values))
    if twice:
        raise InputError(f"the domain of column {column!r} lists {count_of(twice, 'value')} twice")
    return tuple(values)


def column_domain(name: str, labels: Sequence[str | None], asked: Asked) -> ColumnDomain:
    """Return what a column's values may be.

    `labels` are the distinct cells that the release shows, and `asked` is its policy. InputError or PolicyError is
    raised if the levels of the hierarchy depend on the column's values and none are listed, or the release shows cells
    that are neither values nor labels.
    """
    spec, domain, star, complete = asked.hierarchies.get(name), asked.domains.get(name), asked.star, asked.complete
    listed = isinstance(spec, (Hierarchy, HierarchyFile))
    made: Literal["", "listed", "labels"] = ""
    missing = None in labels and star is not None
    if spec is None:
        return _flat(name, labels, star, domain)
    if isinstance(spec, (Hierarchy, HierarchyFile)):
        hierarchy = spec if isinstance(spec, Hierarchy) else spec.load(asked.encoding)
    else:
        known = values_below(spec, [label for label in labels if label not in (star, None)])
        if domain is None and not known:
            raise InputError(
                f"the hierarchy of column {name!r} is made of the column's values, which a release alone does not "
                f"tell: list them, one a line, in a file, and name it as the domain of {name}"
                + ("" if known is not None else ", or give the lengths of the prefixes")
            )
        texts = known if domain is None else [value for value in domain if value is not None]
        hierarchy = Hierarchy(lines=spec.lines(texts or (), complete=complete))
        missing = missing if domain is None else None in domain
        made = "labels" if domain is None else "listed"
        hierarchy = hierarchy.completed([MISSING]) if missing else hierarchy
    closed = (listed and not complete) or domain is not None
    there = {star}.union(*Fitted(hierarchy, missing).shown)
    more = [label for label in labels if label not in there]
    if more:
        if not complete:
            raise InputError(
                f"column {name!r} of the release shows {count_of(len(more), 'text')} that "
                f"{'is' if len(more) == 1 else 'are'} neither a value nor a label of its hierarchy; give the hierarchy "
                "that the release was made with, or complete_hierarchies = true"
            )
        hierarchy = hierarchy.completed([MISSING if value is None else value for value in more])
    bound = Fitted(hierarchy, missing)
    values = tuple(line[0] for line in bound.shown)
    if domain is not None and set(domain) - set(values):
        raise PolicyError(f"the domain of column {name!r} lists values that its hierarchy lacks")
    return ColumnDomain(values, closed, bound, made)


def _flat(
    name: str, labels: Sequence[str | None], star: str | None, domain: Sequence[str | None] | None
) -> ColumnDomain:
    shown = sorted((label for label in labels if label != star), key=lambda text: (text is not None, text or ""))
    if domain is None:
        return ColumnDomain(tuple(shown) or (NOBODY,), closed=False)
    if set(shown) - set(domain):
        raise InputError(
            f"column {name!r} of the release shows {count_of(len(set(shown) - set(domain)), 'value')} that its domain "
            "does not list; domains must list every value that is possible"
        )
    return ColumnDomain(tuple(domain) or (NOBODY,), closed=bool(domain))


# Values that lie below the labels of a hierarchy which was made of a column's values: at least one a label.
WHOLE = re.compile(r"([0-9]+)-[0-9]+|([0-9]+)\+")
HALF_OPEN = re.compile(r"\[(-?[0-9./]+), -?[0-9./]+\)|>= (-?[0-9./]+)")
DATE = re.compile(r"([0-9]{4})(?:-(?:([0-9]{2})|Q([1-4])))?")
YEARS = re.compile(r"([0-9]{1,3})0s")  # a decade, or a century


def values_below(spec: Intervals | Dates | Prefix, labels: Sequence[str]) -> list[str] | None:
    """Return one value below every label, and the labels that are values themselves.

    The labels are cells that a release shows, without the star. It is None where the levels depend on values that no
    label tells: prefixes of no given lengths. A value is made up, so that the hierarchy has a place for its label;
    others may exist beside it. Labels that the hierarchy does not make are returned as they are.
    """
    if isinstance(spec, Prefix):
        if not spec.lengths:
            return None
        known = [_of_prefix(spec, label) for label in labels]
    elif isinstance(spec, Dates):
        known = [_of_date(label) for label in labels]
    else:
        known = [_of_interval(spec, label) for label in labels]
    return list(dict.fromkeys(known))


def _of_prefix(spec: Prefix, label: str) -> str:
    cut = label.endswith("*") and len(label) - 1 in spec.lengths
    return label[:-1].ljust(max(spec.lengths) + 1, "0") if cut else label


def _of_date(label: str) -> str:
    years, found = YEARS.fullmatch(label), DATE.fullmatch(label)
    if years is not None:
        return datetime.date(max(int(years[1]) * 10, 1), 1, 1).isoformat()
    if found is None:
        return label
    month = int(found[2]) if found[2] else 3 * int(found[3]) - 2 if found[3] else 1
    return datetime.date(max(int(found[1]), 1), month, 1).isoformat() if 1 <= month <= 12 else label


def _of_interval(spec: Intervals, label: str) -> str:
    whole, half = WHOLE.fullmatch(label), HALF_OPEN.fullmatch(label)
    if whole is not None:
        return whole[1] or whole[2]
    if half is None:
        return label
    # a number that is not whole, as some must be where labels are half open
    number = Fraction(half[1] or half[2]) + min(spec.widths[0], Fraction(1)) / 2
    return str(number.numerator) if number.denominator == 1 else str(float(number))
