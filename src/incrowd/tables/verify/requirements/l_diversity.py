"""l-diversity as the check reads it: in every class the sensitive values stay uncertain.

- frequency: no value in more than 1/l of the rows (H. Liang, H. Yuan, DASFAA 2013);
- distinct: at least l values, NULL being one;
- entropy: at least ln l, see `entropy`; recursive: r1 < c (r_l + r_(l+1) + ...) with r1 >= r2 >= ... the rows of the
  values (A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam, "l-Diversity", ACM TKDD 1(1), 2007);
- joint: see `joint`.
"""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import InputError
from incrowd.settings import fraction_text
from incrowd.tables.verify.requirements import p_sensitive
from incrowd.tables.verify.requirements.counts import CLOSE, largest_ratio, ln_sign
from incrowd.tables.verify.requirements.counts import times as counts_times
from incrowd.tables.verify.requirements.reading import Judged
from incrowd.tables.verify.requirements.rules import Distinct, EntropyOf, Recursive, Rules, Shares, column_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.values import Domain
    from incrowd.tables.verify.requirements.counts import Classes, Counted
    from incrowd.tables.verify.requirements.reading import Settings


def judge(asked: Settings, classes: Classes) -> Judged:
    """Return which classes meet it, and the greatest l that all of them meet.

    Raise `InputError` where the joint kind cannot be decided within its limit.
    """
    kind, l = asked["kind"], asked["l"]  # noqa: E741
    if kind == "joint" and len(asked["columns"]) > 1:
        return judge_jointly(asked, classes)
    if kind in ("joint", "distinct"):
        name = asked["column"] if kind == "distinct" else asked["columns"][0]
        return p_sensitive.judge({"p": int(l), "column": name}, classes)
    column = classes.column(asked["column"])
    if kind == "entropy":
        return judge_entropy(column, l)
    if kind == "recursive":
        return _recursive(column, int(l), asked["c"])
    if kind != "frequency":
        raise ValueError(f"there is no kind {kind!r} of l-diversity")
    top = column.largest()
    met = counts_times(top, l.numerator) <= counts_times(column.sizes, l.denominator)
    worst = largest_ratio(top[column.shown], column.sizes[column.shown])
    return Judged(met.astype(np.bool_), None if worst is None else 1 / worst)


def rules(asked: Settings, domain: Domain) -> Rules:
    """Return what the kind asks for; of the joint one that every column has l values, which is less."""
    kind, l = asked["kind"], asked["l"]  # noqa: E741
    if kind == "joint":
        every = (column_of(domain, name) for name in asked["columns"])
        return Rules(tuple(Distinct(**column, least=int(l)) for column in every), united=True)
    column = column_of(domain, asked["column"])
    if kind == "distinct":
        return Rules((Distinct(**column, least=int(l)),), united=True)
    if kind == "entropy":
        return Rules((EntropyOf(**column, l=l),), united=True)
    if kind == "recursive":
        return Rules((Recursive(**column, l=int(l), c=asked["c"]),), united=True)
    return Rules((Shares(**column, share=(1 / Fraction(l),) * column["totals"].size),), united=True)


def share_limit(asked: Settings) -> Fraction | None:
    """Return the share of a class that no value may exceed, for the frequency kind."""
    return 1 / Fraction(asked["l"]) if asked["kind"] == "frequency" else None


def _recursive(column: Counted, l: int, c: Fraction) -> Judged:  # noqa: E741
    """Judge by the rows of all but the l - 1 most frequent values: what is left of the class without those."""
    order = np.lexsort((-column.rows, column.owner))
    ordered, begins = column.rows[order], column.begins
    cumulated = np.concatenate(([0], np.cumsum(ordered)))
    first = column.largest()

    def below(l: int) -> NDArray[np.bool_]:  # noqa: E741
        end = begins[1:]
        tail = cumulated[end] - cumulated[np.minimum(begins[:-1] + max(l - 1, 0), end)]
        met: NDArray[np.bool_] = (counts_times(first, c.denominator) < counts_times(tail, c.numerator)) | ~column.shown
        return met.astype(np.bool_)

    if not column.shown.any():
        return Judged(below(l), None)
    # the tail shrinks with l, so that the greatest l is found by halving
    low, high = 0, int(column.distinct()[column.shown].min())
    while low < high:
        middle = (low + high + 1) // 2
        low, high = (middle, high) if below(middle).all() else (low, middle - 1)
    return Judged(below(l), low)


