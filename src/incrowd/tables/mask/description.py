"""A mask as data, as a policy file holds it: rules by their words, or ``{"any": [...]}``, or ``{"all": [...]}``.

What is asked of a mask is asked of this description; `incrowd.tables.mask.words.Mask` and its compositions only make
it (`to_dict`), so that nothing here needs to know them.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.errors import PolicyError, did_you_mean
from incrowd.tables.mask.vocabulary import WORDS, named

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


Description = dict[str, Any]

ANY, ALL = "any", "all"
JOINED = {ANY: ("either", "or"), ALL: ("all of this", "and")}


def composition(said: Description) -> str | None:
    """Return how a mask is put together: `ANY` or `ALL`, or None for rules. `said` is the mask, as the module says."""
    return next((key for key in (ANY, ALL) if key in said), None)


def leaves(said: Description, line: str = "mask") -> Iterator[tuple[str, Description]]:
    """Yield the rules that a mask is made of, each with its line of the policy.

    `said` is the mask, as the module says, and `line` the line of the policy at which it stands.
    """
    key = composition(said)
    if key is None:
        yield line, said
        return
    for i, part in enumerate(said[key]):
        yield from leaves(part, f"{line}.{key}[{i}]")


def combined(said: Description, verdicts: Iterator[bool]) -> bool:
    """Return whether a vector belongs to the mask, given what each leaf says.

    `said` is the mask, as the module says. There is one verdict for each of the `leaves`, in their order.
    """
    key = composition(said)
    if key is None:
        return next(verdicts)
    # All parts are asked, whatever the first says: each takes its verdicts off the common iterator.
    each = [combined(part, verdicts) for part in said[key]]
    return any(each) if key == ANY else all(each)


def mentions(said: Description) -> Iterator[tuple[str, str, int | None]]:
    """Yield every column that a mask names, in the order written.

    Each comes as its line of the policy, the column, and the level where one is given, else None. `said` is the mask,
    as the module says.
    """
    for at, leaf in leaves(said):
        for name in WORDS:
            yield from ((f"{at}.{name}", column, level) for column, level in named(leaf.get(name)))


def check(said: Description, heights: Mapping[str, int]) -> None:
    """Refuse rules that do not fit a table: unknown columns, levels above a column's top.

    `said` is the mask, as the module says, and `heights` has the top level of every quasi-identifier. Raises
    PolicyError that names the rule, the column and, where one is near, the name that may have been meant.
    """
    for line, column, level in mentions(said):
        if column not in heights:
            raise PolicyError(
                f"{line} names {column!r}, which is not a quasi-identifier"
                f"{did_you_mean(column, heights)}; a mask speaks of quasi-identifiers only"
            )
        if level is not None and level > heights[column]:
            raise PolicyError(
                f"{line} gives column {column!r} level {level}, but its levels are 0 to {heights[column]}"
            )


def describe(said: Description) -> list[str]:
    """Return the sentences that say what a mask allows; settings only.

    There is one sentence per rule and one on full suppression, or one per part of a composition. `said` is the mask, as
    the module says.
    """
    key = composition(said)
    if key is None:
        return _rules(said)
    parts = said[key]
    if len(parts) == 1:
        return describe(parts[0])
    first, then = JOINED[key]
    return [f"{then if i else first}: {_one_line(part)}" for i, part in enumerate(parts)]


def _rules(said: Description) -> list[str]:
    told = [sentence for name, word in WORDS.items() if name in said for sentence in word.sentences(said[name])]
    spared = said.get("full_suppression", True)
    if not told:
        if spared:
            return ["every pattern is allowed"]
        told.append("every other pattern is allowed")
    told.append("a row of stars alone is " + ("allowed, whatever else is said" if spared else "not allowed"))
    return told


def _one_line(part: Description) -> str:
    text = "; ".join(describe(part))
    return f"({text})" if composition(part) else text
