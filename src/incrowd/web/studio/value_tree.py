"""A tree of a column's values, as somebody groups them: every change makes a new tree."""

from __future__ import annotations

import itertools
import secrets
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, PolicyError
from incrowd.tables.hierarchy import Hierarchy

if TYPE_CHECKING:
    from collections.abc import Collection, Iterable, Mapping, Sequence

__all__ = ["MOST_LEAVES", "Group", "ValueTree"]

MOST_LEAVES = 500
MOST_NAME = 200
Path = tuple[str, ...]  # names of groups, the outermost first


@dataclass(frozen=True, slots=True)
class Group:
    """A group as a page shows it.

    Attributes
    ----------
    path : tuple of str
        Names of groups from the outermost to this one; empty: all values.
    groups : tuple of Group
    values : tuple of str
        Those that stand in it and in no group of it.
    size : int
        Values below it.
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

    Attributes
    ----------
    paths : mapping of str to tuple of str
        By value, the names of its groups, the outermost first.
    stamp : str
        Another one for every tree, so that a form says which it was made from.
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
        """Return the tree with another name for a group.

        Raise `InputError` if the name is none or is there already.
        """
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
        """Return the tree as a hierarchy.

        Raise `PolicyError` if it is none.
        """
        return Hierarchy.from_tree(self.plain())

    def plain(self) -> list[Any]:
        """Return the tree as `incrowd.Hierarchy.from_tree` takes it.

        Raise `PolicyError` if there are no values.
        """
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
