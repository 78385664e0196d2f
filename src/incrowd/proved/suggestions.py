"""What the program need not believe: nothing rests on it but whether it accepts, and how high a bound comes out.

Which level vector each original row is released at, so that the released rows are the original's, each once; which two
requirements a matching of rows that differ leans on; and a certificate's prices and multipliers under requirements. A
logarithm is handed over as a whole number of 2^-30, beside a base whose powers the program compares with what it is the
logarithm of.
"""

from __future__ import annotations

import itertools
from collections import Counter, defaultdict
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np
from scipy.sparse import csr_array
from scipy.sparse.csgraph import maximum_flow

from incrowd.check.exact import floor_of_ln

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from incrowd.proved.requirements import Required, Rule
    from incrowd.tables.values import Levels


MOST_READINGS = 1 << 16
FINE = 1 << 30
BASE = (1 << 96) + (1 << 66) + (1 << 35) + 10  # floor(2^96 e^(1 / FINE))

Vector = tuple[int, ...]
Line = tuple[int, ...]


def vectors_for(
    labels: Sequence[Sequence[Sequence[int]]],
    levels: Sequence[Levels],
    allows: Callable[[Vector], bool],
    rows: NDArray[np.int64],
    released: NDArray[np.int64],
) -> list[Vector] | None:
    """Return a level vector for every original row; None where there is no assignment.

    `labels` hold, by column and by value, the label at every level; `levels`, of length m, hold what showing a value
    costs; `allows` says whether the mask allows a vector. It takes O(p t m) for p vectors in use and t kinds of
    original rows, and a maximum flow over the pairs of kinds that fit. `rows`: (n, m + 1) int64, values and a number
    for the other columns. `released`: (n, m + 1) int64, labels and that number.
    """
    m = rows.shape[1] - 1
    tables = [np.array(column, np.int64) for column in labels]
    cheap = _readings(tables, levels)
    before, place, supply = np.unique(rows, axis=0, return_inverse=True, return_counts=True)
    wanted = Counter(map(tuple, released.tolist()))
    at: dict[Vector, dict[Line, int]] = defaultdict(dict)
    chosen: list[Vector] = []
    for number, line in enumerate(wanted):
        vector = _read(line[:m], cheap, allows)
        if vector is None:
            return None
        at[vector][line] = number
        chosen.append(vector)
    ends: list[tuple[int, int]] = []
    for vector, lines in at.items():
        shown = [tables[j][before[:, j], level] for j, level in enumerate(vector)]
        made = np.stack([*shown, before[:, m]], axis=1).tolist()
        ends += [(i, lines[line]) for i, line in enumerate(map(tuple, made)) if line in lines]
    flows = _flow(ends, supply.tolist(), list(wanted.values()))
    given: list[list[Vector]] = [[] for _ in supply]
    for (i, number), amount in flows:
        given[i] += [chosen[number]] * amount
    if [len(one) for one in given] != supply.tolist():
        return None
    turns = [iter(one) for one in given]
    return [next(turns[i]) for i in place.reshape(-1).tolist()]


def _readings(tables: Sequence[NDArray[np.int64]], levels: Sequence[Levels]) -> list[dict[int, list[tuple[int, int]]]]:
    """Return per column and label the levels at which it stands, with what they cost, cheapest first."""
    found = []
    for table, level in zip(tables, levels, strict=True):
        here: dict[int, set[tuple[int, int]]] = defaultdict(set)
        for value, line in enumerate(table.tolist()):
            for x, label in enumerate(line):
                here[label].add((int(level.cost[x, value]), x))
        found.append({label: sorted(some) for label, some in here.items()})
    return found


def _read(
    line: Line, cheap: Sequence[dict[int, list[tuple[int, int]]]], allows: Callable[[Vector], bool]
) -> Vector | None:
    """Return the cheapest vector of the mask at which a released row may stand."""
    ways = [column.get(label, []) for label, column in zip(line, cheap, strict=True)]
    tried = itertools.islice(itertools.product(*ways), MOST_READINGS)
    good = [(sum(c for c, _ in way), tuple(x for _, x in way)) for way in tried if allows(tuple(x for _, x in way))]
    return min(good)[1] if good else None


