"""Which values a column is known to have: those of its hierarchy, of a file, or those that the release shows."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from incrowd.errors import InputError, PolicyError, count_of
from incrowd.tables.attack.made_values import values_below
from incrowd.tables.hierarchy import Fitted, Hierarchy, HierarchyFile
from incrowd.tables.hierarchy.values import MISSING

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from incrowd.tables.hierarchy import Spec

__all__ = ["ColumnDomain", "column_domain", "read_domain"]

MOST_VALUES = 1_000_000
MOST_BYTES = 1 << 28


@dataclass(frozen=True, slots=True)
class ColumnDomain:
    """The values that a column is known to have.

    Attributes
    ----------
    values : tuple of str or None
        Known values (None: a missing value).
    closed : bool
        Whether no other value is possible.
    fitted : Fitted or None
        The column's hierarchy, with one line for each value, in their order.
    made : {"", "listed", "labels"}
        Whether the hierarchy was made of the column's values, and what stands for them here: the values that
        ``--domain`` lists, or one below every label of the release. How many values a label stands for is then not
        known.
    """

    values: tuple[str | None, ...]
    closed: bool
    fitted: Fitted | None
    made: Literal["", "listed", "labels"] = ""


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


def column_domain(
    name: str,
    labels: Sequence[str | None],
    *,
    star: str | None,
    spec: Spec | None,
    fitted: Fitted | None = None,
    domain: Sequence[str | None] | None = None,
    complete: bool = False,
    encoding: str = "utf-8",
) -> ColumnDomain:
    """Return what a column's values may be.

    `labels` are the distinct cells that the release shows, and `star` is the text of a star (None: NULL). `spec` is the
    column's hierarchy, as the policy names it. `fitted` is its hierarchy as bound to the original by whoever made the
    release, in place of `spec`: the values are known then, but not taken for all that are possible unless `spec` lists
    them.

    `domain` lists all values that are possible. `complete` says whether values that the hierarchy lacks were put under
    its root, and `encoding` is tried for a hierarchy's file that is not UTF-8. InputError or PolicyError is raised if
    the levels of the hierarchy depend on the column's values and none are listed, or the release shows cells that are
    neither values nor labels.
    """
    listed = isinstance(spec, (Hierarchy, HierarchyFile))
    made: Literal["", "listed", "labels"] = ""
    if fitted is not None:
        hierarchy, missing = fitted.hierarchy, fitted.missing
    elif spec is None:
        return _flat(name, labels, star, domain)
    elif isinstance(spec, (Hierarchy, HierarchyFile)):
        hierarchy = spec if isinstance(spec, Hierarchy) else spec.load(encoding)
        missing = None in labels and star is not None
    else:
        known = values_below(spec, [label for label in labels if label not in (star, None)])
        if domain is None and not known:
            raise InputError(
                f"the hierarchy of column {name!r} is made of the column's values, which a release alone does not "
                f"tell: list them, one a line, in a file, and name it with --domain {name}=FILE"
                + ("" if known is not None else ", or give the lengths of the prefixes")
            )
        texts = known if domain is None else [value for value in domain if value is not None]
        hierarchy = Hierarchy(lines=spec.lines(texts or (), complete=complete))
        missing = (None in domain) if domain is not None else (None in labels and star is not None)
        made = "labels" if domain is None else "listed"
        hierarchy = hierarchy.completed([MISSING]) if missing else hierarchy
    closed = (listed and not complete) or domain is not None
    more = _lacking(hierarchy, labels, star, missing)
    if more:
        if not complete:
            raise InputError(
                f"column {name!r} of the release shows {count_of(len(more), 'text')} that "
                f"{'is' if len(more) == 1 else 'are'} neither a value nor a label of its hierarchy; give the hierarchy "
                "that the release was made with, or --complete-hierarchies"
            )
        hierarchy = hierarchy.completed([MISSING if value is None else value for value in more])
    bound = Fitted(hierarchy, missing)
    values = tuple(line[0] for line in bound.shown())
    if domain is not None and set(domain) - set(values):
        raise PolicyError(f"the domain of column {name!r} lists values that its hierarchy lacks")
    return ColumnDomain(values, closed, bound, made)


def _flat(
    name: str, labels: Sequence[str | None], star: str | None, domain: Sequence[str | None] | None
) -> ColumnDomain:
    shown = sorted((label for label in labels if label != star), key=lambda text: (text is not None, text or ""))
    if domain is None:
        return ColumnDomain(tuple(shown), False, None)
    if set(shown) - set(domain):
        raise InputError(
            f"column {name!r} of the release shows {count_of(len(set(shown) - set(domain)), 'value')} that its domain "
            "does not list; --domain must list every value that is possible"
        )
    return ColumnDomain(tuple(domain), True, None)


def _lacking(hierarchy: Hierarchy, labels: Sequence[str | None], star: str | None, missing: bool) -> list[str | None]:
    """Return the cells that are neither the star nor in the hierarchy."""
    known = {cell for line in Fitted(hierarchy, missing).shown() for cell in line}
    return [label for label in labels if label != star and label not in known]


def hierarchy_lines(domains: Mapping[str, ColumnDomain]) -> dict[str, Fitted]:
    """Return the hierarchies by column, of those that have one."""
    return {name: found.fitted for name, found in domains.items() if found.fitted is not None}
