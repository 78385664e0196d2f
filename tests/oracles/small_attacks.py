"""Releases by hand, as an attacker holds them: stars alone, one weight a column."""

from __future__ import annotations

from collections import Counter

from oracles.attacked import PatternList, released_of, star_level


def held(rows, sizes, *, k=2, outliers="forbid", weights=None, vectors=None, closed=True):
    """The released rows as tuples of value codes, None for a star."""
    levels = tuple(star_level(d, w) for d, w in zip(sizes, weights or [1] * len(sizes), strict=True))
    patterns = PatternList([1] * len(sizes), vectors)
    classes = Counter(
        (tuple(int(cell is None) for cell in row), tuple(0 if cell is None else cell for cell in row)) for row in rows
    )
    shown = tuple(sorted((key, size) for key, size in classes.items()))
    question = (sizes, levels, patterns, k, outliers, len(rows))
    return released_of(shown, question, closed)


def triples(found):
    """Exclusions as a set."""
    return set(zip(found.unit.tolist(), found.column.tolist(), found.value.tolist(), strict=True))
