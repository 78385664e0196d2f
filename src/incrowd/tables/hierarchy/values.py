"""A generalization hierarchy: lines from a value up to the star, all equally long, forming a tree."""

from __future__ import annotations

import csv
import dataclasses
import graphlib
import io
import itertools
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from incrowd.errors import PolicyError, an, count_of
from incrowd.settings import as_fraction
from incrowd.tables.hierarchy.builders import Dates, Intervals, Lines, Prefix

if TYPE_CHECKING:
    from numpy.typing import NDArray

MISSING = "NULL"  # how ARX writes a missing value
MOST_LEVELS = 120


@dataclass(frozen=True, kw_only=True)
class Hierarchy:
    """The levels of one quasi-identifier.

    Parameters
    ----------
    lines : sequence of sequences of str, shape (L, h)
        One line a leaf: the value as in the data, then its label at level 1, 2, ... h - 1. The star above them
        (level h) is implied: a last column of nothing but ``*`` may be given and is taken off. The leaf ``NULL``
        stands for a missing value.
    level_costs : sequence of numbers, optional
        Cost of showing a value at level 1, 2, ... h, the same for all values. Never falling.
    node_costs : mapping of str to number, optional
        Cost by label (``*`` for the star); nodes without one keep their default. Never falling towards the root.

    Raises
    ------
    PolicyError
        Naming every fault with its count: ragged lines, doubled leaves, labels that part again higher up (no
        tree), a label that names two different sets of leaves, costs that fall. Never a value.

    Notes
    -----
    Default cost of a node: (leaves below - 1) / (L - 1), and 1 for the star of a column with one leaf. Lines are
    held as given: O(L h) memory, checked in O(L h log L) time.
    """

    lines: tuple[tuple[str, ...], ...]
    level_costs: tuple[Fraction, ...] | None = None
    node_costs: tuple[tuple[str, Fraction], ...] | None = None
    packed: ClassVar[bool] = False  # whether its labels overlap, as those of ranges that a release shows do

    def __repr__(self) -> str:
        return f"<Hierarchy of {count_of(len(self.lines), 'value')}, {count_of(self.height, 'level')} above them>"

    def __post_init__(self) -> None:
        settle = object.__setattr__
        settle(self, "lines", checked_lines(self.lines))
        if self.level_costs is not None and self.node_costs is not None:
            raise PolicyError("a hierarchy takes level_costs or node_costs, not both")
        if self.level_costs is not None:
            settle(self, "level_costs", costs_by_level(self.level_costs))
            if len(self.level_costs) != self.height:
                raise PolicyError(
                    f"level_costs has {count_of(len(self.level_costs), 'number')}, but the hierarchy has "
                    f"{count_of(self.height, 'level')} above the values (the star's included)"
                )
            never_falling([(Fraction(0), *self.level_costs)])
        if self.node_costs is not None:
            settle(self, "node_costs", costs_by_node(self.node_costs))
            known = {"*"}.union(*(line[1:] for line in self.lines))
            unknown = sum(label not in known for label, _ in self.node_costs)
            if unknown:
                raise PolicyError(
                    f"node_costs names {unknown} labels that the hierarchy does not have above its values"
                )
            never_falling(zip(*self.costs(np.arange(len(self.lines))), strict=True))

    @classmethod
    def from_tree(cls, tree: Mapping[str, Any] | Sequence[Any], **costs: Any) -> Hierarchy:
        """Return the hierarchy of a nested tree: ``{"Europe": ["AT", "DE"], "Asia": {"East": ["JP"]}}``.

        The root need not be named (``{"*": {...}}`` is the same). A branch that is less deep than others shows its
        leaf unchanged on the levels it lacks.

        Parameters
        ----------
        tree : mapping or sequence
        **costs
            `level_costs` or `node_costs`.

        Raises
        ------
        PolicyError
            If the tree holds something else than mappings and lists, or an empty branch; as the class.
        """
        if isinstance(tree, Mapping) and list(tree) == [STAR]:
            tree = tree[STAR]
        if not isinstance(tree, (Mapping, list, tuple)):
            raise PolicyError("a tree must be made of mappings (label to branch) and lists of values")
        return cls(lines=tuple(even([path[::-1] for path in _paths(tree, ())])), **costs)

    @classmethod
    def from_parents(cls, parents: Mapping[str, str], **costs: Any) -> Hierarchy:
        """Return the hierarchy that maps every value and label to the one above it (``*`` or nothing on top).

        Parameters
        ----------
        parents : mapping of str to str
        **costs
            `level_costs` or `node_costs`.

        Raises
        ------
        PolicyError
            If following the parents runs in a circle; as the class.
        """
        above = {str(child): str(parent) for child, parent in parents.items() if str(child) != STAR}
        if not above:
            raise PolicyError("the mapping of parents is empty: it needs an entry for every value")
        try:
            graphlib.TopologicalSorter({child: [parent] for child, parent in above.items()}).prepare()
        except graphlib.CycleError as error:
            circling = count_of(len(error.args[1]) - 1, "value")
            raise PolicyError(
                f"the parents of {circling} run in a circle: every value must lead up to the root"
            ) from None
        paths = []
        inner = set(above.values())
        for leaf in (node for node in above if node not in inner):
            path = [leaf]
            while above.get(path[-1], STAR) != STAR:
                path.append(above[path[-1]])
            paths.append(path)
        return cls(lines=tuple(even(paths)), **costs)

    @staticmethod
    def intervals(widths: Sequence[Any], *, start: Any = 0, top: Any = None) -> Intervals:
        """Return what makes intervals of a column's numbers, once the table is read.

        Parameters
        ----------
        widths : sequence of numbers
            Growing by whole factors, one level each.
        start, top : number
            Where intervals begin; from where on all numbers share one label (default: nowhere).

        Raises
        ------
        PolicyError
            If the widths do not nest.
        """
        return Intervals(widths, start, top)

    @staticmethod
    def dates(units: Sequence[str] = ("month", "quarter", "year", "decade")) -> Dates:
        """Return what makes calendar levels of a column's ISO dates, once the table is read.

        Parameters
        ----------
        units : sequence of str
            Growing, out of day, month, quarter, year, decade, century.

        Raises
        ------
        PolicyError
            If a unit is unknown, or they do not grow.
        """
        return Dates(units)

    @staticmethod
    def prefix(lengths: Sequence[int] = ()) -> Prefix:
        """Return what cuts a column's codes from the right, once the table is read.

        Parameters
        ----------
        lengths : sequence of int
            Characters kept at level 1, 2, ..., falling (default: one less at every level).

        Raises
        ------
        PolicyError
            If they do not fall.
        """
        return Prefix(lengths)

    @property
    def height(self) -> int:
        """The top level h, the star's."""
        return len(self.lines[0])

    @cached_property
    def nodes(self) -> NDArray[np.int32]:
        """Number of the node that shows each leaf at each level, shape (h + 1, L); equal numbers, equal nodes."""
        size = len(self.lines)
        out = np.zeros((self.height + 1, size), np.int32)
        out[0] = np.arange(size)
        for level in range(1, self.height):
            numbers: dict[str, int] = {}
            out[level] = [numbers.setdefault(line[level], len(numbers)) for line in self.lines]
        return out

    @cached_property
    def leaves_below(self) -> NDArray[np.int64]:
        """Leaves below the node that shows each leaf at each level, shape (h + 1, L)."""
        return np.stack([np.bincount(row)[row] for row in self.nodes]).astype(np.int64)

    def ups(self, lines: NDArray[np.int64]) -> NDArray[np.int32]:
        """Return the nodes of some values, shape (h + 1, d), as `incrowd.tables.values.Levels` wants them.

        Parameters
        ----------
        lines : (d,) integer
            Line of each value of a table's column, in the order of its codes.
        """
        shown = self.nodes[:, lines]
        out = np.empty(shown.shape, np.int32)
        for level, row in enumerate(shown):
            out[level] = np.unique(row, return_inverse=True)[1]
        out[0] = np.arange(len(lines))
        return out

    def costs(self, lines: NDArray[np.int64]) -> list[list[Fraction]]:
        """Return the cost of showing some values at each level, in the user's units.

        Parameters
        ----------
        lines : (d,) int64
            Numbers of their leaves.

        Returns
        -------
        list of list of Fraction
            Shape (h + 1, d).
        """
        return [[self.cost(level, int(line)) for line in lines] for level in range(self.height + 1)]

    def cost(self, level: int, line: int) -> Fraction:
        """Return the cost of showing a value at a level, in the user's units.

        Parameters
        ----------
        level : int
            From 0 to h.
        line : int
            Number of its leaf.

        Returns
        -------
        Fraction
        """
        if level == 0:
            return _NOTHING
        if self.level_costs is not None:
            return self.level_costs[level - 1]
        if self._by_label:
            known = self._by_label.get("*" if level == self.height else self.lines[line][level])
            if known is not None:
                return known
        return self._default[int(self.leaves_below[level, line])] if level < self.height else _ONE

    @cached_property
    def _by_label(self) -> dict[str, Fraction]:
        return dict(self.node_costs or ())

    @cached_property
    def _default(self) -> dict[int, Fraction]:
        """Default cost by number of leaves: one object a number, so that few need exact operations."""
        size = max(len(self.lines) - 1, 1)
        return {int(n): Fraction(int(n) - 1, size) for n in np.unique(self.leaves_below)}

    def completed(self, values: Sequence[str]) -> Hierarchy:
        """Return the hierarchy with more values, each a child of the root: shown as it is up to the star.

        Parameters
        ----------
        values : sequence of str
            Values that have no line yet.
        """
        more = tuple((value,) * self.height for value in values)
        return dataclasses.replace(self, lines=self.lines + more)

    def to_csv(self, path: Any, *, delimiter: str = ";") -> None:
        """Write the hierarchy as ARX's CSV, whole or not at all.

        Parameters
        ----------
        path : path
        delimiter : str
            One character.
        """
        from pathlib import Path

        from incrowd.atomic_file import write_whole

        write_whole(Path(path), csv_of(self.lines, delimiter=delimiter))


