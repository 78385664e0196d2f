"""The made extract has the size and the columns of the paper's, and says that it is made."""

import dataclasses

import pytest

from incrowd.errors import InputError
from incrowd.progress import Watch
from incrowd.reproduce import find, reproduce
from incrowd.reproduce.data_sets import CANADA
from incrowd.reproduce.made_extract import SAID, made, reports


def test_reports_are_as_many_as_asked_and_the_same_for_a_seed():
    rows = list(reports(500))
    assert len(rows) == 500 and {len(row) for row in rows} == {len(CANADA.columns)}
    assert rows == list(reports(500)) != list(reports(500, seed=1))
    age, weight, height = (CANADA.columns.index(name) for name in ("age", "weight", "height"))
    assert any(not row[age] for row in rows) and all(row[age] == "" or row[age].isdigit() for row in rows)
    assert all(row[height] == "" for row in rows if not row[weight])
    assert all(row[weight] == "" for row in rows if not row[age])


def test_it_is_named_as_made_wherever_it_is_told():
    experiment = made(find("canada"))
    assert experiment.name == "canada-made"
    assert "MADE UP" in experiment.title
    assert experiment.data.rows == 324_489 and experiment.data.made == SAID


def test_other_tables_have_their_data():
    with pytest.raises(InputError, match="--made goes with canada alone"):
        made(find("nursery"))


def test_the_experiment_runs_on_it_without_a_verdict():
    experiment = made(find("canada"))
    few = dataclasses.replace(
        experiment, data=dataclasses.replace(experiment.data, rows=300, reader=lambda _: reports(300))
    )
    found = reproduce(few, Watch(), ks=[2, 5])
    assert {verdict.word for verdict in found.verdicts} == {"not judged"}
    assert SAID in found.notes
