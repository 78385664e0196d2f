"""What a release gives away, in words."""

from __future__ import annotations

import pyarrow as pa

import incrowd
from incrowd.report.text.attack import attack_points, attack_summary, given_away

RELEASED = pa.table({"age": ["31"] * 5 + ["47"] * 2, "sex": ["f", "f", "*", "*", "*", "*", "*"]})
FACTS = {"k": 2, "quasi_identifiers": ["age", "sex"], "cost": 5, "lower_bound": 5, "optimal": True}


def asked(**how):
    return incrowd.attack(RELEASED, quasi_identifiers=["age", "sex"], k=2, **how).facts


def test_a_newcomer_reads_what_is_known_and_what_follows():
    text = attack_summary(asked(facts=FACTS))
    assert "In 3 cells (60.0%) at least one value is excluded for certain" in " ".join(text.split())
    assert "Known: the release is valid" in text
    assert "Insiders: in classes of two" in text
    assert "Nothing is determined in sex" in text
    assert all(len(line) <= 100 for line in text.splitlines())


def test_what_is_assumed_is_called_claimed():
    said = " ".join(attack_points(asked()))
    assert "may be wrong" in said
    assert "3 cells (60.0%) have a value that is claimed to be excluded" in said
    assert "No value is excluded for certain" in said


def test_the_sentence_of_a_release_names_cells_and_what_to_do():
    found = {"hidden_cells": 100, "cells": 16, "settled": True, "insider_cells": 4}
    said = given_away({"gives_away": found})
    assert "excludes a value in 16 hidden cells of 100 (16.0%)" in said
    assert "each of the two learns a value that the other does not have, in 4 cells" in said
    assert "`incrowd attack`" in said
    assumed = given_away({"gives_away": {**found, "settled": False}})
    assert "may exclude" in assumed and "may learn" in assumed
    assert "no simple rule" in given_away({"gives_away": {**found, "cells": 0, "insider_cells": 0}})
    assert given_away({"gives_away": {**found, "hidden_cells": 0}}) is None
    assert given_away({}) is None
