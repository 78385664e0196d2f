"""The experiments by name and by number of their table."""

import itertools

import pytest

from incrowd.errors import PolicyError
from incrowd.reproduce.catalogue import CATALOGUE, find


def test_the_masks_of_the_paper_have_as_many_patterns():
    counts = {}
    for experiment in CATALOGUE:
        counts[experiment.name] = experiment.mask.compile(
            experiment.data.columns, [1] * len(experiment.data.columns)
        ).count()
    assert counts == {e.name: e.patterns for e in CATALOGUE}
    assert counts["cmc-exact"] == sum(1 for v in itertools.product((0, 1), repeat=10) if sum(v) <= 2 or all(v)) == 57


def test_an_experiment_is_found_by_its_name_and_by_its_table():
    for experiment in CATALOGUE:
        for name in (experiment.name, experiment.name.upper(), str(experiment.table), f"Table-{experiment.table}"):
            assert find(name) is experiment


def test_names_and_tables_are_each_there_once():
    assert len({experiment.name for experiment in CATALOGUE}) == len(CATALOGUE)
    assert [experiment.table for experiment in CATALOGUE] == list(range(1, len(CATALOGUE) + 1))


def test_another_name_is_answered_with_the_nearest():
    with pytest.raises(PolicyError, match=r"no experiment named 'nurserie'.*'nursery'.*reproduce --list"):
        find("nurserie")
    with pytest.raises(PolicyError, match="no experiment named '9'"):
        find("9")
