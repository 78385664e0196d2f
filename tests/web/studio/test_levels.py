"""What levels show is counted over the table, and labels are shown only where some are asked for."""

from __future__ import annotations

import pytest

from incrowd.errors import PolicyError
from incrowd.policy.job import Job
from incrowd.tables.hierarchy import as_spec
from incrowd.web.studio.column_values import count_values
from incrowd.web.studio.levels import allowed_patterns, levels


@pytest.fixture
def job(tmp_path):
    (tmp_path / "a.csv").write_text("age,sex\n" + "".join(f"{age},{'fm'[age % 2]}\n" for age in range(20, 60)))
    return Job().replace(source=tmp_path / "a.csv", quasi_identifiers=["age", "sex"], k=2)


def test_labels_are_counted_level_by_level(job):
    found = levels(job, count_values(job), "age", as_spec("intervals:5,10", "x"))
    assert [(level.number, level.labels, level.some) for level in found] == [(0, 40, ()), (1, 8, ()), (2, 4, ())]


def test_some_labels_come_where_they_are_asked_for(job):
    found = levels(job, count_values(job), "age", as_spec("intervals:5,10", "x"), 3)
    assert all(0 < len(level.some) <= 3 for level in found)
    assert levels(job, count_values(job), "sex", None, 8)[0].some == ("f", "m")
    assert len(levels(job, count_values(job), "age", None, 8)[0].some) == 8


def test_what_does_not_fit_is_said_without_a_value(job):
    with pytest.raises(PolicyError) as caught:
        levels(job, count_values(job), "sex", as_spec("intervals:5", "x"))
    assert "'f'" not in str(caught.value)
    with pytest.raises(PolicyError, match="no column"):
        levels(job, count_values(job), "nobody", None)


@pytest.mark.parametrize(
    ("settings", "count"), [({}, 4), ({"hierarchies": {"age": "intervals:5,10"}}, 8), ({"keep": ["age"]}, 3)]
)
def test_patterns_are_counted_over_the_heights_of_this_table(job, settings, count):
    job = job.replace(**settings)
    assert allowed_patterns(job, count_values(job)) == count
