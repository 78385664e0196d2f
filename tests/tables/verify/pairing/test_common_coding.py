"""Two tables with the same columns, spelled alike: what a release has more often than its original is counted."""

import random
from collections import Counter

import pyarrow as pa
import pytest

from incrowd.tables.engine.base import Engine
from incrowd.tables.read import open_source
from incrowd.tables.roles import Reading, Roles
from incrowd.tables.verify.pairing.common_coding import alike, excess
from seeds import seeds

NAMES = ("p", "q", "ill")
ROLES = Roles(quasi_identifiers=("p", "q"), sensitive=("ill",))


@pytest.fixture(scope="module")
def engine():
    with Engine() as made:
        yield made


def compared(engine, original, released):
    one, two = (
        open_source(
            engine, pa.table({n: pa.array([r[j] for r in rows], pa.string()) for j, n in enumerate(NAMES)}), Reading()
        )
        for rows in (original, released)
    )
    return alike(one, two, ROLES, engine, text=("p", "q"), star="*")


def drawn(seed):
    rng = random.Random(seed)
    original = [
        (rng.choice(["a", "b", None]), rng.choice(["x", "y"]), rng.choice("fg")) for _ in range(rng.randint(1, 12))
    ]
    released = [
        (rng.choice([p, "*", "new"]), rng.choice([q, "*", None]), rng.choice([ill, "other"])) for p, q, ill in original
    ]
    return original, released


@seeds(30, 2)
def test_other_values_are_in_excess_as_often_as_the_original_lacks_them(engine, seed):
    original, released = drawn(seed)
    more = Counter(row[2] for row in released) - Counter(row[2] for row in original)
    told = (more.total(), {"ill": more.total()}) if more else (0, {})
    assert excess(compared(engine, original, released), engine) == told
