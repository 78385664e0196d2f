"""Larger groups into pairs and triples at no greater cost: why groups of two and three suffice.

Every part of a group costs no more per row than the group, so any way to split will do that keeps to the rules.
"""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

__all__ = ["split", "split_two"]


def split(sensitive: Sequence[Hashable]) -> list[list[int]]:
    """Split a group, no value in more than half of it, into pairs and at most one triple of different values.

    Parameters
    ----------
    sensitive : sequence
        Sensitive value of each row, at least two rows.

    Returns
    -------
    list of list of int
        Positions.

    Raises
    ------
    ValueError
        If a value is in more than half of the rows.

    Notes
    -----
    2 p rows: sorted by value, row i and row i + p differ, since no value has more than p rows. 2 p + 1 rows: at
    least three values occur; one row each of the three most frequent goes first. At most two values had p rows,
    so none of the 2 p - 2 rows left has a value more than p - 1 times.

    References
    ----------
    .. [1] H. Liang, H. Yuan, "On the complexity of t-closeness anonymization and related problems", Lemma 2.
    """
    counted = Counter(sensitive)
    if len(sensitive) < 2 or max(counted.values()) > len(sensitive) // 2:
        raise ValueError("a value is in more than half of the rows")
    rest = list(range(len(sensitive)))
    parts = []
    if len(rest) % 2:
        first = [rest[sensitive.index(value)] for value, _ in counted.most_common(3)]
        parts.append(first)
        rest = [i for i in rest if i not in first]
    order = {value: at for at, value in enumerate(counted)}
    rest.sort(key=lambda i: order[sensitive[i]])
    half = len(rest) // 2
    parts.extend([rest[i], rest[i + half]] for i in range(half))
    return parts


def split_two(pairs: Sequence[tuple[Hashable, Hashable]]) -> list[list[int]]:
    """Split a group, in each of two columns no value in more than half of it, into parts that differ in both.

    Parameters
    ----------
    pairs : sequence of (value, value)
        The two sensitive values of each row.

    Returns
    -------
    list of list of int
        Pairs and, if the rows are odd in number, one triple; rows of a part differ in both columns.

    Raises
    ------
    ValueError
        If a value is in more than half of the rows.

    Notes
    -----
    Rows are edges of a bipartite multigraph between the values of the two columns, every degree at most
    p = floor(rows / 2). It has an edge colouring with p colours (Koenig), and, switching alternating paths
    between a colour with two edges more than another, one whose colours have two or three edges each: a colour
    class is a matching, so its rows differ in both columns. O(rows^2).
    """
    n = len(pairs)
    for column in (0, 1):
        if n < 2 or max(Counter(pair[column] for pair in pairs).values()) > n // 2:
            raise ValueError("a value is in more than half of the rows")
    ends = [((0, a), (1, b)) for a, b in pairs]
    colour = [-1] * n
    at: dict[tuple[Hashable, int], int] = {}
    colours = n // 2

    def paint(edge: int, c: int) -> None:
        colour[edge] = c
        for end in ends[edge]:
            at[end, c] = edge

    def path(end: Hashable, first: int, second: int) -> list[int]:
        """Return the edges of the path from `end` that begins with colour `first` and alternates."""
        found = []
        c = first
        while (end, c) in at:
            edge = at[end, c]
            found.append(edge)
            a, b = ends[edge]
            end = b if end == a else a
            c = second if c == first else first
        return found

    def switch(edges: list[int], first: int, second: int) -> None:
        for edge in edges:
            for end in ends[edge]:
                at.pop((end, colour[edge]), None)
        for edge in edges:
            paint(edge, second if colour[edge] == first else first)

    for edge in range(n):
        a, b = ends[edge]
        free_a = next(c for c in range(colours) if (a, c) not in at)
        free_b = next(c for c in range(colours) if (b, c) not in at)
        if free_a != free_b and (b, free_a) in at:
            switch(path(b, free_a, free_b), free_a, free_b)
        paint(edge, free_a)
    while True:
        sizes = Counter(dict.fromkeys(range(colours), 0))
        sizes.update(colour)
        (large, most), (small, least) = max(sizes.items(), key=lambda x: x[1]), min(sizes.items(), key=lambda x: x[1])
        if most - least <= 1:
            break
        # Some component of the two colours has one edge more of the large one: a path that begins with it.
        for edge in [e for e in range(n) if colour[e] == large]:
            start = next((end for end in ends[edge] if (end, small) not in at), None)
            if start is None:
                continue
            edges = path(start, large, small)
            if len(edges) % 2:
                switch(edges, large, small)
                break
    parts: dict[int, list[int]] = {}
    for edge, c in enumerate(colour):
        parts.setdefault(c, []).append(edge)
    return list(parts.values())