# Entropy l-diversity as the check reads it: H = -sum q ln q of every class is at least ln l.
#
# With N rows and c_1, c_2, ... a value: N ln N - sum(c ln c) >= N ln l. Both sides are equal exactly where the prime
# factors on both sides are; else enough digits tell them apart.
def judge_entropy(column: Counted, l: Fraction) -> Judged:  # noqa: E741
    """Return which classes meet it, and the greatest l that all of them meet (a float, unless all are even).

    `column` has the rows of every value in every class, and `l` is at least 1.
    """
    size, shown = column.sizes.astype(np.float64), column.shown
    whole = size * np.log(np.maximum(size, 1))
    spent = np.zeros(column.classes)
    np.add.at(spent, column.owner, column.rows * np.log(column.rows.astype(np.float64)))
    above = whole - spent - size * math.log(l)
    met = (above > 0) | ~shown
    begins = column.begins
    near = np.abs(above) <= CLOSE * (whole + size * (1 + abs(math.log(l))))
    for g in np.flatnonzero(near & shown):
        met[g] = enough(column.rows[begins[g] : begins[g + 1]].tolist(), l)
    if not shown.any():
        return Judged(met, None)
    if bool((column.largest()[column.owner] == column.rows).all()):  # every class has its values equally often
        return Judged(met, float(column.distinct()[shown].min()))
    return Judged(met, float(np.exp((np.log(size[shown]) - spent[shown] / size[shown]).min())))