_NOTHING, _ONE = Fraction(0), Fraction(1)


# What makes lines a hierarchy; every fault is counted, none is quoted.
STAR = "*"


def checked_lines(lines: Any) -> Lines:
    """Return lines as tuples without a last column of stars, or refuse them with every fault at once.

    Cells are made texts, and None an empty one. Raises PolicyError that names the faults with their counts, never a
    value.
    """
    if not _listed(lines) or not all(map(_listed, lines)):
        raise PolicyError(
            "the lines of a hierarchy must be a list of lists: the value, then its labels, level by level"
        )
    given = tuple(tuple("" if cell is None else str(cell) for cell in line) for line in lines)
    if not given:
        raise PolicyError("the hierarchy has no lines: it needs one for every value")
    if not all(given):
        raise PolicyError("a line of the hierarchy is empty: it needs the value and, level by level, its labels")
    width = Counter(len(line) for line in given).most_common(1)[0][0]
    ragged = sum(len(line) != width for line in given)
    if ragged:
        raise PolicyError(
            f"{_are(ragged, 'line')} not as long as the others ({width} entries): every line needs the same number"
        )
    if width > 1 and all(line[-1] == STAR for line in given):
        given = tuple(line[:-1] for line in given)
    width = len(given[0])
    if width > MOST_LEVELS:
        raise PolicyError(f"the hierarchy has {width} levels, more than the {MOST_LEVELS} that are allowed")
    faults = [*_doubled(given), *_parting(given), *_ambiguous(given)]
    if faults:
        raise PolicyError("; ".join(faults))
    return given


