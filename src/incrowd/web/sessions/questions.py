"""What is asked about the columns of an open table: answered from values that are counted once, and kept."""

from __future__ import annotations

import itertools
import secrets
import threading
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, PolicyError
from incrowd.policy.questions import star_of
from incrowd.tables.engine.open import open_engine
from incrowd.tables.hierarchy import Hierarchy
from incrowd.tables.read import label_of, open_source
from incrowd.tables.read.hierarchies import counted_values, fit_counted, fit_hierarchies
from incrowd.tables.read.table import MOST_VALUES

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Mapping, Sequence

    import pyarrow as pa

    from incrowd.policy.job import Job
    from incrowd.progress import Watch
    from incrowd.tables.hierarchy import Fitted, Spec
    from incrowd.web.sessions.work import Work

MOST_KEPT = 500
PATIENCE = 120.0  # seconds for values to be counted, where somebody asks what they are


class Questions:
    """What is asked about the columns of one table.

    `begin` begins a piece of work in place of the one before: it gets what is done in words, and what does it.
    """

    def __init__(self, begin: Callable[[str, Callable[..., Any]], Work]) -> None:
        self._begin = begin
        self._under: Any = None
        self._counting: Work | None = None
        self._kept: dict[tuple[Any, ...], Any] = {}
        self._lock = threading.Lock()

    def counting(self, job: Job) -> Work:
        """Return the count of the columns' values as a job reads its table, begun if it has to be."""
        with self._lock:
            found = self._counting
            if found is None or found.state == "failed" or found.stopping or self._under != job.policy.reading:
                self._under = job.policy.reading
                found = self._begin("Counting the values of every column", lambda watch: count_values(job, watch))
                self._counting = found
            return found

    def values(self, job: Job) -> ColumnValues:
        """Return the values of the columns, once they are counted.

        Raise `InputError` if the table cannot be read, or it takes too long.
        """
        work = self.counting(job)
        if not work.wait(PATIENCE):
            raise InputError("the values of the columns are still being counted; ask again in a moment")
        if work.state == "failed":
            raise InputError(work.why)
        found: ColumnValues = work.result
        return found

    def levels(self, job: Job, column: str, spec: Spec | None, some: int) -> list[Level]:
        """Return what the levels of a hierarchy show, as `levels` does.

        Raise `PolicyError` or `InputError` as that does.
        """
        policy = job.policy
        asked = (column, repr(spec), some, policy.reading, policy.complete_hierarchies, policy.star)
        found: list[Level] = self._once(asked, lambda: levels(job, self.values(job), column, spec, some))
        return found

    def allowed_patterns(self, job: Job) -> int:
        """Return how many patterns the mask of a job allows.

        Raise `PolicyError` or `InputError` if hierarchies or mask do not fit the table.
        """
        policy = job.policy
        asked = (
            policy.quasi_identifiers, repr(policy.hierarchies), repr(policy.mask), policy.reading,
            policy.complete_hierarchies, policy.star,
        )  # fmt: skip
        found: int = self._once(asked, lambda: allowed_patterns(job, self.values(job)))
        return found

    def _once(self, asked: tuple[Any, ...], find: Callable[[], Any]) -> Any:
        if asked not in self._kept:
            found = find()
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            self._kept[asked] = found
        return self._kept[asked]


# A tree of a column's values, as somebody groups them: every change makes a new tree.
MOST_LEAVES = 500
MOST_NAME = 200
Path = tuple[str, ...]  # names of groups, the outermost first


@dataclass(frozen=True, slots=True)
class Group:
    """A group as a page shows it.

    `path`: names of groups from the outermost to this one; empty: all values. `values`: those that stand in it and in
    no group of it. `size`: values below it.
    """

    path: Path
    groups: tuple[Group, ...]
    values: tuple[str, ...]
    size: int

    @property
    def name(self) -> str:
        """What it is called."""
        return self.path[-1] if self.path else ""


