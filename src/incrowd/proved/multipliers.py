"""A certificate's prices and multipliers under requirements as whole numbers: suggestions that the program checks.

Nothing rests on them but how high a bound comes out. A logarithm is handed over as a whole number of 2^-30, beside a
base whose powers the program compares with what it is the logarithm of.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

from incrowd.check.exact import floor_of_ln

if TYPE_CHECKING:
    from collections.abc import Mapping
    from typing import Any

    from numpy.typing import NDArray

    from incrowd.proved.requirements import Required, Rule


FINE = 1 << 30
BASE = (1 << 96) + (1 << 66) + (1 << 35) + 10  # floor(2^96 e^(1 / FINE))


def required_proof(required: Required, claim: Mapping[str, Any], rows: NDArray[np.int64]) -> list[int]:
    """Return a certificate of version 2 as numbers; its trees and small classes are left out: the bound is lower.

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
        found += [*one[:m], int(first[i]), r, *_numbers(required.rules[r], numbers)]
    return found


def _numbers(rules: tuple[Rule, ...], numbers: list[int]) -> list[int]:
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