def _listed(value: Any) -> bool:
    """Return whether a value holds others one after the other: a text does not, nor a mapping."""
    return isinstance(value, Iterable) and not isinstance(value, str | bytes | Mapping)


def _are(count: int, what: str) -> str:
    return f"1 {what} is" if count == 1 else f"{count} {what}s are"


def _doubled(lines: Lines) -> Iterable[str]:
    doubled = sum(times > 1 for times in Counter(line[0] for line in lines).values())
    if doubled:
        yield f"{_are(doubled, 'value')} given in more than one line: leave one line each"


def _parting(lines: Lines) -> Iterable[str]:
    """Labels that agree at one level and differ at a higher one."""
    for level in range(1, len(lines[0]) - 1):
        above: dict[str, set[str]] = {}
        for line in lines:
            above.setdefault(line[level], set()).add(line[level + 1])
        parted = sum(len(labels) > 1 for labels in above.values())
        if parted:
            yield (
                f"{_are(parted, 'label')} equal at level {level} but different at level {level + 1}, so the lines are "
                "no tree: equal entries must stay equal"
            )


def _ambiguous(lines: Lines) -> Iterable[str]:
    """Labels that stand for different sets of leaves at different levels, the star among them."""
    leaves: dict[str, frozenset[int] | int] = {}
    ambiguous = set()
    starred = 0
    for level in range(len(lines[0])):
        below: dict[str, list[int]] = {}
        for i, line in enumerate(lines):
            below.setdefault(line[level], []).append(i)
        for label, members in below.items():
            if label == STAR:
                starred += 1
            named = members[0] if len(members) == 1 else frozenset(members)
            if leaves.setdefault(label, named) != named:
                ambiguous.add(label)
    if starred:
        yield "the star * stands below the top in some lines: only the last entry of a line may be a star, in all lines"
    if ambiguous - {STAR}:
        count = len(ambiguous - {STAR})
        yield (
            "1 label names two different sets of values: give it two names"
            if count == 1
            else f"{count} labels name two different sets of values each: give them different names"
        )


