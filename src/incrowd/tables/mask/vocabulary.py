"""The words of a mask in one table: what each accepts, which columns it names, what it says and how it is read.

A new word is one line of `WORDS`, one field of `incrowd.tables.mask.words.Mask`, and its own plain reading in
`incrowd.tables.verify.mask`. Values come in two forms: frozen as a `Mask` holds them (made by `settle`), and as TOML
holds them (made by `plain`), which everything else here reads.
"""

from __future__ import annotations

import operator
from collections.abc import Iterable, Mapping, Set
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from incrowd.errors import PolicyError, and_

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence


# One rule of a mask as a small machine that reads the level vector column by column.
#
# Columns are counted in the automaton's order. A machine starts in state 0, is shown the columns it `touches` only,
# answers DEAD once the rule is broken for good, and goes back to state 0 behind its last column, so that nothing that
# no longer matters tells two states of the automaton apart. `touches` are the places of those columns.
DEAD = -1


class Stars:
    """At most `limit` columns at their top; the state counts them.

    `limit` is from 0, and `tops` has the top level of the column at every place.
    """

    def __init__(self, limit: int, tops: Sequence[int]) -> None:
        self.limit = limit
        self.tops = tops
        self.touches = frozenset(at for at, top in enumerate(tops) if top > 0)
        self.last = max(self.touches, default=-1)

    def step(self, state: int, at: int, level: int) -> int:
        """Count a star."""
        stars = state + (level == self.tops[at])
        if stars > self.limit:
            return DEAD
        return 0 if at == self.last else stars


class Bounds:
    """No column above its limit; it needs no memory. `limits` has the highest level of the column at a place."""

    def __init__(self, limits: Mapping[int, int]) -> None:
        self.limits = limits
        self.touches = frozenset(limits)

    def step(self, state: int, at: int, level: int) -> int:
        """Compare one level with its limit."""
        return DEAD if level > self.limits[at] else 0


class Group:
    """A rule on which columns of a group change.

    `moves` has by state, 0 at first, the states after a column that stays and one that changes; a group that ends in
    state 0 breaks the rule.
    """

    def __init__(self, group: Sequence[int], moves: Sequence[tuple[int, int]]) -> None:
        self.moves = moves
        self.touches = frozenset(group)
        self.last = max(group)

    def step(self, state: int, at: int, level: int) -> int:
        """Look at one more column of the group."""
        after = self.moves[state][level > 0]
        if at == self.last:
            return 0 if after > 0 else DEAD
        return after


TOGETHER = ((1, 2), (1, DEAD), (DEAD, 2))  # 1: none has changed, 2: all have
AT_MOST_ONE = ((1, 2), (1, 2), (2, DEAD))  # 1: none has changed, 2: one has
NEVER_TOGETHER = ((1, 0), (1, 1))  # 0: all have changed, 1: one has not


class Listed:
    """The vector is one of a list; the state numbers the set of those that agree so far.

    States form a trie of the list, at most one per listed vector and column. There is at least one vector, with its
    columns in the order in which they are read.
    """

    def __init__(self, vectors: Sequence[Sequence[int]]) -> None:
        self.vectors = vectors
        self.touches = frozenset(range(len(vectors[0])))
        self.last = len(vectors[0]) - 1
        self.members: list[tuple[int, ...]] = [tuple(range(len(vectors)))]
        self.number: dict[tuple[int, ...], int] = {self.members[0]: 0}
        self.steps: dict[tuple[int, int], dict[int, int]] = {}

    def step(self, state: int, at: int, level: int) -> int:
        """Keep those vectors that have this level here."""
        split = self.steps.get((state, at))
        if split is None:
            split = self.steps[state, at] = self._split(state, at)
        return split.get(level, DEAD)

    def _split(self, state: int, at: int) -> dict[int, int]:
        by_level: dict[int, list[int]] = {}
        for i in self.members[state]:
            by_level.setdefault(self.vectors[i][at], []).append(i)
        if at == self.last:
            return dict.fromkeys(by_level, 0)
        for alive in map(tuple, by_level.values()):
            if alive not in self.number:
                self.number[alive] = len(self.members)
                self.members.append(alive)
        return {level: self.number[tuple(alive)] for level, alive in by_level.items()}


Rule = Stars | Bounds | Group | Listed


# Checks of what a user writes in a mask: each function returns it in one frozen form, or refuses it.
def whole(line: str, value: Any) -> int:
    """Return a value as an integer of at least 0.

    `line` is the line of the policy, for the message. Raises PolicyError if the value is none; True and 2.0 are none
    either.
    """
    try:
        number = operator.index(value)
    except TypeError:
        number = -1
    if isinstance(value, bool) or number < 0:
        raise PolicyError(f"{line} must be a whole number of at least 0, not {value!r}")
    return number


def _items(line: str, value: Any, what: str) -> list[Any]:
    # A set has no order of its own: messages and files would differ from run to run.
    if isinstance(value, str | bytes | Mapping | Set) or not isinstance(value, Iterable):
        raise PolicyError(f"{line} must be a list of {what}, not {value!r}")
    return list(value)


