"""An experiment run again: the lines, the claims, and what is said beside them."""

import dataclasses

import pytest

from incrowd.errors import InputError
from incrowd.progress import Watch
from incrowd.reproduce.experiment import reproduce
from oracles.tiny_experiment import tiny_experiment


@pytest.mark.parametrize("against", ["mondrian", "exact"])
def test_every_k_is_run_once_in_order_by_both(against):
    found = reproduce(tiny_experiment(against=against), Watch(), ks=[3, 2, 3])
    assert [(line.k, line.method) for line in found.lines] == [
        (2, "greedy"), (2, against), (3, "greedy"), (3, against),
    ]  # fmt: skip
    assert found.rows == 12
    assert [(verdict.claim, verdict.word, verdict.ours) for verdict in found.verdicts] == [
        ("both were run", "holds", "2 k")
    ]
    assert all(line.smallest >= line.k for line in found.lines)


def test_what_was_not_run_is_not_judged():
    found = reproduce(tiny_experiment(), Watch(), ks=[2])
    assert [verdict.word for verdict in found.verdicts] == ["not judged"]


@pytest.mark.parametrize("ks", [[], [0, 2], [2, 13]])
def test_a_k_that_no_class_can_have_is_refused(ks):
    with pytest.raises(InputError, match="--ks must be whole numbers from 1 to the table's 12 rows"):
        reproduce(tiny_experiment(), Watch(), ks=ks)


def test_another_number_of_rows_or_patterns_is_noted():
    notes = reproduce(tiny_experiment(told=5, patterns=7), Watch(), ks=[2]).notes
    assert "the file has 12 rows, the paper's had 5: it has grown since" in notes
    assert "the mask has 8 patterns here" in notes
    assert len(reproduce(tiny_experiment(), Watch(), ks=[2]).notes) == 4


def test_the_order_of_patterns_of_equal_cost_is_noted():
    for ties in ("domains", "colexicographic"):
        notes = reproduce(dataclasses.replace(tiny_experiment(), ties=ties), Watch(), ks=[2]).notes
        assert f"patterns of equal cost in the order {ties!r} (as --ties of --solver greedy)" in notes


def test_interrupted_it_says_so_and_keeps_what_was_run():
    watch = Watch(on_event=lambda _: watch.interrupt())
    found = reproduce(tiny_experiment(), watch, ks=[2, 3])
    assert [(line.k, line.method) for line in found.lines] == [(2, "greedy")]
    assert found.notes[-1] == "interrupted: the rest was not run"


def test_its_json_holds_the_lines_and_the_verdicts_in_words():
    found = reproduce(tiny_experiment(), Watch(), ks=[2, 3])
    told = found.to_json()
    assert told["title"] == "Table 9: greedy heuristic and Mondrian on tiny, 8 patterns"
    assert [line["k"] for line in told["lines"]] == [2, 2, 3, 3]
    assert [claim["verdict"] for claim in told["claims"]] == ["holds"]


def test_the_papers_program_is_run_beside_the_exact_solver():
    found = reproduce(tiny_experiment(against="exact"), Watch(), ks=[2, 3], solver="ilp")
    assert [(line.k, line.method) for line in found.lines] == [
        (k, m) for k in (2, 3) for m in ("greedy", "ilp", "exact")
    ]
    ours, exact = found.by_k("ilp"), found.by_k("exact")
    assert [ours[k].suppressed for k in (2, 3)] == [exact[k].suppressed for k in (2, 3)]
    assert all(line.optimal for line in ours.values())
    assert found.title == "Table 9: greedy heuristic and the paper's integer program on tiny, 8 patterns"
    assert found.to_json()["solver"] == "ilp"


def test_a_program_without_a_release_in_time_is_missed_and_noted():
    found = reproduce(tiny_experiment(against="exact"), Watch(), ks=[2, 3], solver="ilp", time_limit=0)
    assert [one.k for one in found.missed] == [2, 3]
    assert found.by_k("ilp") == {}
    assert "it had no release within --time-limit at k = 2, 3" in found.notes
    assert [verdict.ours for verdict in found.verdicts] == ["no release within --time-limit at k = 2, 3"]


def test_the_integer_program_goes_with_exact_tables_alone():
    with pytest.raises(InputError, match="--solver goes with Tables 6 to 8"):
        reproduce(tiny_experiment(), Watch(), solver="ilp")
