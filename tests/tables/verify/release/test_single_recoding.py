"""At which levels the rows of a release are shown, and how many are suppressed, against a plain count."""

import random
from fractions import Fraction

import pyarrow as pa
import pytest

from incrowd import Hierarchy
from incrowd.tables.engine.base import Engine
from incrowd.tables.hierarchy.fit import Fitted
from incrowd.tables.mask import Mask
from incrowd.tables.verify.release.rules import Rules
from incrowd.tables.verify.release.single_recoding import recount_recoding, recount_shown
from seeds import seeds

LINES = (("a", "a-b", "a-d", "*"), ("b", "a-b", "a-d", "*"), ("c", "c", "a-d", "*"), ("d", "d+", "a-d", "*"))
READ = {"a": (0, 0), "b": (0, 0), "c": (0, 1), "d": (0, 0), "a-b": (1, 1), "d+": (1, 1), "a-d": (2, 2), "*": (3, 3)}
PLAIN = {"p": (0, 0), "q": (0, 0), "*": (1, 1)}


@pytest.fixture(scope="module")
def engine():
    with Engine() as made:
        yield made


def rules(**more):
    fitted = fitted_letters()
    return Rules(k=1, outliers="suppress", names=("x", "y"), weights={}, hierarchies={"x": fitted},
                 **{"mask": Mask().to_dict(), **more})  # fmt: skip


def fitted_letters():
    hierarchy = Hierarchy(lines=LINES)
    return Fitted(hierarchy, {line[0]: i for i, line in enumerate(LINES)})


def put(engine, rows):
    table = engine.put(pa.table({f"c{j}": [row[j] for row in rows] for j in range(2)}))
    return table, ["c0", "c1"], [table[f"c{j}"] == "*" for j in range(2)]


@seeds(60, 5)
def test_rows_are_read_at_the_levels_that_their_labels_stand_at(engine, seed):
    rng = random.Random(seed)
    rows = [(rng.choice(list(READ)), rng.choice(list(PLAIN))) for _ in range(rng.randint(1, 9))]
    found = recount_shown(engine, *put(engine, rows), rules(), text=["x", "y"])
    shown = [(READ[x], PLAIN[y]) for x, y in rows if (x, y) != ("*", "*")]
    assert (found.rows, found.suppressed) == (len(rows), len(rows) - len(shown))
    for j, top in enumerate((3, 1)):
        assert found.low[j] == max((ends[j][0] for ends in shown), default=0)
        assert found.high[j] == min((ends[j][1] for ends in shown), default=top)
    every = [(a, b) for a in range(4) for b in range(2)]
    for vector in every:
        inside = all(low <= v <= high for ends in shown for v, (low, high) in zip(vector, ends, strict=True))
        assert found.holds(vector) == inside
    one = any(found.holds(vector) for vector in every)
    said = recount_recoding(engine, *put(engine, rows), rules(single=True), text=["x", "y"])
    assert [v.rule for v in said] == ([] if one else ["recoding"])


def test_the_one_vector_must_be_one_of_the_mask(engine):
    rows = [("a-b", "p"), ("c", "p")]
    for most, said in ((1, []), (0, ["recoding"])):
        asked = rules(single=True, mask=Mask(max_level={"x": most}).to_dict())
        found = recount_recoding(engine, *put(engine, rows), asked, text=["x", "y"])
        assert [v.rule for v in found] == said


@pytest.mark.parametrize(("limit", "over"), [("1", 0), ("1/2", 0), ("49/100", 1), ("0", 2)])
def test_suppressed_rows_above_the_limit_are_counted(engine, limit, over):
    rows = [("a", "p"), ("*", "q"), ("*", "*"), ("*", "*")]
    asked = rules(suppression_limit=Fraction(limit))
    found = recount_recoding(engine, *put(engine, rows), asked, text=["x", "y"])
    assert [(v.rule, v.count) for v in found] == ([("suppression limit", over)] if over else [])


def test_nothing_is_counted_where_nothing_is_asked(engine):
    assert recount_recoding(engine, *put(engine, [("a", "p"), ("a-d", "*")]), rules(), text=["x", "y"]) == ()
