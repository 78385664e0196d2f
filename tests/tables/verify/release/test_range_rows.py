"""A release of ranges, judged from the two tables: every label stands for what it hides."""

import itertools
import random

import pyarrow as pa
import pytest

from incrowd.errors import InputError
from incrowd.tables.engine.base import Engine
from incrowd.tables.mask import Mask
from incrowd.tables.read import open_source
from incrowd.tables.roles import Reading, Roles
from incrowd.tables.verify.release import range_rows
from incrowd.tables.verify.release.range_rows import verify_ranged_tables
from incrowd.tables.verify.release.rules import Rules
from seeds import seeds

NAMES = ("age", "job", "ill")
ORIGINAL = [("1", "p", "f"), ("2", "q", "g"), ("3", "p", "f"), ("9", "r", "g")]
HONEST = [("[1-2]", "*", "f"), ("[1-2]", "*", "g"), ("[3-9]", "*", "f"), ("[3-9]", "*", "g")]


@pytest.fixture(scope="module")
def engine():
    with Engine() as made:
        yield made


def broken(engine, original, released, k=2):
    one, two = (
        open_source(
            engine, pa.table({n: pa.array([r[j] for r in rows], pa.string()) for j, n in enumerate(NAMES)}), Reading()
        )
        for rows in (original, released)
    )
    roles = Roles(quasi_identifiers=NAMES[:2], sensitive=("ill",), numeric=("age",))
    rules = Rules(k=k, outliers="forbid", mask=Mask().to_dict(), names=NAMES[:2], weights={})
    found = verify_ranged_tables(engine, one, two, roles, rules, text=NAMES[:2], star="*")
    return {v.rule: v.count for v in found}


def stands_for(cell, value):
    """What a cell of these tests may hide."""
    if cell in ("*", value):
        return True
    if cell.startswith("["):
        low, high = map(int, cell[1:-1].split("-"))
        return low <= int(value) <= high
    return False


def test_an_honest_release_in_another_order_passes(engine):
    assert broken(engine, ORIGINAL, HONEST[::-1]) == {}
    assert broken(engine, ORIGINAL, HONEST, k=3) == {"k=3": 2}


CHANGED = {
    "a range that its number is not in": (2, ("[4-9]", "*", "f"), "faithful"),
    "a set of texts": (1, ("[1-2]", "{p, q}", "g"), "invented value: job"),
    "a sensitive value of another class": (1, ("[1-2]", "*", "f"), "faithful"),
    "a value that nobody has": (0, ("7", "*", "f"), "invented value: age"),
    "a row of another illness": (0, ("[1-2]", "*", "other"), "other columns: ill"),
}


@pytest.mark.few(3)
@pytest.mark.parametrize("case", CHANGED)
def test_what_does_not_stand_for_its_original_is_seen(engine, case):
    at, row, rule = CHANGED[case]
    assert rule in broken(engine, ORIGINAL, [*HONEST[:at], row, *HONEST[at + 1 :]], k=1)


def test_a_lost_and_a_doubled_row_are_seen(engine):
    assert broken(engine, ORIGINAL, HONEST[:3], k=1) == {"rows": 1}
    assert broken(engine, ORIGINAL, [*HONEST[:3], HONEST[2]], k=1).get("other columns: ill") == 1


@seeds(60, 3)
def test_a_release_is_faithful_where_some_assignment_of_rows_explains_it(engine, seed):
    rng = random.Random(seed)
    original = [(rng.choice("1239"), rng.choice("pqr"), "f") for _ in range(4)]
    hidden = [
        (rng.choice([a, "*", "[1-2]", "[2-9]"]), rng.choice([b, "*"]), "f") for a, b, _ in rng.sample(original, 4)
    ]
    there = any(
        all(
            stands_for(x, y)
            for row, one in zip(hidden, order, strict=True)
            for x, y in zip(row[:2], one[:2], strict=True)
        )
        for order in itertools.permutations(original)
    )
    assert (broken(engine, original, hidden, k=1) == {}) == there


def test_above_its_limit_it_refuses_unless_the_release_fails_anyway(engine, monkeypatch):
    monkeypatch.setattr(range_rows, "MOST_PROBES", 1)
    with pytest.raises(InputError, match="comparisons of different rows"):
        broken(engine, ORIGINAL, HONEST)
    assert broken(engine, ORIGINAL, HONEST, k=3) == {"k=3": 2}
