"""What was read back bears the verdict on what was written, or it is not published."""

import dataclasses

import pytest

import incrowd
from incrowd.tables.verify.release.faithful import bears_verdict

ROWS = [{"age": age, "sex": sex} for age in ("31", "47") for sex in ("f", "m") for _ in range(3)]


@pytest.fixture(scope="module")
def release():
    with incrowd.anonymize(ROWS, quasi_identifiers=["age", "sex"], k=3) as made:
        yield made


def bears(release, table, *, texts=False, **changed):
    verdict = dataclasses.replace(release._verdict, **changed)
    return bears_verdict(table, release._rows, release._rules, verdict, texts=texts)


def test_the_rows_themselves_bear_it(release):
    rows = release._rows.rows
    assert bears(release, rows)
    assert bears(release, rows, texts=True)
    assert not bears(release, rows, classes=3)
    assert not bears(release, rows, rows=11)


def test_a_row_less_or_a_class_too_small_does_not(release):
    rows = release._rows.rows
    first, second = release._rows.table.quasi_identifiers
    assert not bears(release, rows.limit(11))
    other = rows.mutate(**{first.id: (rows[first.id] == "31").ifelse("x", rows.row_key.cast("string"))})
    assert not bears(release, other)
    assert not bears(release, rows.mutate(**{second.id: rows[second.id].nullif("f")}).limit(11), texts=True)
