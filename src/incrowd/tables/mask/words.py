"""The words of a pattern mask: which cells of a row may change together."""

from __future__ import annotations

import dataclasses
from collections.abc import Container, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from incrowd.errors import PolicyError, did_you_mean
from incrowd.tables.mask import checks, explain
from incrowd.tables.mask.composed import AllOf, AnyOf, PatternMask

__all__ = ["Mask", "mask_from_dict"]

GROUP_RULES = ("together", "at_most_one", "never_together")


@dataclass(frozen=True, slots=True, kw_only=True)
class Mask(PatternMask):
    """Rules on the patterns of a release; a pattern is allowed when it obeys all of them.

    A pattern gives every quasi-identifier a level: 0 = shown as it is ... top = star, a fully suppressed
    cell. A cell is *changed* when its level is above 0. A column whose top is 0 can neither change nor be a
    star. Without rules every pattern is allowed. Masks combine: ``a | b`` allows what either allows, ``a &
    b`` what both allow.

    Parameters
    ----------
    max_stars : int, optional
        Most stars in a row, at least 0.
    keep : list of str
        Columns that never change.
    together : list of groups
        Each a list of at least two columns that change all or none. Levels may differ.
    at_most_one : list of groups
        Each a list of at least two columns of which at most one changes.
    never_together : list of groups
        Each a list of at least two columns that do not all change.
    max_level : mapping of str to int
        Highest level of a column, from 0 to its top. Held as a tuple of pairs.
    full_suppression : bool, default True
        Whether the pattern of stars alone is allowed. True allows it whatever the other rules say, so that
        a release always exists; False forbids it even where the other rules allow it. In a table in which no
        column can change there is no such pattern.
    patterns : list of patterns, optional
        The pattern must be one of these: each a list of the columns that are stars, or a mapping of columns
        to levels; all other columns are shown as they are.

    Raises
    ------
    PolicyError
        On a value that cannot be used. One group (or pattern) may stand where a list of them is expected; a
        group of one column is refused, since `together` and `at_most_one` would say nothing and
        `never_together` would be `keep`.

    References
    ----------
    R. Bredereck, A. Nichterlein, R. Niedermeier, "Pattern-Guided k-Anonymity", Algorithms 6(4), 2013: the
    pattern mask as a list of vectors over {shown, star}. Here it is a set of level vectors, given by rules.

    Examples
    --------
    >>> mask = Mask(max_stars=2, keep=["education"], at_most_one=["sex", "race"])
    >>> mask.describe()[0]
    'at most 2 stars'
    """

    max_stars: int | None = field(default=None, metadata={"help": "most stars in a row", "unit": "cells, at least 0"})
    keep: Sequence[str] = field(default=(), metadata={"help": "columns that never change", "unit": "columns"})
    together: Sequence[Sequence[str]] = field(
        default=(), metadata={"help": "columns that change all or none", "unit": "groups of columns"}
    )
    at_most_one: Sequence[Sequence[str]] = field(
        default=(), metadata={"help": "columns of which at most one changes", "unit": "groups of columns"}
    )
    never_together: Sequence[Sequence[str]] = field(
        default=(), metadata={"help": "columns that do not all change", "unit": "groups of columns"}
    )
    max_level: Mapping[str, int] | Sequence[tuple[str, int]] = field(
        default=(), metadata={"help": "highest level of a column", "unit": "levels, 0 to the column's top"}
    )
    full_suppression: bool = field(
        default=True, metadata={"help": "whether all cells of a row may be stars", "unit": "true or false"}
    )
    patterns: Sequence[Any] | Mapping[str, int] | None = field(
        default=None,
        metadata={"help": "the only patterns allowed", "unit": "lists of stars or levels by column"},
    )

    def __post_init__(self) -> None:
        if not isinstance(self.full_suppression, bool):
            raise PolicyError(f"mask.full_suppression must be true or false, not {self.full_suppression!r}")
        settle = object.__setattr__
        if self.max_stars is not None:
            settle(self, "max_stars", checks.whole("mask.max_stars", self.max_stars))
        settle(self, "keep", checks.names("mask.keep", self.keep))
        alone = "one column alone always obeys this rule; leave it out"
        settle(self, "together", checks.groups("mask.together", self.together, alone))
        settle(self, "at_most_one", checks.groups("mask.at_most_one", self.at_most_one, alone))
        alone = "for one column alone write keep"
        settle(self, "never_together", checks.groups("mask.never_together", self.never_together, alone))
        settle(self, "max_level", checks.level_pairs("mask.max_level", self.max_level))
        if self.patterns is not None:
            settle(self, "patterns", checks.pattern_list("mask.patterns", self.patterns))

    def mentions(self) -> Iterator[tuple[str, str, int | None]]:
        """Yield each (rule, column, level or None) in the order written."""
        yield from (("keep", column, None) for column in self.keep)
        for rule in GROUP_RULES:
            yield from ((rule, column, None) for group in getattr(self, rule) for column in group)
        yield from (("max_level", column, level) for column, level in self.levels("max_level"))
        for entry in self.patterns or ():
            pairs = ((item, None) if isinstance(item, str) else item for item in entry)
            yield from (("patterns", column, level) for column, level in pairs)

    def levels(self, rule: str) -> tuple[tuple[str, int], ...]:
        """Return the (column, level) pairs of `rule`."""
        pairs: tuple[tuple[str, int], ...] = getattr(self, rule)
        return pairs

    def columns(self) -> tuple[str, ...]:
        """Return the columns that the rules name, in order of their first mention."""
        return tuple(dict.fromkeys(column for _, column, _ in self.mentions()))

    def leaves(self, line: str = "mask") -> Iterator[tuple[str, Mask]]:
        """Yield this mask itself."""
        yield line, self

    def combine(self, verdicts: Iterator[bool]) -> bool:
        """Return the verdict on this mask itself."""
        return next(verdicts)

    def check_leaf(self, line: str, heights: Mapping[str, int]) -> None:
        """Refuse rules that do not fit the columns; `line` is this mask's line of the policy."""
        for rule, column, level in self.mentions():
            if column not in heights:
                raise PolicyError(
                    f"{line}.{rule} names {column!r}, which is not a quasi-identifier"
                    f"{did_you_mean(column, heights)}; a mask speaks of quasi-identifiers only"
                )
            if level is not None and level > heights[column]:
                raise PolicyError(
                    f"{line}.{rule} gives column {column!r} level {level}, but its levels are 0 to {heights[column]}"
                )

    def holds(
        self, levels: Mapping[str, int], heights: Mapping[str, int], listed: Container[tuple[int, ...]] | None = None
    ) -> bool:
        """Return whether a level vector obeys the rules; levels are within 0 ... top (see `allows`).

        `listed` is what `listed_vectors` returns, for those who ask about many vectors.
        """
        if any(heights.values()) and all(levels[column] == heights[column] for column in heights):
            return self.full_suppression
        changed = {column for column in heights if levels[column] > 0}
        if any(len(changed.intersection(group)) not in (0, len(group)) for group in self.together):
            return False
        if self.too_high(levels, heights):
            return False
        if self.patterns is None:
            return True
        if listed is None:
            listed = self.listed_vectors(heights)
        return tuple(levels[column] for column in heights) in listed

    def too_high(self, levels: Mapping[str, int], heights: Mapping[str, int]) -> bool:
        """Return whether a rule is broken that higher levels break too."""
        stars = [column for column in heights if levels[column] == heights[column] > 0]
        if self.max_stars is not None and len(stars) > self.max_stars:
            return True
        changed = {column for column in heights if levels[column] > 0}
        if not changed.isdisjoint(self.keep):
            return True
        if any(len(changed.intersection(group)) > 1 for group in self.at_most_one):
            return True
        if any(changed.issuperset(group) for group in self.never_together):
            return True
        return any(levels[column] > limit for column, limit in self.levels("max_level"))

    def raised(self, levels: Mapping[str, int], heights: Mapping[str, int]) -> dict[str, int] | None:
        """Return levels that every allowed vector at or above `levels` has at least; see `PatternMask.raised`."""
        low = dict(levels)
        moved = True
        while moved:
            moved = False
            for group in self.together:
                if any(low[column] > 0 for column in group):
                    for column in group:
                        if low[column] == 0:
                            if heights[column] == 0:
                                return None
                            low[column], moved = 1, True
        if self.patterns is not None:
            listed = [{column: one.get(column, 0) for column in heights} for one in self.listed_levels(heights)]
            above = [one for one in listed if all(one[column] >= low[column] for column in heights)]
            if not above:
                return None
            low = {column: min(one[column] for one in above) for column in heights}
        return None if self.too_high(low, heights) else low

    def listed_vectors(self, heights: Mapping[str, int]) -> Container[tuple[int, ...]]:
        """Return the listed patterns as level vectors over the columns of `heights`."""
        return {tuple(levels.get(column, 0) for column in heights) for levels in self.listed_levels(heights)}

    def listed_levels(self, heights: Mapping[str, int]) -> Iterator[dict[str, int]]:
        """Yield the levels of each listed pattern, unnamed columns (level 0) left out."""
        for entry in self.patterns or ():
            yield dict((item, heights[item]) if isinstance(item, str) else item for item in entry)

    def describe(self) -> list[str]:
        """Return the rules as plain sentences, settings only."""
        return explain.describe(self)

    def to_dict(self) -> dict[str, Any]:
        """Return the settings that differ from the defaults, as TOML can hold them."""
        data: dict[str, Any] = {}
        for setting in dataclasses.fields(self):
            value = getattr(self, setting.name)
            if value != setting.default:
                data[setting.name] = _plain(setting.name, value)
        return data


