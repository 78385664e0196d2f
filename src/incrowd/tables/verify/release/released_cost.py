"""What a release costs, from the two tables alone, as much as its cells leave open; whether a claim lies between."""

from __future__ import annotations

import math
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError
from incrowd.tables.verify.pairing.assignment import joined
from incrowd.tables.verify.pairing.common_coding import alike
from incrowd.tables.verify.pairing.edges import patterns_of
from incrowd.tables.verify.pairing.flow import unmet
from incrowd.tables.verify.pairing.kinds import INVENTED, NULL, code
from incrowd.tables.verify.release.faithful import reads_as_star
from incrowd.tables.verify.release.groups import MOST_READINGS, kept, recount_loss

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    import ibis.expr.types as ir
    from numpy.typing import NDArray

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.roles import Roles
    from incrowd.tables.table import Opened
    from incrowd.tables.verify.mask import MaskReading
    from incrowd.tables.verify.pairing.kinds import Kinds
    from incrowd.tables.verify.release.groups import Rules


def recounted_cost(
    engine: Engine, original: Opened, released: Opened, rules: Rules, roles: Roles, *, text: Collection[str],
    star: str | None,
) -> tuple[Fraction, Fraction] | None:  # fmt: skip
    """Return what a release costs in the user's units, least and most; None where it lacks a quasi-identifier.

    The engine holds both tables, and the roles are of the original's columns. `text` are the columns that are compared
    as text. `star` is how a star is written, None for NULL.
    """
    if not set(rules.names) <= set(released.names):
        return None
    after = [released.data[f"c{released.names.index(name)}"] for name in rules.names]
    if star is not None:
        cells, marks = [c.get_name() for c in after], [reads_as_star(c, star) for c in after]
        return recount_loss(engine, released.data, cells, marks, rules, text=text).cost
    # Whatever row came from which, a NULL of the original is NULL in the release, starred or shown: the release's
    # other NULLs are stars, and those may be.
    before = [original.data[f"c{original.names.index(name)}"] for name in rules.names]
    most, shown = _nulls(engine, released, after), _nulls(engine, original, before)
    weights = [rules.star_cost(name) for name in rules.names]
    least = sum((max(a - b, 0) * w for a, b, w in zip(most, shown, weights, strict=True)), Fraction(0))
    if any(shown) and set(roles.kept(original.names)) <= set(released.names):
        tables = alike(original, released, roles, engine, text=text, star=None)
        least += asked_stars(*code(tables, engine)[:2], rules)
    return least, sum((a * w for a, w in zip(most, weights, strict=True)), Fraction(0))


def _nulls(engine: Engine, opened: Opened, columns: Sequence[ir.Value]) -> list[int]:
    """Return how many cells of each column are NULL."""
    counts = {f"n{j}": engine.plain(column).isnull().sum() for j, column in enumerate(columns)}
    with engine.guard("recounting the stars"):
        return [int(n or 0) for n in engine.one(opened.data.aggregate(**counts)).values()]


def claimed_cost(
    certificate: Mapping[str, Any], paid: tuple[Fraction, Fraction] | None, scale: int, offset: int
) -> int | None:
    """Return the scaled cost of the release, as claimed where it costs between `paid`, least and most.

    `certificate` may be its head alone, with its claims in the numbers that prices add up to, and `paid` is as
    `recounted_cost` returns it. `scale` is how many of these numbers one unit of the user's cost is, and `offset` what
    all rows cost as they are.
    """
    if paid is None:
        return None
    low, high = (int(end * scale) + offset for end in paid)
    claimed = certificate.get("cost")
    # a label that stands at several levels, and a NULL that may be a star, may cost more than the least reading
    return claimed if type(claimed) is int and low <= claimed <= high else low