@dataclass(frozen=True, slots=True)
class ValueTree:
    """Values, each with the groups that it stands in.

    `paths`: by value, the names of its groups, the outermost first. `stamp`: another one for every tree, so that a form
    says which it was made from.
    """

    paths: Mapping[str, Path]
    stamp: str = field(default_factory=lambda: secrets.token_hex(8), compare=False)

    @classmethod
    def of(cls, values: Sequence[str], lines: Iterable[Sequence[str]] = ()) -> ValueTree:
        """Return the tree of some values, grouped as the lines of a hierarchy say.

        A line is the value, then its label at level 1, 2, ...; a value without a line stands in no group. Raise
        `InputError` if there are too many values to be grouped by hand.
        """
        if len(values) > MOST_LEAVES:
            raise InputError(
                f"the column has {len(values):,} values, more than the {MOST_LEAVES} that can be grouped here; take "
                "first characters or bands, or send a file"
            )
        known = {line[0]: _path(line) for line in lines}
        return cls({value: known.get(value, ()) for value in values})

    def groups(self) -> list[Path]:
        """Return every group, in the order in which a page shows them."""

        def below(group: Group) -> list[Path]:
            return [path for one in group.groups for path in (one.path, *below(one))]

        return below(self.root())

    def root(self) -> Group:
        """Return all values as a group, with the groups in it."""
        return self._group(())

    def _group(self, path: Path) -> Group:
        depth = len(path)
        inside = [(value, its) for value, its in self.paths.items() if its[:depth] == path]
        names = sorted({its[depth] for _, its in inside if len(its) > depth})
        loose = tuple(value for value, its in inside if len(its) == depth)
        return Group(path, tuple(self._group((*path, name)) for name in names), loose, len(inside))

    # --- changes

    def grouped(self, values: Collection[str], groups: Collection[Path], name: str) -> ValueTree:
        """Return the tree with some values and groups under a new name, where all of them stood together.

        Raise `InputError` if nothing is chosen, or the name is none or is there already.
        """
        groups = _outermost(groups)
        above = _common([*(self.paths[value] for value in values), *(path[:-1] for path in groups)])
        if above is None:
            raise InputError("nothing is chosen; choose values or groups first")
        return self._moved(values, groups, (*above, self._new(name)))

    def moved(self, values: Collection[str], groups: Collection[Path], into: Path) -> ValueTree:
        """Return the tree with some values and groups in another group.

        An empty `into` takes them out of all groups. Raise `InputError` if nothing is chosen, or a group would stand in
        itself.
        """
        groups = _outermost(groups)
        if not values and not groups:
            raise InputError("nothing is chosen; choose values or groups first")
        if any(into[: len(path)] == path for path in groups):
            raise InputError("a group cannot stand in itself; choose another place for it")
        return self._moved(values, groups, into)

    def renamed(self, group: Path, name: str) -> ValueTree:
        """Return the tree with another name for a group. Raise `InputError` if the name is none or is there already."""
        depth = len(group)
        new = (*group[:-1], self._new(name))
        return ValueTree(
            {value: new + its[depth:] if its[:depth] == group else its for value, its in self.paths.items()}
        )

    def removed(self, groups: Collection[Path]) -> ValueTree:
        """Return the tree without some groups; what stood in one stands where it stood.

        Raise `InputError` if none is chosen.
        """
        if not groups:
            raise InputError("no group is chosen; choose the groups to remove first")
        gone = set(groups)
        return ValueTree(
            {
                value: tuple(name for place, name in enumerate(its) if its[: place + 1] not in gone)
                for value, its in self.paths.items()
            }
        )

    def _moved(self, values: Collection[str], groups: Collection[Path], into: Path) -> ValueTree:
        made = {}
        for value, its in self.paths.items():
            own = next((path for path in groups if its[: len(path)] == path), None)
            if own is not None:
                made[value] = into + its[len(own) - 1 :]
            else:
                made[value] = into if value in values else its
        return ValueTree(made)

    def _new(self, name: str) -> str:
        name = " ".join(name.split())
        if not name or name == "*" or len(name) > MOST_NAME:
            raise InputError("a group needs a name: some words, and not the star")
        if name in self.paths or any(name in its for its in self.paths.values()):
            raise InputError("a value or a group has this name already; give the group another one")
        return name

    # --- what it is elsewhere

    def hierarchy(self) -> Hierarchy:
        """Return the tree as a hierarchy. Raise `PolicyError` if it is none."""
        return Hierarchy.from_tree(self.plain())

    def plain(self) -> list[Any]:
        """Return the tree as `incrowd.Hierarchy.from_tree` takes it. Raise `PolicyError` if there are no values."""
        if not self.paths:
            raise PolicyError("the column has no values to be grouped")
        return _plain(self.root())


def _plain(group: Group) -> list[Any]:
    return [*({one.name: _plain(one)} for one in group.groups), *group.values]


def _path(line: Sequence[str]) -> Path:
    """Return the groups of a hierarchy's line; a value that is shown for longer, or a label that stays, is no group."""
    found: list[str] = []
    for below, label in itertools.pairwise(line):
        if label != below:
            found.append(label)
    return tuple(reversed(found))


def _outermost(groups: Collection[Path]) -> list[Path]:
    """Return the groups that stand in no other of them."""
    return [path for path in groups if not any(path[:depth] in groups for depth in range(1, len(path)))]


def _common(paths: Sequence[Path]) -> Path | None:
    """Return the group that all stand in; None of none."""
    if not paths:
        return None
    first = min(paths, key=len)
    depth = next((i for i, name in enumerate(first) if any(path[i] != name for path in paths)), len(first))
    return first[:depth]