def _plain(name: str, value: Any) -> Any:
    if name == "max_level":
        return dict(value)
    if name == "patterns":
        return [list(entry) if all(isinstance(item, str) for item in entry) else dict(entry) for entry in value]
    if isinstance(value, tuple):
        return [list(item) if isinstance(item, tuple) else item for item in value]
    return value


def mask_from_dict(data: Mapping[str, Any], line: str = "mask") -> PatternMask:
    """Return the mask that `data` describes: rules, or ``{"any": [...]}``, or ``{"all": [...]}``.

    Raises
    ------
    PolicyError
        On an unknown key or a value that a mask refuses; `line` leads to it.
    """
    if not isinstance(data, Mapping):
        raise PolicyError(f"{line} must be a table of rules, not {data!r}")
    for kind in (AnyOf, AllOf):
        if kind.key in data:
            if len(data) > 1:
                extra = ", ".join(repr(name) for name in data if name != kind.key)
                raise PolicyError(
                    f"{line}.{kind.key} stands alone, but {extra} stands beside it; move it into the list"
                )
            listed = data[kind.key]
            if not isinstance(listed, list | tuple):
                raise PolicyError(f"{line}.{kind.key} must be a list of masks, not {listed!r}")
            return kind(tuple(mask_from_dict(part, f"{line}.{kind.key}[{i}]") for i, part in enumerate(listed)))
    known = [setting.name for setting in dataclasses.fields(Mask)]
    for name in data:
        if name not in known:
            near = did_you_mean(str(name), [*known, AnyOf.key, AllOf.key])
            raise PolicyError(f"{line} has no rule {name!r}{near}; its rules are {', '.join(known)}")
    try:
        return Mask(**data)
    except PolicyError as error:
        if line == "mask":
            raise
        raise PolicyError(f"{line}{str(error).removeprefix('mask')}") from error
