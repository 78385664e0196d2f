"""The words of a mask in one table: what each accepts, which columns it names, what it says and how it is read.

A new word is one line of `WORDS`, one field of `incrowd.tables.mask.words.Mask`, and its own plain reading in
`incrowd.tables.verify.mask`. Values come in two forms: frozen as a `Mask` holds them (made by `settle`), and as TOML
holds them (made by `plain`), which everything else here reads.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from incrowd.errors import PolicyError
from incrowd.tables.mask import checks, explain
from incrowd.tables.mask.rules import AtMostOne, Bounds, Listed, NeverTogether, Rule, Stars, Together

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

__all__ = ["WORDS", "Mention", "Word", "pattern_vectors"]

Mention = tuple[str, int | None]


@dataclass(frozen=True, slots=True, kw_only=True)
class Word:
    """One word of a mask.

    Attributes
    ----------
    settle : callable
        From the line of the policy and what the user wrote there to its frozen form; raises PolicyError.
    plain : callable
        From the frozen form to what TOML can hold.
    mentions : callable
        The columns it names, each with a level or None, in the order written.
    sentences : callable
        What it says.
    machines : callable
        From its value, the place of each column and the columns' tops, in the automaton's order, to its machines.
    grouped : bool
        Whether its value is a list of groups whose columns are better read side by side.
    """

    settle: Callable[[str, Any], Any]
    plain: Callable[[Any], Any] = list
    mentions: Callable[[Any], Iterator[Mention]]
    sentences: Callable[[Any], list[str]]
    machines: Callable[[Any, Mapping[str, int], Sequence[int]], list[Rule]]
    grouped: bool = False


def _same(value: Any) -> Any:
    return value


def _lists(groups: Sequence[Sequence[str]]) -> list[list[str]]:
    return [list(group) for group in groups]


def _patterns(value: Sequence[Any]) -> list[Any]:
    return [list(entry) if all(isinstance(item, str) for item in entry) else dict(entry) for entry in value]


def _settled_switch(line: str, value: Any) -> bool:
    if not isinstance(value, bool):
        raise PolicyError(f"{line} must be true or false, not {value!r}")
    return value


def _of_columns(columns: Sequence[str]) -> Iterator[Mention]:
    return ((column, None) for column in columns)


def _of_groups(groups: Sequence[Sequence[str]]) -> Iterator[Mention]:
    return ((column, None) for group in groups for column in group)


def _of_patterns(patterns: Sequence[Any]) -> Iterator[Mention]:
    for entry in patterns:
        yield from entry.items() if isinstance(entry, dict) else _of_columns(entry)


def _star_machines(most: int, place: Mapping[str, int], tops: Sequence[int]) -> list[Rule]:
    return [Stars(most, tops)] if most < sum(top > 0 for top in tops) else []


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


def _listed_machines(patterns: Sequence[Any], place: Mapping[str, int], tops: Sequence[int]) -> list[Rule]:
    return [Listed(pattern_vectors(patterns, place, tops))] if tops else []


def _grouped(alone: str, sentences: Callable[[Any], list[str]], machine: Callable[[list[int]], Rule]) -> Word:
    """Return a word that takes groups of columns; `alone` says what a group of one column would mean."""
    return Word(
        settle=lambda line, value: checks.groups(line, value, alone),
        plain=_lists,
        mentions=_of_groups,
        sentences=sentences,
        machines=lambda groups, place, tops: [machine([place[column] for column in group]) for group in groups],
        grouped=True,
    )


OBVIOUS = "one column alone always obeys this rule; leave it out"
KEPT = "for one column alone write keep"

WORDS: dict[str, Word] = {
    "max_stars": Word(
        settle=lambda line, value: None if value is None else checks.whole(line, value),
        plain=_same,
        mentions=lambda value: iter(()),
        sentences=explain.stars,
        machines=_star_machines,
    ),
    "keep": Word(
        settle=checks.names,
        mentions=_of_columns,
        sentences=explain.unchanged,
        machines=lambda columns, place, tops: [Bounds({place[column]: 0 for column in columns})],
    ),
    "together": _grouped(OBVIOUS, explain.change_together, Together),
    "at_most_one": _grouped(OBVIOUS, explain.at_most_one_changes, AtMostOne),
    "never_together": _grouped(KEPT, explain.never_all_change, NeverTogether),
    "max_level": Word(
        settle=checks.level_pairs,
        plain=dict,
        mentions=lambda levels: iter(levels.items()),
        sentences=explain.no_higher,
        machines=lambda levels, place, tops: [Bounds({place[column]: level for column, level in levels.items()})],
    ),
    # the pattern of stars alone is judged by this word only: `description.verdicts` and the automaton ask it
    "full_suppression": Word(
        settle=_settled_switch,
        plain=_same,
        mentions=lambda value: iter(()),
        sentences=lambda value: [],
        machines=lambda value, place, tops: [],
    ),
    "patterns": Word(
        settle=lambda line, value: None if value is None else checks.pattern_list(line, value),
        plain=_patterns,
        mentions=_of_patterns,
        sentences=explain.only_listed,
        machines=_listed_machines,
    ),
}
