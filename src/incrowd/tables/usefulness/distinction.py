"""Whether a model can tell rows of the release from rows of the original."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.tables.usefulness.features import Features, drawn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.tables.usefulness.coded_tables import CodedTables

__all__ = ["Distinction", "distinction"]


@dataclass(frozen=True, slots=True)
class Distinction:
    """The mean squared error of propensities, and what to hold it against.

    Attributes
    ----------
    pmse : float
        Mean of ``(p - 1/2)^2``, p the chance that the model gives a row of being a released one: 0 if it cannot tell,
        1/4 if it always can.
    expected : float
        What another sample of the original would give on average, by theory.
    ratio : float
        `pmse` over `expected`: 1 is as good as another sample.
    pmse_of_noise : float
        What another sample of the original's size, drawn from the original, gave.
    rows : int
        Rows of each kind that the model learned from.
    """

    pmse: float
    expected: float
    ratio: float
    pmse_of_noise: float
    rows: int


def distinction(tables: CodedTables, *, seed: int) -> Distinction:
    """Let a logistic regression tell released rows from original ones.

    One column at least has two values. It learns from at most `MOST_ROWS` rows of each table: time does not grow beyond
    that.

    References
    ----------
    J. Snoke, G. M. Raab, B. Nowok, C. Dibben, A. Slavkovic, "General and specific utility measures for synthetic
    data", JRSS A 181(3), 2018: pMSE and its expectation (k - 1)(1 - c)^2 c / N for k parameters, N rows, c released.
    """
    rng = np.random.default_rng([seed, 3])
    features = Features(tables, range(len(tables.columns)))
    one = features.original(tables.original[drawn(tables.rows, rng)])
    two = features.released(tables.released[drawn(tables.released_rows, rng)])
    three = features.original(tables.original[drawn(tables.rows, rng)])
    share = len(two) / (len(one) + len(two))
    expected = one.shape[1] * (1 - share) ** 2 * share / (len(one) + len(two))
    pmse = _pmse(one, two)
    return Distinction(pmse, expected, pmse / expected if expected else 0.0, _pmse(one, three), len(two))


def _pmse(one: NDArray[np.float64], two: NDArray[np.float64]) -> float:
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    x = np.vstack([one, two])
    y = np.repeat([0, 1], [len(one), len(two)])
    # nearly no penalty: propensities are to be those of the plain regression
    with threadpool_limits(1):  # such small products wait longer for threads than they take
        model = LogisticRegression(C=1e4, max_iter=300, solver="newton-cholesky").fit(x, y)
    return float(((model.predict_proba(x)[:, 1] - len(two) / len(x)) ** 2).mean())
