import random
import subprocess
import sys

import ibis
import pyarrow as pa
import pytest

from incrowd.errors import InputError
from incrowd.tables.engine.base import Engine
from incrowd.tables.engine.lists import FEW, MOST_VALUES, SAMPLE

TEXTS = [
    "",
    " ",
    "a",
    "A",
    "aa",
    "ä",
    "Z",
    "~",
    "it's",
    'say "hi"',
    "two\nlines",
    "\U0001f4a9",
    "\uffff",
    "007",
    "1.50",
    "*",
]


@pytest.fixture
def engine():
    with Engine() as made:
        yield made


def kinds_of(engine, table):
    found = engine.con.con.execute(f"DESCRIBE {table.op().name}").fetchall()
    return {name: kind.partition("(")[0] for name, kind, *_ in found}


def both(engine, also=()):
    """Return a table with the same texts twice: held in a list, and as text."""
    chance = random.Random(7)
    cells = [chance.choice([*TEXTS, None]) for _ in range(400)]
    plain = engine.put(pa.table({"a": cells, "n": range(400)}))
    (held,), cell = engine.keep_listed([plain], {"a": also})
    assert kinds_of(engine, held) == {"a": "ENUM", "n": "BIGINT"}
    return cells, held, plain, cell["a"]


def test_a_listed_column_gives_back_its_texts(engine):
    cells, held, _, _ = both(engine)
    assert held.schema()["a"].is_string()
    assert engine.fetch(held.order_by("n")).column("a").to_pylist() == cells
    assert engine.batches(held.order_by("n")).read_all().column("a").to_pylist() == cells
    assert engine.fetch(held).schema.field("a").type == pa.string()


def test_a_listed_column_sorts_by_the_bytes_of_its_texts(engine):
    cells, held, _, _ = both(engine, also=["~~", "\x01"])
    found = engine.fetch(held.order_by(held.a.asc(nulls_first=True))).column("a").to_pylist()
    assert found == sorted(cells, key=lambda cell: (cell is not None, (cell or "").encode()))


def test_a_listed_column_has_the_hashes_of_its_texts(engine):
    _, held, plain, _ = both(engine)
    assert engine.fingerprint(held, [held.a]) == engine.fingerprint(plain, [plain.a])
    for of in (engine.content_hash, engine.short_hash):
        found = [engine.fetch(t.select(n=t.n, h=of([t.a])).order_by("n")).column("h") for t in (held, plain)]
        assert found[0].equals(found[1])


@pytest.mark.few(8)
@pytest.mark.parametrize("text", [*TEXTS, "not in the list"])
def test_a_listed_column_compares_with_texts(engine, text):
    cells, held, plain, _ = both(engine)
    found = engine.one(
        held.aggregate(
            same=(held.a == text).sum(), other=(~held.a.identical_to(text)).sum(), among=held.a.isin([text, "q"]).sum()
        )
    )
    times = cells.count(text)
    assert (found["same"], found["other"], found["among"]) == (times, len(cells) - times, times)
    other = plain.rename(b="a", k="n").filter(lambda t: t.b == text)
    joined = held.join(other, held.a == other.b)
    assert engine.one(joined.aggregate(n=joined.count()))["n"] == times**2


def test_numbers_in_a_listed_column_are_numbers(engine):
    table = engine.put(pa.table({"a": ["1", "2.5", "x", None]}))
    (held,), _ = engine.keep_listed([table], {})
    number = engine.text(held.a).try_cast("float64")
    assert engine.fetch(held.select(number=number)).column("number").to_pylist() == [1.0, 2.5, None, None]


def test_what_a_column_will_hold_becomes_a_cell_of_it(engine):
    _, held, _, cell = both(engine, also=["lab'el", "*"])
    starred = engine.keep(held.mutate(a=ibis.ifelse(held.n > 2, cell(ibis.literal("lab'el")), held.a)))
    assert kinds_of(engine, starred)["a"] == "ENUM"
    assert engine.one(starred.aggregate(n=(starred.a == "lab'el").sum()))["n"] == 397


def test_a_text_beside_the_list_is_refused_without_being_quoted(engine):
    _, held, _, cell = both(engine)
    with pytest.raises(InputError) as caught, engine.guard("making cells"):
        engine.keep(held.mutate(a=cell(ibis.literal("Secret Name"))))
    assert "Secret" not in str(caught.value)


def test_a_column_with_many_values_stays_text(engine):
    rows = FEW + 1
    table = engine.put(
        pa.table({"many": [f"v{i}" for i in range(rows)], "few": ["a", "b", None] * (rows // 3) + ["a"] * (rows % 3)})
    )
    (held,), cells = engine.keep_listed([table], {})
    assert kinds_of(engine, held) == {"many": "VARCHAR", "few": "ENUM"}
    assert set(cells) == {"few"}
    assert engine.fingerprint(held, [held.many, held.few]) == engine.fingerprint(table, [table.many, table.few])


def test_a_column_whose_values_come_late_stays_text(engine):
    name = engine.keep(
        ibis.range(SAMPLE + MOST_VALUES + 1)
        .unnest()
        .name("i")
        .as_table()
        .mutate(late=lambda t: ibis.ifelse(t.i < SAMPLE, "same", t.i.cast("string")))
    )
    (held,), cells = engine.keep_listed([name], {})
    assert kinds_of(engine, held)["late"] == "VARCHAR"
    assert not cells


@pytest.mark.parametrize("cells", [[None, None], [], [""]])
def test_columns_of_nothing_can_be_listed(engine, cells):
    table = engine.put(pa.table({"a": pa.array(cells, pa.string())}))
    for also in ({}, {"a": ["*"]}):
        (held,), _ = engine.keep_listed([table], also)
        assert engine.fetch(held).column("a").to_pylist() == cells


def test_what_is_forgotten_is_gone(engine):
    def tables():
        return {name for (name,) in engine.con.con.execute("SELECT table_name FROM duckdb_tables()").fetchall()}

    put = engine.put(pa.table({"a": ["x"]}))
    kept = engine.keep(put.mutate(b=put.a))
    (listed,), _ = engine.keep_listed([kept], {"a": ["*"]})
    names = [table.op().name for table in (put, kept, listed)]
    assert tables() == set(names)
    engine.forget(kept.mutate(c=kept.a).filter(kept.a == "x"))
    assert tables() == {names[0], names[2]}
    engine.drop(put)
    engine.drop(listed)
    assert not tables()


def test_no_progress_bar_is_drawn_where_python_runs_interactively():
    asked = """
from incrowd.tables.engine.base import Engine
with Engine() as engine:
    print(engine.con.con.execute("SELECT current_setting('enable_progress_bar')").fetchone())
"""
    ran = subprocess.run([sys.executable, "-c", asked], capture_output=True, text=True, check=True)
    assert ran.stdout == "(False,)\n"