def enough(counts: Sequence[int], l: Fraction) -> bool:  # noqa: E741
    """Return whether values with so many rows have an entropy of at least ln l, exactly.

    `counts` are at least 0 and not all 0, and `l` is at least 1.
    """
    common = math.gcd(*counts)
    counts = [count // common for count in counts]
    size = sum(counts)
    terms = [(size, size), (l.denominator, size), (l.numerator, -size), *((count, -count) for count in counts)]
    return _cancels(terms, [size, *counts]) or ln_sign(terms) > 0


def _cancels(terms: Sequence[tuple[int, int]], small: Sequence[int]) -> bool:
    """Return whether the product of base^times is 1; numbers of rows are factored, the others only divided."""
    exponents: dict[int, int] = dict.fromkeys((prime for number in set(small) for prime in _primes(number)), 0)
    for base, times in terms:
        left = base
        for prime in exponents:
            while left % prime == 0:
                left //= prime
                exponents[prime] += times
        if left > 1:  # a prime that no number of rows has; the two parts of l share none
            return False
    return not any(exponents.values())


def _primes(number: int) -> set[int]:
    found, factor = set(), 2
    while factor * factor <= number:
        while number % factor == 0:
            found.add(factor)
            number //= factor
        factor += 1
    return found | ({number} if number > 1 else set())


# Joint l-diversity as the check reads it: every row lies in l rows of its class that differ pairwise everywhere.
#
# "Everywhere" is in every one of the judged columns, so that rows matter by their combinations of values alone. In two
# columns rows that differ everywhere are a matching between the values of both; from three columns on they are searched
# for, with a limit (J. Blocki, R. Williams, "Resolving the Complexity of Some Data Privacy Problems", ICALP 2010,
# Definition 1).
STEPS = 200_000  # of one search

Line = tuple[int, ...]


class TooHard(Exception):
    """A search went beyond its limit."""


def judge_jointly(asked: Settings, classes: Classes) -> Judged:
    """Return which classes meet it, and the greatest l that all of them meet.

    The classes have the rows of every combination. Raise `InputError` where a class cannot be decided within the limit
    (three columns and more).
    """
    l, columns = int(asked["l"]), asked["columns"]  # noqa: E741
    found = classes.combinations(columns)
    try:
        met = np.array([_met(lines, l) for lines in found], np.bool_)
        shown = [lines for lines in found if lines]
        if not shown:
            return Judged(met, None)
        best = min(len({line[0] for line in lines}) for lines in shown)
        while best > 1 and not all(_met(lines, best) for lines in shown):
            best -= 1
    except TooHard:
        raise InputError(
            f"l-diversity of {', '.join(columns)} with l={fraction_text(asked['l'])}, joint: every row in "
            f"{fraction_text(asked['l'])} rows of its class that differ in all of them: not decided within {STEPS} "
            "steps of search, for this is hard from three columns on; lower l or name two columns at a time"
        ) from None
    return Judged(met, best)


def _met(lines: Sequence[Line], l: int) -> bool:  # noqa: E741
    if l <= 1 or not lines:
        return True
    width = len(lines[0])
    if any(len({line[j] for line in lines}) < l for j in range(width)):
        return False
    # of l + width - 1 rows that differ everywhere at most one a column meets a given row, and l - 1 are left beside it
    if _some_apart(lines) >= l + width - 1:
        return True
    return all(most_apart([other for other in lines if _differ(line, other)], l - 1) >= l - 1 for line in lines)


def _differ(one: Line, other: Line) -> bool:
    return all(a != b for a, b in zip(one, other, strict=True))


def _some_apart(lines: Sequence[Line]) -> int:
    taken: list[Line] = []
    used: list[set[int]] = [set() for _ in lines[0]]
    for line in lines:
        if not any(value in seen for value, seen in zip(line, used, strict=True)):
            taken.append(line)
            for value, seen in zip(line, used, strict=True):
                seen.add(value)
    return len(taken)


def most_apart(lines: Sequence[Line], enough: int) -> int:
    """Return how many of some combinations differ pairwise everywhere at most, or `enough` if that is less.

    `lines` are combinations of values, one from each column, and `enough`, where the search stops, is at least 1. Raise
    `TooHard` after `STEPS` steps of search (three columns and more).
    """
    if not lines or enough <= 0:
        return 0
    if len(lines[0]) == 1:
        return min(len(set(lines)), enough)
    if len(lines[0]) == 2:
        return min(_matched(lines), enough)
    steps = best = 0
    stack = [(list(lines), 0)]
    while stack and best < enough:
        left, size = stack.pop()
        best = max(best, size)
        steps += 1
        if steps > STEPS:
            raise TooHard
        if not left or best >= enough:
            continue
        values = [{line[j] for line in left} for j in range(len(left[0]))]
        j = min(range(len(values)), key=lambda j: len(values[j]))
        if size + len(values[j]) <= best:
            continue
        # the rarest value of the column with the fewest: none of its rows is taken, or one of them
        often = {value: sum(line[j] == value for line in left) for value in values[j]}
        rare = min(often, key=lambda value: (often[value], value))
        stack.append(([line for line in left if line[j] != rare], size))
        for line in reversed([line for line in left if line[j] == rare]):
            stack.append(([other for other in left if _differ(line, other)], size + 1))
    return min(best, enough)


def _matched(edges: Sequence[Line]) -> int:
    """Return the size of a largest matching between two columns: shortest augmenting paths, found breadth first."""
    beside: dict[int, list[int]] = {}
    for a, b in edges:
        beside.setdefault(a, []).append(b)
    mate: dict[int, int] = {}  # left value of a right one
    own: dict[int, int] = {}  # right value of a left one
    for start in beside:
        came: dict[int, int] = {}  # right node -> left node it was reached from
        queue = [start]
        end: int | None = None
        for a in queue:
            for b in beside[a]:
                if b in came:
                    continue
                came[b] = a
                if b not in mate:
                    end = b
                    break
                queue.append(mate[b])
            if end is not None:
                break
        while end is not None:
            a = came[end]
            mate[end] = a
            own[a], end = end, own.get(a)
    return len(mate)
