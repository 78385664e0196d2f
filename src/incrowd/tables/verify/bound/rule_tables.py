"""Requirements read for a recount: the rules of all of them, and as arrays for the check's loops."""

from __future__ import annotations

import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from incrowd.tables.verify.bound.class_values import DISTINCT, EQUAL, SHARES
from incrowd.tables.verify.bound.strict_numbers import LIMIT, Unreadable
from incrowd.tables.verify.requirements.reading import reading_of, settings_of
from incrowd.tables.verify.requirements.rules import Close, Distinct, Rules, Shares

if TYPE_CHECKING:
    from collections.abc import Sequence
    from typing import Any

    from numpy.typing import NDArray

    from incrowd.tables.values import Domain
    from incrowd.tables.verify.requirements.reading import Settings

    Int64 = NDArray[np.int64]


MUS = (Fraction(0), Fraction(1, 4), Fraction(1, 2), *(Fraction(1 << m) for m in range(6)))
MOST_DENOMINATOR = 1 << 60  # [V6]


@dataclass(frozen=True, slots=True, eq=False)
class Asked:
    """One requirement of the policy, read. `name`: of its model. `rule`: itself as the policy writes it."""

    name: str
    settings: Settings
    rule: str
    says: Rules


class Tables(NamedTuple):
    """The rules that classes of one size are estimated by, R of them; at most D values.

    `family`: (R,) int64. `code`: (R, kinds) int64, value of each kind. `width`: (R,) int64, values. `least`: (R,)
    int64, DISTINCT. `over`, `under`: (R, D) int64, SHARES: the largest share of each value. `totals`: (R, D) int64,
    EQUAL: rows of the table with each value. `mus`: (M,) int64. `moved`: (R, M, N) int64, EQUAL: mu t N n, rounded up,
    by size N. `near`: (R, 2) int64, EQUAL: what rows within the table's shares must come to, times n, for k and for the
    other need. `rows`, `need`: rows of the table (n), and k.
    """

    family: Int64
    code: Int64
    width: Int64
    least: Int64
    over: Int64
    under: Int64
    totals: Int64
    mus: Int64
    moved: NDArray[np.int64]
    near: Int64
    rows: int
    need: int


def rules_of(models: Sequence[Any], domain: Domain) -> tuple[Asked, ...]:
    """Return the requirements of a policy read on a table's sensitive values.

    `models` are as the policy has them. Raise `PolicyError` for a model that the check has no reading of, or values
    that its settings cannot judge.
    """
    found = []
    for model in models:
        reading, settings = reading_of(model.name), settings_of(model)
        say = getattr(reading, "rules", None)
        found.append(Asked(model.name, settings, model.rule, Rules() if say is None else say(settings, domain)))
    return tuple(found)


def tables_of(asked: Sequence[Asked], kinds: int, rows: int, need: int, small: int, unit: int, dearest: int) -> Tables:
    """Return the rules as arrays: 8 bytes a rule and kind or value, and 72 a rule and size.

    There are `kinds` combinations of sensitive values and `rows` rows of the table, and `need` is k. Sizes below
    `small` are estimated one by one. `unit` is one step of the cost, in parts, and no row gains more than `dearest`.
    Raise `Unreadable` where the numbers do not fit.
    """
    rules: list[tuple[int, Int64, Shares | Distinct | Int64, Fraction]] = []
    for one in asked:
        for rule in one.says.rules:
            if isinstance(rule, Shares):
                rules.append((SHARES, rule.code, rule, Fraction(0)))
            elif isinstance(rule, Distinct):
                rules.append((DISTINCT, rule.code, rule, Fraction(0)))
            elif isinstance(rule, Close):
                implied = rule.equal()
                if implied is not None:
                    places, t = implied
                    totals = np.zeros(int(places.max(initial=-1)) + 1, np.int64)
                    np.add.at(totals, places, rule.totals)
                    rules.append((EQUAL, places[rule.code], totals, t))
    count = len(rules)
    width = [int(code.max(initial=0)) + 1 for _, code, _, _ in rules]
    shape = (count, max(width, default=1))
    mus = [math.floor(mu * unit) for mu in MUS]
    close = any(family == EQUAL for family, *_ in rules)
    if close and small * rows * (dearest + mus[-1]) >= LIMIT:  # [V10]
        raise Unreadable("its numbers are too large to be added up")
    code = np.zeros((count, kinds), np.int64)
    least = np.zeros(count, np.int64)
    over, under, totals = np.zeros(shape, np.int64), np.ones(shape, np.int64), np.zeros(shape, np.int64)
    moved = np.zeros((count, len(mus) if close else 0, small if close else 0), np.int64)
    near = np.zeros((count, 2), np.int64)
    for r, (family, value, told, t) in enumerate(rules):
        code[r] = value
        if isinstance(told, Shares):
            whole = {share: _whole(share) for share in set(told.share)}
            for v, share in enumerate(told.share):
                over[r, v], under[r, v] = whole[share]
        elif isinstance(told, Distinct):
            least[r] = min(told.least, LIMIT)
        else:
            totals[r, : told.size] = told
            for m, mu in enumerate(mus):
                step = mu * t * rows
                moved[r, m] = [-(-step.numerator * size // step.denominator) for size in range(small)]
            for j, needed in enumerate((need, 1)):
                near[r, j] = math.ceil((1 - t) * max(needed, small) * rows)
        assert family in (SHARES, DISTINCT, EQUAL)
    return Tables(
        np.array([family for family, *_ in rules], np.int64), code, np.array(width, np.int64), least, over, under,
        totals, np.array(mus if close else [], np.int64), moved, near, rows, need,
    )  # fmt: skip


def _whole(share: Fraction) -> tuple[int, int]:
    """Return a share as two numbers of 60 bits at most, rounded up where it has more."""
    share = min(share, Fraction(1))
    if share.denominator <= MOST_DENOMINATOR:
        return share.numerator, share.denominator
    return -(-share.numerator * MOST_DENOMINATOR // share.denominator), MOST_DENOMINATOR
