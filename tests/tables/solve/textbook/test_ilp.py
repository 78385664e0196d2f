"""The integer program of the paper as a solver."""

from __future__ import annotations

import polars as pl

import incrowd

# Six rows on which the engine's presolve went round for ever, given the cutoff of the greedy release.
ENDLESS = {
    "a": ["a0", "a2", "a0", "a0", "a0", "a2"],
    "b": ["b1", "b0", "b0", "b1", None, None],
    "c": ["c0", "c1", "c0", "c1", "c1", "c1"],
    "s": ["y", "z", "y", "x", "x", "x"],
}


def test_six_rows_whose_program_the_engine_could_not_presolve_are_solved():
    release = incrowd.anonymize(
        pl.DataFrame(ENDLESS), quasi_identifiers=("a", "b", "c"), sensitive=("s",), k=4, l=2, t="1/4",
        outliers="suppress", solver="ilp", time_limit=20,
    )  # fmt: skip
    facts = release.facts
    assert (facts["cost"], facts["lower_bound"], facts["status"]) == (18, 18, "optimal")
