"""Labels of ranges: the values that they name are there, and members of small classes know one another's."""

from __future__ import annotations

from collections import Counter, defaultdict

import numpy as np
import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import PolicyError
from seeds import how_many

WHO = {"quasi_identifiers": ["age", "sex"], "numeric": ["age"], "solver": "mondrian", "recoding": "ranges"}


def table_of(rng, n=24):
    ages, sexes = rng.choice([20, 21, 22, 30, 44], n), rng.choice([*"fmd"], n)
    return pa.table({"age": [str(age) for age in ages], "sex": sexes.tolist()})


def values_named(label):
    if label.startswith("["):
        return label[1:-1].split("-")
    return []


@pytest.mark.seeds
def test_what_labels_name_is_held_once_where_they_name_as_many_values_as_rows():
    told = Counter()
    for seed in range(how_many(40, 3)):
        rng = np.random.default_rng(seed)
        table, k = table_of(rng), int(rng.integers(2, 4))
        release = incrowd.anonymize(table, k=k, keep_order=True, **WHO)
        classes = defaultdict(list)
        shown = zip(*(release.table[name].to_pylist() for name in ("age", "sex")), strict=True)
        for labels, *row in zip(shown, table["age"].to_pylist(), table["sex"].to_pylist(), strict=True):
            classes[labels].append(row)
        named = known = 0
        for labels, rows in classes.items():
            for j, label in enumerate(labels):
                values = values_named(label)
                named += len(values)
                assert set(values) <= {row[j] for row in rows}, seed
                if len(values) == len(rows):
                    assert sorted(values) == sorted(row[j] for row in rows), seed
                    known += 2 * (len(rows) == 2)
        found = incrowd.attack(release)
        assert found.inferences is None
        assert (found.facts["named_values"], found.insiders["determined"]) == (named, known)
        assert (found.premises["program"], found.facts["named_certain"]) == ("proven", True)
        told["known"] += known
    assert told["known"] > 0


def test_without_facts_it_is_assumed_and_without_the_program_nothing_is_said():
    shown = pa.table({"age": ["[20-21]"] * 2 + ["[30-44]"] * 3, "sex": ["f", "f", *["[1-2]"] * 3]})
    found = incrowd.attack(shown, k=2, **WHO)
    assert (found.premises["program"], found.insiders["standing"]) == ("assumed", "assumed")
    assert (found.facts["named_values"], found.facts["hidden_cells"]) == (4, 5)
    assert found.insiders["by_size"] == [{"size": 2, "cells": 2, "determined": 2}]
    said = " ".join(found.summary().split())
    assert "are taken to name 4 values" in said and "Insiders (assumed)" in said
    silent = incrowd.attack(shown, k=2, knows=["policy"], **WHO)
    assert (silent.facts["named_values"], silent.insiders["by_size"]) == (0, [])
    broken = incrowd.attack(shown, k=3, **WHO)
    assert (broken.premises["valid"], broken.facts["broken"]) == ("no", [{"rule": "k", "classes": 1}])
    assert "breaks its policy" in broken.summary()


def test_of_a_grid_only_what_is_hidden_is_counted():
    shown = pa.table({"age": ["20-29"] * 2 + ["30"] * 3 + ["< 10"] * 2, "sex": ["f", "f", *"mmm", "*", "*"]})
    found = incrowd.attack(shown, k=2, quasi_identifiers=["age", "sex"], numeric=["age"], recoding="grid")
    assert (found.facts["hidden_cells"], found.facts["starred_cells"]) == (6, 2)
    assert (found.facts["named_values"], found.insiders["cells"], found.rules[0]["standing"]) == (0, 0, "no")
    assert "grid" in found.summary()
    with pytest.raises(PolicyError, match="leave out original"):
        incrowd.attack(shown, k=2, original=shown, quasi_identifiers=["age"], numeric=["age"], recoding="grid")