def costs_by_level(given: Any) -> tuple[Fraction, ...]:
    """Return costs of levels as exact numbers; PolicyError if they are no list of numbers."""
    if isinstance(given, (str, Mapping)) or not isinstance(given, Sequence):
        raise PolicyError(
            "level_costs must be a list of numbers, one for each level from 1 to the star's, "
            f"not {an(type(given).__name__)}"
        )
    return tuple(as_fraction(cost, f"cost of level {level}") for level, cost in enumerate(given, 1))


def costs_by_node(given: Any) -> tuple[tuple[str, Fraction], ...]:
    """Return costs by label as pairs with exact numbers; PolicyError if they are no mapping of labels to numbers."""
    try:
        pairs = [(label, cost) for label, cost in (given.items() if isinstance(given, Mapping) else given)]
    except (TypeError, ValueError):
        raise PolicyError("node_costs must be a mapping of labels to numbers") from None
    return tuple({str(label): as_fraction(cost, "a node's cost") for label, cost in pairs}.items())


def never_falling(costs: Iterable[Sequence[Fraction]]) -> None:
    """Refuse costs that fall towards the root, or are negative.

    Each sequence has a cost per level, from the value up. Raises PolicyError if a cost is lower than the one before it.
    """
    if any(a > b for line in costs for a, b in itertools.pairwise(line)):
        raise PolicyError(
            "costs fall towards the root (or are below 0): a coarser label must cost at least as much as a finer one"
        )


# Trees given in Python, as lines.
def _paths(branch: Any, above: tuple[str, ...]) -> Iterator[tuple[str, ...]]:
    if isinstance(branch, Mapping):
        parts = [((*above, str(label)), below) for label, below in branch.items()]
    elif isinstance(branch, (list, tuple)):
        parts = [(above, below) for below in branch]
    elif branch is None or isinstance(branch, (str, int, float)):
        yield (*above, "" if branch is None else str(branch))
        return
    else:
        raise PolicyError("a tree must be made of mappings (label to branch) and lists of values")
    if not parts:
        raise PolicyError("a branch of the tree is empty: every label needs values below it")
    for path, below in parts:
        yield from _paths(below, path)


def even(paths: Sequence[Sequence[str]]) -> list[tuple[str, ...]]:
    """Return paths from leaf to just below the root, the shorter ones showing their leaf for longer."""
    longest = max(map(len, paths), default=0)
    return [(path[0],) * (longest - len(path)) + tuple(path) for path in paths]


# The lines of a hierarchy as text, as ARX writes them: CSV without a header, one line a value, the star last.
def csv_of(lines: Iterable[Sequence[str]], *, delimiter: str = ";") -> str:
    """Return the lines of a hierarchy (a value, then its labels) as CSV, with the column of stars.

    `delimiter` is one character.
    """
    out = io.StringIO()
    csv.writer(out, delimiter=delimiter, lineterminator="\n").writerows((*line, STAR) for line in lines)
    return out.getvalue()