# What missing values cost as stars where stars are NULLs and the mask asks for stars.
#
# A released NULL whose original is NULL too may be shown or be a star. Whatever the pairing, every NULL of the original
# is paired with one of the release, so that a release costs its other NULLs at least; where the mask allows a row only
# if some of its missing values are stars, it costs these as well. Which rows these are the pairing says: the least cost
# over all of them is found exactly, by the Hungarian method on the kinds of rows.
#
# References
# ----------
# H. W. Kuhn, "The Hungarian Method for the assignment problem", Naval Research Logistics Quarterly 2, 1955.
def asked_stars(before: Kinds, after: Kinds, rules: Rules) -> Fraction:
    """Return what missing values cost at least that are stars because the mask asks it [R9].

    Stars are NULLs in the kinds `before` and `after` of original and released rows, and no column has a hierarchy. The
    cost is 0 where the released rows cannot be paired, or it is not decided whether they can: both are told elsewhere.
    Time as for the pairing and, where a missing value has to be a star, for as many flows as prices move; 40 bytes of
    memory per pair of kinds that fit. A row of more than `MOST_READINGS` readings is taken at its least cost.
    """
    whole = (after.block >= 0) & (after.codes > INVENTED).all(axis=1)
    if not whole.all() or before.rows.sum() != after.rows.sum():
        return Fraction(0)
    weights = [rules.star_cost(name) for name in rules.names]
    unit = math.lcm(*(weight.denominator for weight in weights))
    scaled, allows = [int(weight * unit) for weight in weights], rules.reading()
    try:
        before, after, stars, pattern, edges = joined(before, after)
        nulls, null = patterns_of(before.codes == NULL)
        keep = edges.pairs(pattern, null)
        # A weight may have any number of digits: Python's integers where those of 64 bits could wrap.
        longest = sum(scaled) * (len(before.codes) + len(after.codes) + 1)
        paid = np.zeros(keep.shape, np.int64 if longest < 1 << 61 else object)
        for p, o in np.argwhere(keep):
            cost = _asked(stars[p], nulls[o], scaled, allows)
            keep[p, o], paid[p, o] = cost is not None, cost or 0
    except InputError:
        return Fraction(0)
    edges = edges.only(keep, pattern, null)
    takers = np.repeat(pattern, np.diff(edges.start))
    cost = least_cost(before.rows, after.rows, edges.start, edges.adjacent, paid[takers, null[edges.adjacent]])
    return Fraction(cost or 0, unit)


def _asked(star: NDArray[np.bool_], missing: NDArray[np.bool_], weights: list[int], allows: MaskReading) -> int | None:
    """Return what the missing values of a row cost that have to be stars; None where no reading keeps the mask."""
    low, high = (tuple(map(int, levels)) for levels in (star & ~missing, star))
    if allows(low) or (1 << (sum(high) - sum(low)) > MOST_READINGS and allows(high)):
        return 0
    costs = (
        sum(weight for weight, now, sure in zip(weights, vector, low, strict=True) if now > sure)
        for vector in kept(low, high, allows)
    )
    return min(costs, default=None)


def least_cost(
    supply: NDArray[np.int64],
    demand: NDArray[np.int64],
    start: NDArray[np.int64],
    adjacent: NDArray[np.int32],
    costs: NDArray[Any],
) -> int | None:
    """Return the least cost of giving every taker its rows, None where some taker goes without.

    `supply` (a,) is how many rows each giver has, as many in all as are wanted, and `demand` (b,) how many each taker
    wants. With `start` (b + 1,) and `adjacent` (e,) the givers of taker r are ``adjacent[start[r]:start[r + 1]]``,
    without repetition. `costs` (e,) is what a row costs there, at least 0, as int64 or object: Python integers where (a
    + b + 1) times the greatest is 2^61 or more. Prices of givers and takers are below or at every cost together; a flow
    over those that are at it is a cheapest one. Where it lacks, the prices of the takers that it lacks for rise, and of
    the givers that they could have fall, until one more cost is met. One flow for each such step: O(a b) at worst, in
    practice a few.
    """
    takers = np.repeat(np.arange(demand.size), np.diff(start))
    high = int(costs.max(initial=0))
    giver, taker = np.full(supply.size, high, costs.dtype), np.zeros(demand.size, costs.dtype)
    np.minimum.at(giver, adjacent, costs)
    while True:
        left = costs - giver[adjacent] - taker[takers]
        tight = left == 0
        begin = np.append(0, np.cumsum(np.bincount(takers[tight], minlength=demand.size)))
        _, lacking = unmet(supply, demand, begin, adjacent[tight])
        if not lacking.any():
            prices, rows = [*giver.tolist(), *taker.tolist()], [*supply.tolist(), *demand.tolist()]
            total: int = sum(price * number for price, number in zip(prices, rows, strict=True))
            return total
        mine = lacking[takers]
        near = np.zeros(supply.size, np.bool_)
        near[adjacent[tight & mine]] = True
        far = left[mine & ~near[adjacent]]
        if not far.size:
            return None
        step = far.min()
        taker[lacking] = taker[lacking] + step
        giver[near] = giver[near] - step
