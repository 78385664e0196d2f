"""An age tells a date of birth, and a code its name; what is only alike does not."""

import random

from incrowd.jobs.proposal import ColumnProfile, ages_of_dates, places_of, told_by, twins
from incrowd.tables.hierarchy.proposals import propose

rng = random.Random(1)
AGES = [rng.randint(0, 90) for _ in range(400)]
CELLS = {
    "age": [*map(str, AGES)],
    "born": [f"{2023 - age}-05-{rng.randint(1, 28):02}" for age in AGES],
    "seen": [f"{rng.randint(2020, 2023)}-05-01" for _ in AGES],
    "code": [f"C{age // 9}" for age in AGES],
    "name": [f"name {age // 9}" for age in AGES],
    "coarse": [f"half {age // 45}" for age in AGES],
    "same": ["x"] * 400,
    "unique": [*map(str, range(400))],
}
PLACES = {name: places_of(cells) for name, cells in CELLS.items()}


def column(name):
    values = CELLS[name]
    return ColumnProfile(name, len(values), 0, 0, len(set(values)), 0.0, propose(name, sorted(set(values))))


def test_the_age_tells_the_date_of_birth_and_no_other_date():
    columns = [column(name) for name in ("age", "born", "seen")]
    assert ages_of_dates(columns, CELLS) == {"born": "age"}
    gaps = {**CELLS, "age": ["NA" if i % 9 else age for i, age in enumerate(CELLS["age"])]}
    assert ages_of_dates(columns, gaps) == {}  # too few rows have both


def test_columns_that_tell_each_other_are_twins():
    columns = [column(name) for name in CELLS]
    assert twins(columns, PLACES) == [("code", "name")]


def test_what_passes_unchanged_and_tells_a_quasi_identifier_is_found():
    assert told_by(["code", "unique", "same"], ["age", "seen"], PLACES) == {"code": ["age"]}
    assert told_by(["born"], ["age"], PLACES) == {"born": ["age"]}
    assert told_by(["seen"], ["age", "code"], PLACES) == {}
