"""What a release costs, from the two tables alone, as much as its cells leave open; whether a claim lies between."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, Any

from incrowd.tables.verify.release.groups import loss_of_texts

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import ibis.expr.types as ir

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Opened
    from incrowd.tables.verdict import Loss
    from incrowd.tables.verify.rules import Rules


def recounted_cost(
    engine: Engine, original: Opened, released: Opened, rules: Rules, loss: Loss | None
) -> tuple[Fraction, Fraction] | None:
    """Return what a release costs in the user's units, least and most; None where it lacks a quasi-identifier.

    The engine holds both tables. `loss` is that of the release, where it was recounted before.
    """
    if loss is not None:
        return loss.cost
    if not set(rules.names) <= set(released.names):
        return None
    if rules.policy.star is not None:
        return loss_of(engine, released, rules).cost
    after = [released.data[released.ids[name]] for name in rules.names]
    # Whatever row came from which, a NULL of the original is NULL in the release, starred or shown: the release's
    # other NULLs are stars, and those may be.
    before = [original.data[original.ids[name]] for name in rules.names]
    most, shown = _nulls(engine, released, after), _nulls(engine, original, before)
    weights = [rules.star_cost(name) for name in rules.names]
    least = sum((max(a - b, 0) * w for a, b, w in zip(most, shown, weights, strict=True)), Fraction(0))
    return least, sum((a * w for a, w in zip(most, weights, strict=True)), Fraction(0))


def loss_of(engine: Engine, released: Opened, rules: Rules) -> Loss:
    """Return the loss of a release whose stars are a text; it has every quasi-identifier."""
    return loss_of_texts(engine, released.data, [released.ids[name] for name in rules.names], rules)


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