def names(line: str, value: Any) -> tuple[str, ...]:
    """Return a list of different column names; one name alone is a list of one.

    `line` is the line of the policy, for the message. Raises PolicyError if the value is no list of names, a name is
    empty, or one stands there twice.
    """
    columns = [value] if isinstance(value, str) else _items(line, value, "column names")
    for column in columns:
        if not isinstance(column, str) or not column:
            raise PolicyError(f"{line} must be a list of column names, but one entry is {column!r}")
    doubled = next((column for i, column in enumerate(columns) if column in columns[:i]), None)
    if doubled is not None:
        raise PolicyError(f"{line} names column {doubled!r} twice; name each column once")
    return tuple(str(column) for column in columns)


def _lists(line: str, value: Any, what: str, one: str) -> list[Any]:
    """Return a list of lists; `one` of them alone, a list of names, is a list of one."""
    items = _items(line, value, what)
    if items and all(isinstance(item, str) for item in items):
        return [items]
    if any(isinstance(item, str) for item in items):
        raise PolicyError(f"{line} mixes column names and {one}s: {value!r}; write one list per {one}")
    return items


def groups(line: str, value: Any, alone: str) -> tuple[tuple[str, ...], ...]:
    """Return a list of groups of at least two columns; one group alone is a list of one.

    `line` is the line of the policy, for the message. `alone` is a clause that says what the rule would mean for a
    group of one column, which is refused. Raises PolicyError if the value is no such list.
    """
    items = _lists(line, value, "groups, each a list of column names", "group")
    parsed = tuple(names(line, item) for item in items)
    for group in parsed:
        if len(group) < 2:
            raise PolicyError(f"{line} needs groups of at least 2 columns, not {list(group)!r}: {alone}")
    return parsed


def level_pairs(line: str, value: Any) -> tuple[tuple[str, int], ...]:
    """Return a mapping of columns to levels as pairs in the order given.

    `value` is a mapping, or a list of pairs, and `line` the line of the policy, for the message. Raises PolicyError if
    it is neither, a column is named twice, or a level is no whole number of at least 0.
    """
    pairs = list(value.items()) if isinstance(value, Mapping) else None
    if pairs is None:
        items = _items(line, value, "levels by column, such as {age = 2}")
        if not all(isinstance(item, tuple | list) and len(item) == 2 for item in items):
            raise PolicyError(f"{line} must give a level by column, such as {{age = 2}}, not {value!r}")
        pairs = [(item[0], item[1]) for item in items]
    columns = names(line, [column for column, _ in pairs])
    return tuple((column, whole(f"{line}.{column}", level)) for column, (_, level) in zip(columns, pairs, strict=True))


def _pattern(line: str, value: Any) -> tuple[Any, ...]:
    if not isinstance(value, Mapping):
        items = _items(line, value, "column names, or a mapping of columns to levels")
        if not any(isinstance(item, tuple | list) for item in items):
            return names(line, items)
        value = items
    # Level 0 is what every unnamed column has: leaving it out gives each pattern one form.
    return tuple((column, level) for column, level in level_pairs(line, value) if level > 0)


def pattern_list(line: str, value: Any) -> tuple[tuple[Any, ...], ...]:
    """Return listed patterns: each a tuple of starred columns or of (column, level) pairs.

    `value` is a list of patterns, or one pattern alone, and `line` the line of the policy, for the message. Raises
    PolicyError if it is no such list, or an empty one.
    """
    if isinstance(value, Mapping):
        value = [value]
    what = "patterns, each a list of starred columns or a mapping of columns to levels"
    items = _lists(line, value, what, "pattern")
    if not items:
        raise PolicyError(f"{line} lists no pattern, but needs at least 1; [[]] lists the one that changes nothing")
    return tuple(_pattern(line, item) for item in items)


# What each word of a mask says, as sentences that a newcomer understands.
SHOWN_PATTERNS = 5


def stars(most: int) -> list[str]:
    """Say in one phrase how many stars a row may have; `most` is from 0."""
    many = "star" if most == 1 else "stars"
    return [f"at most {most} {many}" if most else "no stars"]


def unchanged(columns: Sequence[str]) -> list[str]:
    """Say in one phrase which columns, at least one, never change."""
    return [f"{and_(columns)} {'is' if len(columns) == 1 else 'are'} never changed"]


def change_together(groups: Sequence[Sequence[str]]) -> list[str]:
    """Say which columns change all or none, in a phrase a group."""
    return [f"{and_(group)} change together or not at all" for group in groups]


def at_most_one_changes(groups: Sequence[Sequence[str]]) -> list[str]:
    """Say of which columns at most one changes, in a phrase a group."""
    return [f"at most one of {', '.join(group)} changes" for group in groups]


def never_all_change(groups: Sequence[Sequence[str]]) -> list[str]:
    """Say which columns do not all change, in a phrase a group."""
    return [f"{and_(group)} never {'both change' if len(group) == 2 else 'all change'} in one row" for group in groups]


