from fractions import Fraction

import numpy as np
import pytest

from incrowd.errors import InputError
from incrowd.tables.hierarchy.number_ranges import NumberRanges, read_numbers
from incrowd.tables.verify.release.grid_labels import exact_numbers, read_ladder
from seeds import seeds

NUMBERS = ["17", "23", "29", "31", "90"]


def held(label, step=None, values=NUMBERS):
    lines = read_ladder(values, [label], "age", "*", step).hierarchy.lines
    return {line[0] for line in lines if label in line[1:]}


def test_a_label_stands_for_the_values_between_its_ends():
    assert held("20-29") == {"23", "29"}
    assert held("< 30") == {"17", "23", "29"}
    assert held(">= 30") == {"31", "90"}


@pytest.mark.parametrize(
    "label",
    [
        "10-29",
        "20-90",
        "20-99",
        "< 10",
        ">= 10",
        "< 100",
        ">= 100",
        "29-20",
        "40-49",
        "20 -29",
        "[20-29]",
        "20-29.5",
        "x",
    ],
)
def test_what_is_no_range_inside_the_column_or_closed_where_it_must_be_open_stands_for_nothing(label):
    assert held(label) == set()


def test_ends_off_the_grid_stand_for_nothing():
    assert held("20-29", Fraction(10)) == {"23", "29"}
    assert held("21-29", Fraction(10)) == set()
    assert held("< 25", Fraction(10)) == set()


@seeds(50)
def test_every_label_that_is_written_is_read_as_the_values_of_its_run(seed):
    rng = np.random.default_rng(seed)
    digits = int(rng.integers(0, 3))
    numbers = sorted({int(n) for n in rng.integers(-60, 90, 12)})
    texts = [f"{n / 10**digits:.{digits}f}" for n in numbers]
    if len({Fraction(text) for text in texts}) < 3:
        return
    texts = list({Fraction(text): text for text in texts}.values())
    step = Fraction(int(rng.integers(1, 25)), 10**digits)
    try:
        grid = NumberRanges(tuple(texts), read_numbers(texts), step)
    except Exception:
        return
    for a in range(grid.cells):
        for b in range(a, grid.cells):
            if b - a < grid.cells - 1:
                label = grid.label(a, b)
                want = {text for text, cell in zip(texts, grid.cell, strict=True) if a <= cell <= b}
                assert held(label, step, texts) == want


def test_numbers_and_days_are_exact_and_texts_are_refused():
    assert exact_numbers(["0.1", "2"], "a") == (Fraction(1, 10), 2)
    assert exact_numbers(["0001-01-02", "0001-01-01"], "a") == (2, 1)
    with pytest.raises(InputError, match="neither numbers nor dates"):
        exact_numbers(["a"], "a")