# The values of columns, counted once over the table: what levels show is then asked without reading it again.
@dataclass(frozen=True, slots=True)
class ColumnValues:
    """What was counted of a table under one way of reading it.

    `names`: the table's columns. `counted`: values and rows of the columns with at most 200,000 values.
    """

    names: tuple[str, ...]
    counted: Mapping[str, pa.Table]

    def texts(self, column: str) -> list[str]:
        """Return the values of a column, sorted, without the missing one; none where they are too many."""
        if column not in self.counted:
            return []
        return sorted(value for value in self.counted[column].column("v").to_pylist() if value is not None)


def count_values(job: Job, watch: Watch | None = None) -> ColumnValues:
    """Count the values of every column of the table that is a job's source.

    A wish to stop leaves the columns out that were not counted by then. One GROUP BY a column; memory grows with the
    distinct values of columns that have at most 200,000. Raise `InputError` if the table cannot be read.
    """
    found = {}
    with open_engine(job.engine, job.memory, job.source) as engine:
        opened = open_source(engine, job.source, job.policy.reading)
        for name in opened.names:
            if watch is not None and watch.interrupted:
                break
            counted = counted_values(engine, opened, name, MOST_VALUES)
            if counted is not None:
                found[name] = counted
    return ColumnValues(opened.names, found)


def fit(job: Job, values: ColumnValues, specs: Sequence[tuple[str, Spec]]) -> dict[str, Fitted]:
    """Return the hierarchy of every column that has one, with a line for each of its values.

    `specs` are pairs of a column and its hierarchy; a column that the table does not have is left out. The table is
    read only where a column has more values than are counted. Raise `PolicyError` or `InputError` if a hierarchy does
    not fit its column.
    """
    policy = job.policy
    named = [one for one in specs if one[0] in values.names]
    complete, star, encoding = policy.complete_hierarchies, star_of(policy), policy.reading.encoding
    if all(name in values.counted for name, _ in named):
        with open_engine(job.engine, job.memory) as engine:
            return fit_counted(
                engine, label_of(job.source), values.counted, named, complete=complete, star=star, encoding=encoding
            )
    with open_engine(job.engine, job.memory, job.source) as engine:
        opened = open_source(engine, job.source, policy.reading)
        return fit_hierarchies(engine, opened, named, complete=complete, star=star, encoding=encoding)


# What the levels of a column's hierarchy show, and how many levels columns have.
@dataclass(frozen=True, slots=True)
class Level:
    """One level of a column's hierarchy.

    `number`: 0: the values as they are. `labels`: different labels. `some`: some of them, evenly spread; empty where
    none were asked for.
    """

    number: int
    labels: int
    some: tuple[str, ...]


def levels(job: Job, values: ColumnValues, column: str, spec: Spec | None, some: int = 0) -> list[Level]:
    """Return what every level below the star shows of a column's values.

    `values` are of the job's source, as the job reads that. A `spec` of None stands for the values, and the star alone.
    `some` is how many labels of each level are wanted. Raise `PolicyError` or `InputError` if the hierarchy does not
    fit the column.
    """
    if column not in values.names:
        raise PolicyError(f"the table has no column {column!r}; reload the page")
    if spec is None:
        texts = values.texts(column)
        return [Level(0, len(texts), _spread(texts, some))] if column in values.counted else []
    return levels_of(fit(job, values, [(column, spec)])[column].shown(), some)


def levels_of(lines: Sequence[Sequence[str | None]], some: int) -> list[Level]:
    """Return what every level below the star shows.

    `lines` are those of a hierarchy, all equally long: value, label at level 1, 2, ... `some` is how many labels of
    each level are wanted.
    """
    found = []
    for number in range(len(lines[0]) if lines else 0):
        labels = list(dict.fromkeys("(empty)" if line[number] is None else str(line[number]) for line in lines))
        found.append(Level(number, len(labels), _spread(labels, some)))
    return found


def _spread(values: list[str], some: int) -> tuple[str, ...]:
    every = max(1, -(-len(values) // some)) if some else 1
    return tuple(values[::every][:some])


def allowed_patterns(job: Job, values: ColumnValues) -> int:
    """Return how many level vectors the mask of a job allows over its quasi-identifiers.

    `values` are of the job's source, as the job reads that. Raise `PolicyError` or `InputError` if hierarchies or mask
    do not fit the table.
    """
    policy = job.policy
    names = policy.quasi_identifiers
    fitted = fit(job, values, policy.hierarchies)
    heights = [fitted[name].height if name in fitted else 1 for name in names]
    return policy.mask.compile(names, heights).count()