def no_higher(levels: Mapping[str, int]) -> list[str]:
    """Say how far columns may be coarsened, in a phrase a column.

    `levels` has the highest level of each column; at 0 it is never changed.
    """
    return [
        f"{column} is coarsened to level {level} at most" if level else f"{column} is never changed"
        for column, level in levels.items()
    ]


def only_listed(patterns: Sequence[Any]) -> list[str]:
    """Say in one phrase which patterns are allowed, the first few of them one by one.

    They are as `pattern_list` returns them.
    """
    told = [_explain_pattern(entry) for entry in patterns]
    shown = told[:SHOWN_PATTERNS]
    more = len(told) - len(shown)
    if more:
        shown.append(f"{more} more")
    return [f"only listed patterns ({len(told)}): {'; '.join(shown)}"]


def _explain_pattern(entry: Sequence[str] | Mapping[str, int]) -> str:
    if not entry:
        return "nothing changed"
    if isinstance(entry, dict):
        return and_([f"{column} at level {level}" for column, level in entry.items()])
    return f"{and_(list(entry))} starred"


def plain(value: Any) -> Any:
    """Return what a `Mask` holds of a word as TOML can hold it: pairs of columns and levels as a mapping."""
    if not isinstance(value, tuple):
        return value
    if value and all(isinstance(item, tuple) and item and isinstance(item[-1], int) for item in value):
        return dict(value)
    return [plain(item) for item in value]


def named(value: Any) -> Iterator[tuple[str, int | None]]:
    """Yield the columns that the plain value of a word names, each with a level or None, in the order written."""
    if isinstance(value, dict):
        yield from value.items()
    elif isinstance(value, list):
        for item in value:
            yield from [(item, None)] if isinstance(item, str) else named(item)


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """One word of a mask.

    `settle`: from the line of the policy and what the user wrote there to its frozen form; raises PolicyError.
    `sentences`: what it says. `machines`: from its value, the place of each column and the columns' tops, in the
    automaton's order, to its machines. `grouped`: whether its value is a list of groups whose columns are better read
    side by side.
    """

    settle: Callable[[str, Any], Any]
    sentences: Callable[[Any], list[str]]
    machines: Callable[[Any, Mapping[str, int], Sequence[int]], list[Rule]]
    grouped: bool = False


def _settled_switch(line: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise PolicyError(f"{line} must be true or false, not {value!r}")
    return value


def pattern_vectors(patterns: Sequence[Any], place: Mapping[str, int], tops: Sequence[int]) -> list[list[int]]:
    """Return the level vectors of listed patterns, in their order.

    A pattern is the starred columns, or a mapping of columns to levels. `place` has the number of each column, and
    `tops` the top level per column.
    """
    vectors = []
    for entry in patterns:
        vector = [0] * len(tops)
        for column in entry:
            vector[place[column]] = entry[column] if isinstance(entry, dict) else tops[place[column]]
        vectors.append(vector)
    return vectors


def _grouped(alone: str, sentences: Callable[[Any], list[str]], moves: Sequence[tuple[int, int]]) -> Word:
    """Return a word that takes groups of columns; `alone` says what a group of one column would mean."""
    return Word(
        settle=lambda line, value: groups(line, value, alone),
        sentences=sentences,
        machines=lambda groups, place, tops: [Group([place[column] for column in group], moves) for group in groups],
        grouped=True,
    )


OBVIOUS = "one column alone always obeys this rule; leave it out"
KEPT = "for one column alone write keep"

WORDS: dict[str, Word] = {
    "max_stars": Word(
        settle=lambda line, value: None if value is None else whole(line, value),
        sentences=stars,
        machines=lambda most, place, tops: [Stars(most, tops)] if most < sum(map(bool, tops)) else [],
    ),
    "keep": Word(
        settle=names,
        sentences=unchanged,
        machines=lambda columns, place, tops: [Bounds({place[column]: 0 for column in columns})],
    ),
    "together": _grouped(OBVIOUS, change_together, TOGETHER),
    "at_most_one": _grouped(OBVIOUS, at_most_one_changes, AT_MOST_ONE),
    "never_together": _grouped(KEPT, never_all_change, NEVER_TOGETHER),
    "max_level": Word(
        settle=level_pairs,
        sentences=no_higher,
        machines=lambda levels, place, tops: [Bounds({place[column]: level for column, level in levels.items()})],
    ),
    # the pattern of stars alone is judged by this word only: `description.verdicts` and the automaton ask it
    "full_suppression": Word(
        settle=_settled_switch,
        sentences=lambda value: [],
        machines=lambda value, place, tops: [],
    ),
    "patterns": Word(
        settle=lambda line, value: None if value is None else pattern_list(line, value),
        sentences=only_listed,
        machines=lambda patterns, place, tops: [Listed(pattern_vectors(patterns, place, tops))] if tops else [],
    ),
}
