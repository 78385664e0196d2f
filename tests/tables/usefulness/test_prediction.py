"""Models that learn from a release."""

from __future__ import annotations

import pytest

from incrowd.errors import InputError
from incrowd.progress import Watch
from incrowd.tables.usefulness.prediction import REPEATS, prediction
from usefulness_tables import coded


@pytest.fixture(autouse=True, scope="module")
def sklearn():
    """Skip where it is missing; it takes long to import, so not while tests are collected."""
    return pytest.importorskip("sklearn")


LINES = [(f"x{i % 3}", f"y{i // 3 % 2}", f"t{i % 3}") for i in range(300)]


def test_a_function_is_learned_from_a_table_that_shows_it_and_not_from_stars():
    whole = prediction(coded(LINES, LINES), "c2", seed=0)
    assert (whole.accuracy, whole.of_original, whole.repeats) == (1, 1, REPEATS)
    assert whole.of_guess == pytest.approx(1 / 3)
    hidden = prediction(coded(LINES, [("*", y, t) for _, y, t in LINES]), "c2", seed=0)
    assert hidden.accuracy < 0.6
    assert hidden.of_original == 1


def test_rows_without_their_target_are_left_out():
    released = [(x, y, "*" if i // 6 % 2 else t) for i, (x, y, t) in enumerate(LINES)]
    assert prediction(coded(LINES, released), "c2", seed=0).accuracy == 1


def test_targets_that_cannot_be_learned_are_refused():
    with pytest.raises(InputError, match="column 'c0' has 1 different values"):
        prediction(coded([("x", "y")], [("x", "y")]), "c0", seed=0)
    with pytest.raises(InputError, match="shows fewer than two values of column 'c2'"):
        prediction(coded(LINES, [(x, y, "*") for x, y, _ in LINES]), "c2", seed=0)
    many = [(str(i), "y") for i in range(60)]
    with pytest.raises(InputError, match="has 60 different values"):
        prediction(coded(many, many), "c0", seed=0)


def test_a_stopped_watch_leaves_it_without_a_draw():
    watch = Watch()
    watch.limit(0)
    assert prediction(coded(LINES, LINES), "c2", seed=0, watch=watch).repeats == 0


def test_a_target_that_stands_alone_is_refused():
    lines = [("a",), ("b",)] * 50
    with pytest.raises(InputError, match="column 'c0' is the only one that is looked at"):
        prediction(coded(lines, lines), "c0", seed=0)
