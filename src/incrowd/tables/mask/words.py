"""The words of a pattern mask: which cells of a row may change together."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from incrowd.errors import PolicyError, did_you_mean
from incrowd.settings import short_repr
from incrowd.tables.mask.combine import AllOf, AnyOf, PatternMask
from incrowd.tables.mask.vocabulary import WORDS, plain


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

    __repr__ = short_repr
    max_stars: int | None = None
    keep: Sequence[str] = ()
    together: Sequence[Sequence[str]] = ()
    at_most_one: Sequence[Sequence[str]] = ()
    never_together: Sequence[Sequence[str]] = ()
    max_level: Mapping[str, int] | Sequence[tuple[str, int]] = ()
    full_suppression: bool = True
    patterns: Sequence[Any] | Mapping[str, int] | None = None

    def __post_init__(self) -> None:
        for name in ("full_suppression", *WORDS):
            object.__setattr__(self, name, WORDS[name].settle(f"mask.{name}", getattr(self, name)))

    def to_dict(self) -> dict[str, Any]:
        """Return the settings that differ from the defaults, as TOML can hold them."""
        said = ((setting, getattr(self, setting.name)) for setting in dataclasses.fields(self))
        return {setting.name: plain(value) for setting, value in said if value != setting.default}

    @staticmethod
    def from_dict(data: Mapping[str, Any]) -> PatternMask:
        """Return the mask that `to_dict` of any kind of mask gave.

        Raises
        ------
        PolicyError
            On an unknown key or a value that a mask refuses.
        """
        return mask_from_dict(data)


def mask_from_dict(data: Mapping[str, Any], line: str = "mask") -> PatternMask:
    """Return the mask that `data` describes: rules, or ``{"any": [...]}``, or ``{"all": [...]}``.

    `data` is as a policy file holds it, and `line` is the line of the policy at which it stands, for messages. The mask
    is a Mask, AnyOf or AllOf. Raises PolicyError on an unknown key or a value that a mask refuses; `line` leads to it.
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
