"""The values of columns are counted once, and hierarchies fit them as they fit the table."""

from __future__ import annotations

import pytest

from incrowd.errors import PolicyError
from incrowd.policy.job import Job
from incrowd.progress import Watch
from incrowd.tables.hierarchy import Hierarchy, as_spec
from incrowd.web.studio import column_values
from incrowd.web.studio.column_values import count_values, fit

TOWNS = Hierarchy(lines=(("Ulm", "south"), ("Kiel", "north")))


@pytest.fixture
def job(tmp_path):
    (tmp_path / "a.csv").write_text(
        "age,town\n" + "".join(f"{n % 30},{('Ulm', 'Kiel', '')[n % 3]}\n" for n in range(90))
    )
    return Job().replace(source=tmp_path / "a.csv", quasi_identifiers=["age", "town"], k=2, na=[""])


def test_values_are_listed_without_the_missing_one(job):
    values = count_values(job)
    assert values.names == ("age", "town")
    assert values.texts("town") == ["Kiel", "Ulm"]
    assert len(values.texts("age")) == 30
    assert values.texts("nobody") == []


@pytest.mark.parametrize("few", [True, False])
def test_a_hierarchy_fits_counted_values_as_it_fits_the_table(job, monkeypatch, few):
    if not few:
        monkeypatch.setattr(column_values, "MOST_VALUES", 1)
    values = count_values(job)
    assert bool(values.counted) == few
    found = fit(
        job.replace(complete_hierarchies=True), values, [("town", TOWNS), ("age", as_spec("intervals:10", "x"))]
    )
    assert {line[0]: line[1:] for line in found["town"].shown()}["Ulm"] == ("south",)
    assert found["town"].missing
    assert (found["town"].height, found["age"].height) == (2, 2)
    with pytest.raises(PolicyError, match="lacks 1 of the column's values, in 30 rows"):
        fit(job, values, [("town", TOWNS)])


def test_a_wish_to_stop_is_heard(job):
    watch = Watch()
    watch.interrupt()
    assert count_values(job, watch).counted == {}
