"""A reproduction as text: the same figures as the lines."""

import dataclasses

import pytest

from incrowd.progress import Watch
from incrowd.reproduce.experiment import reproduce
from incrowd.reproduce.words import grid, text_of
from oracles.tiny_experiment import tiny_experiment


@pytest.fixture(scope="module")
def found():
    return reproduce(tiny_experiment(against="exact"), Watch(), ks=[2, 3])


def test_numbers_stand_to_the_right_and_words_to_the_left():
    made = grid(["name", "n"], [["a", "1"], ["long", "1,000"]], left=1)
    assert made == ["name      n", "a         1", "long  1,000"]
    assert grid(["k", "s"], [["2", "10"]], bar=1) == ["k  |   s", "2  |  10"]


def test_the_text_has_a_line_for_each_k_and_a_star_behind_what_is_proven(found):
    lines = [row.split() for row in text_of(found).splitlines()]
    for k in (2, 3):
        (row,) = [row for row in lines if row and row[0] == str(k) and "|" in row]
        greedy, exact = (next(x for x in found.lines if (x.k, x.method) == (k, m)) for m in ("greedy", "exact"))
        assert row[1].removesuffix("*") == f"{greedy.suppressed:,}"
        assert row[row.index("|") + 1] == f"{exact.suppressed:,}*"


def test_a_line_that_was_not_run_is_dashes(found):
    cut = dataclasses.replace(found, lines=found.lines[:-1])
    (row,) = [line for line in text_of(cut).splitlines() if line.split()[:1] == ["3"]]
    assert row.split("|")[1].split() == ["-"] * 6


def test_verdicts_are_counted_and_each_is_told(found):
    text = text_of(found)
    assert "What the text says: 1 holds\n  [holds] both were run\n      ours: 2 k\n" in text


def test_beside_the_papers_program_stands_how_far_each_came():
    found = reproduce(tiny_experiment(against="exact"), Watch(), ks=[2, 3], solver="ilp")
    text = text_of(found)
    assert "Left: greedy heuristic, right: the paper's integer program, in HiGHS." in text
    part = text.split("How far each came in 60 seconds.")[1]
    for k in (2, 3):
        cost = f"{found.by_k('ilp')[k].suppressed:,}"
        (row,) = [line.split() for line in part.splitlines() if line.split()[:1] == [str(k)]]
        assert row[1:5] == [cost, cost, "0.00", "%"] and row[6:9] == ["|", cost, cost]


def test_a_run_without_a_release_is_told_with_its_bound():
    found = reproduce(tiny_experiment(against="exact"), Watch(), ks=[2], solver="ilp", time_limit=0)
    (row,) = [line for line in text_of(found).splitlines() if line.split()[1:2] == ["none"]]
    assert row.split()[:4] == ["2", "none", "0", "-"]
