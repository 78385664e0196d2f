"""Every figure of a release's usefulness, asked one after the other."""

from __future__ import annotations

import contextlib
import importlib.util
import itertools
import math
import warnings
from typing import TYPE_CHECKING, Any

import numpy as np
import scipy.sparse

from incrowd.errors import InputError, PolicyError
from incrowd.progress import Watch
from incrowd.tables.usefulness.coded_tables import rows_of_values, spread

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from contextlib import AbstractContextManager

    from numpy.typing import NDArray

    from incrowd.tables.usefulness.coded_tables import CodedColumn, CodedTables
    from incrowd.tables.values import Int32, Int64

    Folded = tuple[tuple[NDArray[np.integer], ...], NDArray[np.float64]]
    Float64 = NDArray[np.float64]

MOST_QUERIES = 1_000_000
NO_LEARNING = "without scikit-learn (incrowd[usefulness]) no model was asked to tell the tables apart"
CUT_SHORT = "not all questions were asked: the limit of time or memory came first"


def figures_of(
    tables: CodedTables,
    *,
    seed: int,
    queries: int = 1000,
    target: str | None = None,
    models: bool = True,
    watch: Watch | None = None,
    timed: Callable[[str], AbstractContextManager[Any]] | None = None,
) -> dict[str, Any]:
    """Return what analysts would find in a release, beside what they would find in its original.

    These are names and numbers, never a cell. `seed` is that of all that is drawn, and `queries` the number of random
    counts, 1 to `MOST_QUERIES`. `target` is a column that a model is to predict, which needs scikit-learn; `models`
    says whether a model is asked to tell the tables apart. The time of `watch` is shared: half of it for counts, half
    of the rest for associations; models that were begun end. `timed` is called with the name of each stage, for a
    context that times it.
    """
    watch, timed = watch or Watch(), timed or contextlib.nullcontext
    notes = []
    counted = watch.share(0.5)
    with timed("counts"):
        counts = count_errors(tables, seed=seed, queries=queries, watch=counted)
    with timed("associations"):
        pairs = associations(tables, seed=seed, watch=watch.share(0.5))
    apart = predicted = None
    with timed("models"):
        if models and not can_learn():
            notes.append(NO_LEARNING)
        elif models and not watch.stopped and any(column.size > 1 for column in tables.columns):
            apart = distinction(tables, seed=seed)
        if target is not None:
            predicted = prediction(tables, target, seed=seed, watch=watch)
    if watch.stopped or (counted.stopped and counts["queries"] < queries):
        notes.append(CUT_SHORT)
    return {
        "rows": tables.n,
        "released_rows": int(tables.released_rows.sum()),
        "columns": [column.name for column in tables.columns],
        "counts": counts,
        "associations": pairs,
        "distinction": apart,
        "prediction": predicted,
        "seed": seed,
        "notes": notes,
    }


def refuse_questions(target: str | None, queries: Any) -> None:
    """Refuse what cannot be asked of any release.

    `target` is the column that a model is to predict, and `queries` the number of random counts. Raises PolicyError or
    InputError if the counts are no number from 1 to `MOST_QUERIES`, or if a target is named without scikit-learn.
    """
    if isinstance(queries, bool) or not isinstance(queries, int) or not 1 <= queries <= MOST_QUERIES:
        raise PolicyError(f"queries must be a whole number from 1 to {MOST_QUERIES:,}, not {queries}")
    if target is not None and not can_learn():
        raise InputError("target needs scikit-learn; install it with pip install '.[usefulness]'")


# How far random counts are off when they are asked of the release.
MOST_COLUMNS = 3
MOST_CELLS = 1 << 18  # combinations of values that are counted together
KEPT = 1 << 22  # numbers of such counts that are held at once: 32 MB
LEAST = 30  # true count that is asked
TRIES = 20  # draws for each query that is wanted: most counts of narrow selections are below the least


