"""What makes lines a hierarchy; every fault is counted, none is quoted."""

from __future__ import annotations

import itertools
from collections import Counter
from collections.abc import Iterable, Mapping
from typing import TYPE_CHECKING, Any

from incrowd.errors import PolicyError

if TYPE_CHECKING:
    from collections.abc import Sequence
    from fractions import Fraction

__all__ = ["checked_lines", "never_falling"]

STAR = "*"
Lines = tuple[tuple[str, ...], ...]


def checked_lines(lines: Any, *, most_levels: int) -> Lines:
    """Return lines as tuples without a last column of stars, or refuse them with every fault at once.

    Cells are made texts, and None an empty one. `most_levels` is how many entries a line may have, without the star.
    Raises PolicyError that names the faults with their counts, never a value.
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
    if width > most_levels:
        raise PolicyError(f"the hierarchy has {width} levels, more than the {most_levels} that are allowed")
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


def never_falling(costs: Iterable[Sequence[Fraction]]) -> None:
    """Refuse costs that fall towards the root, or are negative.

    Each sequence has a cost per level, from the value up. Raises PolicyError if a cost is lower than the one before it,
    with the number of such sequences.
    """
    falling = sum(any(a > b for a, b in itertools.pairwise(line)) for line in costs)
    if falling:
        raise PolicyError(
            "costs fall towards the root (or are below 0): a coarser label must cost at least as much as a finer one"
        )
