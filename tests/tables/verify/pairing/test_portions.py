"""The pairing in portions: as many kinds as memory holds, one verdict however they are cut, here and on executors."""

import contextlib
import random

import pyarrow as pa
import pytest

from engines import SPARK, spark_kept
from incrowd.errors import InputError
from incrowd.tables.engine.base import Engine
from incrowd.tables.engine.open import open_engine
from incrowd.tables.read import open_source
from incrowd.tables.roles import Reading, Roles
from incrowd.tables.verify.pairing import edges, portions
from incrowd.tables.verify.pairing.kinds import Coded
from incrowd.tables.verify.release.pairing import verify_tables
from incrowd.tables.verify.release.rules import Rules

NAMES = ("p", "q", "ill")
ROLES = Roles(quasi_identifiers=("p", "q"), sensitive=("ill",))
RULES = Rules(k=1, outliers="forbid", mask={}, names=("p", "q"), weights={})


def opened(engine, rows):
    columns = {name: pa.array([row[j] for row in rows], pa.string()) for j, name in enumerate(NAMES)}
    return open_source(engine, pa.table(columns), Reading())


def judged(engine, original, released, star, room=None):
    one, two = opened(engine, original), opened(engine, released)
    text = ("p", "q") if star else ()
    return verify_tables(engine, one, two, ROLES, RULES, text=text, star=star, room=room)


def drawn(seed, star, rows=200):
    """An original, an honest release in another order, and one in which rows were changed."""
    rng = random.Random(seed)
    original = [(f"p{rng.randrange(30)}", f"q{rng.randrange(9)}", f"i{rng.randrange(25)}") for _ in range(rows)]
    honest = [(p, star if rng.random() < 0.5 else q, ill) for p, q, ill in original]
    rng.shuffle(honest)
    wrong = list(honest)
    for _ in range(3):
        at = rng.randrange(rows)
        p, q, ill = wrong[at]
        wrong[at] = rng.choice([(p, q, "i0"), ("p0", q, ill), (p, "new", ill), (star, "q1", "other")])
    return original, honest, wrong


def beside(room):
    return lambda: contextlib.nullcontext(room)


@pytest.fixture(scope="module")
def engine():
    with Engine() as made:
        yield made


@pytest.mark.parametrize("star", ["*", None])
def test_the_verdict_is_the_same_in_any_number_of_portions(engine, monkeypatch, star):
    original, honest, wrong = drawn(1, star)
    assert judged(engine, original, honest, star) == ()
    found = judged(engine, original, wrong, star)
    assert any(one.rule == "faithful" for one in found)
    for most in (60, 1000):
        monkeypatch.setattr(portions, "MOST", most)
        assert judged(engine, original, honest, star, beside(1 << 30)) == ()
        assert judged(engine, original, wrong, star, beside(1 << 30)) == found


def test_a_portion_has_as_many_kinds_as_room_allows(engine, monkeypatch):
    asked = []
    plain = portions.unpaired
    monkeypatch.setattr(
        "incrowd.tables.verify.release.pairing.unpaired", lambda *told: asked.append(told[0].portions) or plain(*told)
    )
    monkeypatch.setattr(portions, "LEAST", 10)
    original, honest, _ = drawn(2, "*")
    for room in (1 << 40, 1 << 16, 1 << 15):
        judged(engine, original, honest, "*", beside(room))
    assert asked[0] == 1
    assert asked == sorted(asked)
    assert asked[2] >= 2 * asked[1] - 1 > 1


def test_what_fits_too_often_is_paired_by_halves_or_refused(engine, monkeypatch):
    original, honest, wrong = drawn(3, "*")
    found = judged(engine, original, wrong, "*")
    monkeypatch.setattr(edges, "MOST_EDGES", 40)
    assert judged(engine, original, honest, "*") == ()
    assert judged(engine, original, wrong, "*") == found
    monkeypatch.setattr(edges, "MOST_EDGES", 1)
    with pytest.raises(InputError, match="split both tables"):
        judged(engine, original, honest, "*")


@pytest.fixture(scope="module")
def spark():
    with spark_kept(), open_engine("spark", None) as made:
        yield made


@pytest.mark.parametrize("star", [pytest.param(star, marks=SPARK) for star in ("*", None)])
def test_executors_pair_and_one_line_a_portion_comes_back(spark, monkeypatch, star):
    original, honest, wrong = drawn(4, star, rows=60)
    found = judged(spark, original, wrong, star)
    assert any(one.rule == "faithful" for one in found)
    monkeypatch.setattr(portions, "MOST", 40)
    monkeypatch.setattr(Coded, "part", lambda *_: pytest.fail("kinds came to this process"))
    assert judged(spark, original, honest, star, beside(1 << 30)) == ()
    assert judged(spark, original, wrong, star, beside(1 << 30)) == found


@pytest.mark.parametrize("version", [pytest.param("another", marks=SPARK)])
def test_executors_without_this_incrowd_leave_it_to_this_process(spark, monkeypatch, version):
    original, _, wrong = drawn(5, "*", rows=60)
    found = judged(spark, original, wrong, "*")
    monkeypatch.setattr(portions, "MOST", 60)
    monkeypatch.setattr(portions, "__version__", version)
    assert judged(spark, original, wrong, "*", beside(1 << 30)) == found