def count_errors(tables: CodedTables, *, seed: int, queries: int, watch: Watch) -> dict[str, Any]:
    """Ask random counts of the original and of the release, and return their relative errors.

    `queries` is how many counts are asked, none with a true count below `LEAST`; rarer selections are drawn again, up
    to `TRIES` times each. Where the watch stops, what was asked so far is the answer: ``queries`` of them. ``mean`` and
    ``median`` are of ``|answer - true| / true``, a released cell read as uniform over the values that it may stand for;
    ``_by_shares`` the same where each of these values weighs as often as it occurs in the original; ``_of_noise`` the
    same for another sample of the original's size, drawn from the original. ``p90`` is what nine tenths of the errors
    that ``mean`` is of stay below. All are 0 where there was no count to ask.

    Notes
    -----
    A query selects in one to three columns: an interval of a column of numbers, else a set of up to a third of its
    values. O(queries * (t + u)) for t and u distinct rows at the most: what a few columns hold together is counted once
    where it has at most `MOST_CELLS` combinations.

    References
    ----------
    J. Xu et al., "Utility-Based Anonymization Using Local Recoding", KDD 2006 (random counts as a measure).
    """
    rng = np.random.default_rng([seed, 1])
    n = tables.n
    found: list[list[float]] = []
    shares = [rows_of_values(tables, j) for j in range(len(tables.columns))]
    before = _Folded(tables.original, tables.rows, [column.size for column in tables.columns])
    after = _Folded(tables.released, tables.released_rows, [column.begins.size - 1 for column in tables.columns])
    for tried in range(queries * TRIES if n >= LEAST else 0):  # no selection has more rows than the table
        if len(found) == queries or (tried % 16 == 0 and watch.stopped):
            break
        columns = rng.choice(
            len(tables.columns), int(rng.integers(1, min(MOST_COLUMNS, len(tables.columns)) + 1)), False
        )
        chosen = [(int(j), _selection(tables.columns[j], rng)) for j in columns]
        chosen.sort(key=lambda one: one[0])
        places = tuple(j for j, _ in chosen)
        codes, rows = before.on(places)
        inside = np.logical_and.reduce([selected[code] for (_, selected), code in zip(chosen, codes, strict=True)])
        true = int(rows[inside].sum())
        if true < LEAST:
            continue
        codes, rows = after.on(places)
        even, known = rows, rows
        for (j, selected), code in zip(chosen, codes, strict=True):
            column = tables.columns[j]
            even = even * spread(column, selected[:, None].astype(float))[code, 0]
            both = spread(column, np.stack([shares[j] * selected, shares[j]], axis=1))
            known = known * (both[:, 0] / both[:, 1])[code]
        answers = [float(even.sum()), float(known.sum()), int(rng.binomial(n, true / n))]
        found.append([abs(answer - true) / true for answer in answers])
    errors = np.array(found or [[0.0] * 3])
    told: dict[str, Any] = {"queries": len(found), "least": LEAST}
    means, medians = errors.mean(axis=0).tolist(), np.median(errors, axis=0).tolist()
    for by, mean, median in zip(("", "_by_shares", "_of_noise"), means, medians, strict=True):
        told |= {f"mean{by}": mean, f"median{by}": median}
    return told | {"p90": float(np.quantile(errors[:, 0], 0.9))}


class _Folded:
    """The rows of one table as a few of its columns see them.

    `codes` is (t, m), and `rows` is (t,): how many rows are like each. `sizes` has the number of codes of each of the m
    columns.
    """

    def __init__(self, codes: NDArray[np.int32], rows: NDArray[np.int64], sizes: Sequence[int]) -> None:
        self._codes = np.asfortranarray(codes)  # a column at a time is looked up
        self._rows = rows.astype(np.float64)  # exact: below 2^53
        self._sizes = sizes
        self._known: dict[tuple[int, ...], Folded] = {}
        self._room = KEPT

    def on(self, columns: tuple[int, ...]) -> Folded:
        """Return codes of the columns and rows of each combination; combinations may come more than once.

        The columns are in rising order.
        """
        if columns in self._known:
            return self._known[columns]
        codes: tuple[NDArray[np.integer], ...] = tuple(self._codes[:, j] for j in columns)
        sizes = [self._sizes[j] for j in columns]
        if math.prod(sizes) > min(MOST_CELLS, self._rows.size):
            return codes, self._rows
        key = np.ravel_multi_index(codes, sizes)
        counts = np.bincount(key, weights=self._rows, minlength=math.prod(sizes)).astype(np.float64)
        there = np.flatnonzero(counts)
        folded: Folded = tuple(np.unravel_index(there, sizes)), counts[there]
        taken = there.size * (len(columns) + 1)
        if taken <= self._room:
            self._room -= taken
            self._known[columns] = folded
        return folded


