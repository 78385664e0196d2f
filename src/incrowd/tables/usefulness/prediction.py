"""How well a model that learned from the release predicts a column of the original."""

from __future__ import annotations

import warnings
from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import InputError
from incrowd.tables.usefulness.features import Features, drawn

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.usefulness.coded_tables import CodedTables

__all__ = ["MOST_CLASSES", "REPEATS", "Prediction", "prediction"]

MOST_CLASSES = 50
REPEATS = 5


@dataclass(frozen=True, slots=True)
class Prediction:
    """Shares of original rows whose value is predicted rightly.

    Attributes
    ----------
    target : str
    accuracy : float
        Of models that learned from the release; the mean over `repeats` draws.
    of_original : float
        Of models that learned from as many rows of the original.
    of_guess : float
        Of guessing the most frequent value.
    noise : float
        Standard deviation of `of_original` over the draws.
    repeats : int
        Draws; 0 where there was no time for one.
    """

    target: str
    accuracy: float
    of_original: float
    of_guess: float
    noise: float
    repeats: int


def prediction(tables: CodedTables, target: str, *, seed: int, watch: Watch | None = None) -> Prediction:
    """Learn a column from the others, in the release and in the original, and test both on original rows.

    The `target` is a column of 2 to `MOST_CLASSES` values. Where the watch stops, the draws so far are the answer.
    Raises InputError if the column has too few values or too many, the release shows fewer than two of them, or there
    is no other column.

    Notes
    -----
    Logistic regression on the shares of what a cell may stand for. Models learn from rows drawn with replacement, at
    most `MOST_ROWS`; released rows that show no single value of the target are left out. The test rows are original
    rows that a model of the original may have learned from too, so `of_original` is a little too high, never too low.
    """
    place = [column.name for column in tables.columns].index(target)
    column = tables.columns[place]
    if not 2 <= column.size <= MOST_CLASSES:
        raise InputError(
            f"column {target!r} has {column.size} different values; a target has 2 to {MOST_CLASSES}: name another "
            "with --target"
        )
    single = column.single()[tables.released[:, place]]
    known = single >= 0
    if np.unique(single[known]).size < 2:
        raise InputError(
            f"the release shows fewer than two values of column {target!r}, so nothing can be learned from it; name "
            "another target with --target"
        )
    if len(tables.columns) == 1:
        raise InputError(
            f"column {target!r} is the only one that is looked at, so there is nothing to learn it from; name another "
            "target with --target, or more quasi-identifiers"
        )
    features = Features(tables, [j for j in range(len(tables.columns)) if j != place])
    before, labels = tables.original[:, place].astype(np.int64), single[known]
    rows, released = tables.released_rows[known], tables.released[known]
    counts = np.bincount(before, weights=tables.rows)
    hits: list[tuple[float, float]] = []
    for repeat in range(REPEATS):
        if watch is not None and watch.stopped:
            break
        rng = np.random.default_rng([seed, 4, repeat])
        test = drawn(tables.rows, rng)
        x, y = features.original(tables.original[test]), before[test]
        own, other = drawn(rows, rng), drawn(tables.rows, rng)
        hits.append((
            _accuracy(features.released(released[own]), labels[own], x, y),
            _accuracy(features.original(tables.original[other]), before[other], x, y),
        ))  # fmt: skip
    guess = float(counts.max() / counts.sum())
    if not hits:
        return Prediction(target, 0.0, 0.0, guess, 0.0, 0)
    both = np.array(hits)
    return Prediction(
        target, float(both[:, 0].mean()), float(both[:, 1].mean()), guess, float(both[:, 1].std()), len(hits)
    )


def _accuracy(
    x: NDArray[np.float64], y: NDArray[np.int64], tests: NDArray[np.float64], answers: NDArray[np.int64]
) -> float:
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    if np.unique(y).size < 2:
        return float((answers == y[0]).mean())
    with warnings.catch_warnings(), threadpool_limits(1):  # small products wait longer for threads than they take
        warnings.simplefilter("ignore")  # an end by the number of steps is an answer too
        # few steps of Newton's for two values; for more, its matrix would grow with their square
        solver = "newton-cholesky" if np.unique(y).size == 2 else "lbfgs"
        model = LogisticRegression(max_iter=200, solver=solver).fit(x, y)
    return float((model.predict(tests) == answers).mean())