def _flow(ends: list[tuple[int, int]], supply: list[int], demand: list[int]) -> list[tuple[tuple[int, int], int]]:
    """Return how many rows go along every pair in a greatest flow."""
    givers, takers = len(supply), len(demand)
    source, sink = givers + takers, givers + takers + 1
    edges = [(i, givers + r, min(supply[i], demand[r])) for i, r in ends]
    edges += [(source, i, amount) for i, amount in enumerate(supply)]
    edges += [(givers + r, sink, amount) for r, amount in enumerate(demand)]
    tails, heads, room = (np.array(side, np.int32) for side in zip(*edges, strict=True))
    graph = csr_array((room, (tails, heads)), shape=(sink + 1, sink + 1))
    flow = csr_array(maximum_flow(graph, source, sink).flow)
    along = flow[tails[: len(ends)], heads[: len(ends)]] if ends else np.zeros(0, np.int64)
    return [(end, int(amount)) for end, amount in zip(ends, np.asarray(along).ravel().tolist(), strict=True) if amount]


def halving(rules: Sequence[tuple[Rule, ...]]) -> list[int]:
    """Return 1 and the places of two requirements that let no value have more than half of a class [M1].

    One is named twice where all such requirements tell the same values apart; 0 alone where there is none. Each tuple
    of `rules` is one requirement, as of `Required`.
    """
    found: dict[tuple[int, ...], int] = {}
    for place, ((family, code, *told), *_) in enumerate(rules):
        if family == "shares" and 2 * max(told[0]) <= 1:
            found.setdefault(tuple(map(code.index, code)), place)
    return [1, *([*found.values()] * 2)[:2]] if found else [0]


def required_proof(required: Required, claim: Mapping[str, Any], rows: NDArray[np.int64]) -> list[int]:
    """Return a certificate of version 12 as numbers; its trees and small classes are left out: the bound is lower.

    `claim` is the certificate, read already, and `required` is what it is about. `rows` is (n, m + 1) int64: the values
    of the original rows, and the number of their other columns.
    """
    # [V1] The program's row types are told apart by all other columns, the page's by their kind.
    finer = np.unique(rows, axis=0)
    _, first, type_ = np.unique(required.told_apart(finer), axis=0, return_index=True, return_inverse=True)
    found = [3, claim["parts"], len(finer), *np.array(claim["prices"], object)[type_.reshape(-1)].tolist()]
    found.append(len(claim["multipliers"]))
    m = rows.shape[1] - 1
    for one in claim["multipliers"]:
        i, r, *numbers = one[m:]
        found += [*one[:m], int(first[i]), r, *_multiplier(required.rules[r], numbers)]
    return found


def _multiplier(rules: tuple[Rule, ...], numbers: list[int]) -> list[int]:
    """Return a multiplier as the program reads it; of what has none, one that it passes over."""
    family, _, *told = rules[0]
    if family == "distance":
        return [1, numbers[0], told[2], len(numbers) - 1, *itertools.chain(*enumerate(numbers[1:]))]
    if family == "entropy":
        mu, *weights = numbers
        logs = [floor_of_ln(FINE, told[0] * Fraction(weight, sum(weights))) for weight in weights]
        pairs = [[len(some), *itertools.chain(*enumerate(some))] for some in (weights, logs)]
        return [2, mu, FINE, BASE, *pairs[0], *pairs[1]]
    if family == "recursive":
        terms = [numbers[at : at + told[0] + 1] for at in range(0, len(numbers), told[0] + 1)]
        return [3, len(terms), *itertools.chain(*([mu, u, len(those), *those] for mu, u, *those in terms))]
    return [0, len(numbers) // 2, *numbers]