def _selection(column: CodedColumn, rng: np.random.Generator) -> NDArray[np.bool_]:
    """Draw the values that a count asks for in one column."""
    selected = np.zeros(column.size, np.bool_)
    if column.numbers is not None:
        order = np.argsort(column.numbers, kind="stable")
        order = order[: int((~np.isnan(column.numbers)).sum())]
        width = int(rng.integers(1, max(2, order.size // 2 + 1)))
        first = int(rng.integers(0, order.size - width + 1))
        selected[order[first : first + width]] = True
    else:
        selected[rng.choice(column.size, int(rng.integers(1, max(2, column.size // 3 + 1))), False)] = True
    return selected


# How well a model that learned from the release predicts a column of the original.
MOST_CLASSES = 50
REPEATS = 5


def prediction(tables: CodedTables, target: str, *, seed: int, watch: Watch) -> dict[str, Any]:
    """Learn a column from the others, in the release and in the original, and test both on original rows.

    The `target` is a column of 2 to `MOST_CLASSES` values. Where the watch stops, the draws so far are the answer.
    Raises InputError if the column has too few values or too many, the release shows fewer than two of them, or there
    is no other column. Logistic regression on the shares of what a cell may stand for. Models learn from rows drawn
    with replacement, at most `MOST_ROWS`; released rows that show no single value of the target are left out. The test
    rows are original rows that a model of the original may have learned from too, so ``of_original`` is a little too
    high, never too low. What is returned are shares of original rows whose value is predicted rightly: ``accuracy`` of
    models that learned from the release, the mean over ``repeats`` draws (0 where there was no time for one),
    ``of_original`` of models that learned from as many rows of the original, with its standard deviation ``noise``, and
    ``of_guess`` of guessing the most frequent value.
    """
    place = [column.name for column in tables.columns].index(target)
    column = tables.columns[place]
    if not 2 <= column.size <= MOST_CLASSES:
        raise InputError(
            f"column {target!r} has {column.size} different values; a target has 2 to {MOST_CLASSES}: name another"
        )
    single = column.single()[tables.released[:, place]]
    known = single >= 0
    if np.unique(single[known]).size < 2:
        raise InputError(
            f"the release shows fewer than two values of column {target!r}, so nothing can be learned from it; name "
            "another target"
        )
    if len(tables.columns) == 1:
        raise InputError(
            f"column {target!r} is the only one that is looked at, so there is nothing to learn it from; name another "
            "target, or more quasi-identifiers"
        )
    features = Features(tables, [j for j in range(len(tables.columns)) if j != place])
    before, labels = tables.original[:, place].astype(np.int64), single[known]
    rows, released = tables.released_rows[known], tables.released[known]
    counts = np.bincount(before, weights=tables.rows)
    hits: list[tuple[float, float]] = []
    for repeat in range(REPEATS):
        if watch.stopped:
            break
        rng = np.random.default_rng([seed, 4, repeat])
        test = drawn(tables.rows, rng)
        x, y = features.original(tables.original[test]), before[test]
        own, other = drawn(rows, rng), drawn(tables.rows, rng)
        hits.append((
            _accuracy(features.released(released[own]), labels[own], x, y),
            _accuracy(features.original(tables.original[other]), before[other], x, y),
        ))  # fmt: skip
    accuracy, of_original = np.array(hits or [(0.0, 0.0)]).T
    return {
        "target": target,
        "accuracy": float(accuracy.mean()),
        "of_original": float(of_original.mean()),
        "of_guess": float(counts.max() / counts.sum()),
        "noise": float(of_original.std()),
        "repeats": len(hits),
    }


def _accuracy(
    x: NDArray[np.float64], y: NDArray[np.int64], tests: NDArray[np.float64], answers: NDArray[np.int64]
) -> float:
    if np.unique(y).size < 2:
        return float((answers == y[0]).mean())
    # few steps of Newton's for two values; for more, its matrix would grow with their square
    solver = "newton-cholesky" if np.unique(y).size == 2 else "lbfgs"
    model = _learned(x, y, max_iter=200, solver=solver)
    return float((model.predict(tests) == answers).mean())


def _learned(x: NDArray[np.float64], y: NDArray[np.int64], **options: Any) -> Any:
    """Return a logistic regression that was fitted."""
    from sklearn.linear_model import LogisticRegression
    from threadpoolctl import threadpool_limits

    with warnings.catch_warnings(), threadpool_limits(1):  # small products wait longer for threads than they take
        warnings.simplefilter("ignore")  # an end by the number of steps is an answer too
        return LogisticRegression(**options).fit(x, y)


# Whether a model can tell rows of the release from rows of the original.
def distinction(tables: CodedTables, *, seed: int) -> dict[str, Any]:
    """Let a logistic regression tell released rows from original ones.

    One column at least has two values. It learns from at most `MOST_ROWS` rows of each table: time does not grow beyond
    that. ``pmse`` is the mean of ``(p - 1/2)^2``, p the chance that the model gives a row of being a released one: 0 if
    it cannot tell, 1/4 if it always can; ``expected`` is what another sample of the original would give on average, by
    theory, ``ratio`` is `pmse` over that, and ``pmse_of_noise`` is what such a sample gave.

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
    told = {"pmse": pmse, "expected": expected, "ratio": pmse / expected if expected else 0.0}
    return {**told, "pmse_of_noise": _pmse(one, three), "rows": len(two)}


def _pmse(one: NDArray[np.float64], two: NDArray[np.float64]) -> float:
    x = np.vstack([one, two])
    y = np.repeat([0, 1], [len(one), len(two)])
    # nearly no penalty: propensities are to be those of the plain regression
    model = _learned(x, y, C=1e4, max_iter=300, solver="newton-cholesky")
    return float(((model.predict_proba(x)[:, 1] - len(two) / len(x)) ** 2).mean())


# Rows as numbers, for models that learn from them.
MOST_ROWS = 20_000  # what a model learns from, drawn with replacement from larger tables


def can_learn() -> bool:
    """Return whether scikit-learn is there, which models are learned with."""
    return importlib.util.find_spec("sklearn") is not None


class Features:
    """Each row as the shares of its columns' bins, and the place of its numbers between their least and greatest.

    A released cell is read as uniform over the values that it may stand for, so that a star is a share in every bin.
    `columns` are the places of the columns that make features.
    """

    def __init__(self, tables: CodedTables, columns: Sequence[int]) -> None:
        self.columns = tuple(columns)
        self._values: list[Float64] = []
        self._labels: list[Float64] = []
        for j in self.columns:
            column = tables.columns[j]
            of = bins_of(column, rows_of_values(tables, j))
            # the first bin is what the others leave: as a feature it would say nothing new
            parts = np.eye(int(of.max()) + 1)[of][:, 1:]
            if column.numbers is not None:
                known = np.nan_to_num(column.numbers, nan=float(np.nanmean(column.numbers)))
                parts = np.column_stack([parts, (known - known.min()) / max(float(np.ptp(known)), 1e-300)])
            self._values.append(parts)
            self._labels.append(spread(column, parts))

    def original(self, codes: Int32) -> Float64:
        """Return the features of original rows, given as value codes of shape (r, m)."""
        return self._of(self._values, codes)

    def released(self, codes: Int32) -> Float64:
        """Return the features of released rows, given as label codes of shape (r, m)."""
        return self._of(self._labels, codes)

    def _of(self, parts: list[Float64], codes: Int32) -> Float64:
        return np.hstack([part[codes[:, j]] for part, j in zip(parts, self.columns, strict=True)])


def drawn(rows: NDArray[np.int64], rng: np.random.Generator) -> NDArray[np.int64]:
    """Draw rows with replacement, as many as there are but `MOST_ROWS` at most.

    What is returned, of shape (r,), are places of distinct rows. `rows` is (t,): how many rows are like each distinct
    one.
    """
    n = int(rows.sum())
    return rng.choice(rows.size, min(n, MOST_ROWS), p=rows / n)


# How far the associations between two columns are from the original's.
MOST_BINS = 20  # values of a column that are looked at apart: its most frequent ones, or ranges of its numbers
MOST_PAIRS = 500


def associations(tables: CodedTables, *, seed: int, watch: Watch) -> dict[str, Any]:
    """Compare Cramer's V of every pair of columns in the release with that in the original.

    Where the watch stops, the pairs so far are the answer; there are `MOST_PAIRS` at most, a sample of more. ``mean``
    and ``largest`` are of the absolute differences, 0 to 1; ``furthest`` are the two columns of the largest, with V in
    either table, ``of_original`` and ``of_release``. With ``_of_noise`` they are the same differences for another
    sample of the original's size, drawn from the original. Without a pair they are 0.

    Notes
    -----
    A released cell counts in equal parts for the values that it may stand for, one column independently of the
    other. O(pairs * (t + u)) for t and u distinct rows.

    References
    ----------
    H. Cramer, "Mathematical Methods of Statistics", 1946 (V).
    """
    rng = np.random.default_rng([seed, 2])
    again = rng.multinomial(tables.n, tables.rows / tables.n)
    bins = [bins_of(column, rows_of_values(tables, j)) for j, column in enumerate(tables.columns)]
    parts = [spread(column, np.eye(int(of.max()) + 1)[of]) for column, of in zip(tables.columns, bins, strict=True)]
    pairs = list(itertools.combinations(range(len(tables.columns)), 2))
    if len(pairs) > MOST_PAIRS:
        pairs = [pairs[p] for p in sorted(rng.choice(len(pairs), MOST_PAIRS, False))]
    found: list[tuple[float, float, float]] = []
    for i, j in pairs:
        if watch.stopped:
            break
        one, two = bins[i][tables.original[:, i]], bins[j][tables.original[:, j]]
        sizes = (parts[i].shape[1], parts[j].shape[1])
        labels = scipy.sparse.coo_array(
            (tables.released_rows.astype(float), (tables.released[:, i], tables.released[:, j])),
            shape=(parts[i].shape[0], parts[j].shape[0]),
        ).tocsr()
        found.append((
            cramers_v(_table(one, two, tables.rows, sizes)),
            cramers_v(parts[i].T @ (labels @ parts[j])),
            cramers_v(_table(one, two, again, sizes)),
        ))  # fmt: skip
    had, has, noisy = np.array(found or [(0.0, 0.0, 0.0)]).T
    off, noise = np.abs(has - had), np.abs(noisy - had)
    far = int(off.argmax())
    return {
        "pairs": len(found),
        "mean": float(off.mean()),
        "largest": float(off.max()),
        "furthest": [tables.columns[j].name for j in pairs[far]] if found else [],
        "of_original": float(had[far]),
        "of_release": float(has[far]),
        "mean_of_noise": float(noise.mean()),
        "largest_of_noise": float(noise.max()),
    }


def bins_of(column: CodedColumn, rows: Float64) -> Int64:
    """Return for each value of a column its bin: values as they are, else ranges of numbers or frequent values.

    The bins are (d,) for the d values of the column, 0 to `MOST_BINS` - 1 at most. `rows` is (d,): the rows of each.
    """
    if column.size <= MOST_BINS:
        return np.arange(column.size)
    found = np.full(column.size, MOST_BINS - 1, np.int64)
    if column.numbers is not None:
        known = np.flatnonzero(~np.isnan(column.numbers))
        order = known[np.argsort(column.numbers[known], kind="stable")]
        before = np.cumsum(rows[order]) - rows[order]
        found[order] = np.minimum(
            (before * (MOST_BINS - 1) / max(rows[order].sum(), 1)).astype(np.int64), MOST_BINS - 2
        )
    else:
        most = np.argsort(-rows, kind="stable")[: MOST_BINS - 1]
        found[most] = np.arange(most.size)
    return np.unique(found, return_inverse=True)[1].reshape(-1).astype(np.int64)


def _table(one: Int64, two: Int64, rows: Int64, sizes: tuple[int, int]) -> Float64:
    cells = np.bincount(one * sizes[1] + two, weights=rows, minlength=sizes[0] * sizes[1])
    return cells.reshape(sizes).astype(np.float64)


def cramers_v(table: Float64) -> float:
    """Return Cramer's V of a table of counts, 0 (independent) to 1; 0 where a side has one category.

    The counts, of shape (a, b), are 0 or more; they need not be whole.
    """
    table = table[table.sum(axis=1) > 0][:, table.sum(axis=0) > 0]
    if min(table.shape) < 2:
        return 0.0
    total = table.sum()
    phi = float((table**2 / np.outer(table.sum(axis=1), table.sum(axis=0))).sum()) - 1
    return float(np.sqrt(max(phi, 0.0) / (min(table.shape) - 1))) if total else 0.0
