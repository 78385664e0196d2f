"""Each value's line of its hierarchy, looked up by its text."""

import random

import pyarrow as pa
import pytest

from incrowd.tables.compress import compress
from incrowd.tables.compress.hierarchy_lines import hierarchy_lines
from incrowd.tables.engine.base import Engine
from incrowd.tables.hierarchy import Fitted, Hierarchy
from incrowd.tables.read import open_source
from incrowd.tables.read.table import with_roles
from incrowd.tables.roles import Reading, Roles
from seeds import seeds


@pytest.fixture(scope="module")
def engine():
    with Engine() as made:
        yield made


@seeds(20, 3)
def test_the_line_of_a_code_begins_with_its_value(engine, seed):
    """The lines stand in any order, and there are lines of values that the table does not have."""
    rng = random.Random(seed)
    values = ["a", "ä", "10", "9", "NULL", None]
    cells = [rng.choice(values) for _ in range(20)]
    lines = [("NULL" if value is None else value, "some", "*") for value in values if value != "NULL"]
    if None not in cells:
        cells = [cell or "a" for cell in cells]
    else:
        cells = [cell if cell != "NULL" else "a" for cell in cells]  # the line NULL is the missing value's
    lines += [("never", "some", "*")]
    rng.shuffle(lines)
    fitted = Fitted(Hierarchy(lines=tuple(lines)), missing=None in cells)
    data = pa.table({"bare": pa.array(["x", "y"] * 10), "q": pa.array(cells, pa.string())})
    opened = open_source(engine, data, Reading())
    roles = Roles(quasi_identifiers=("bare", "q"))
    table = with_roles(engine, opened, roles, text=("bare", "q"), star="*", hierarchies={"q": fitted})
    compressed = compress(table)
    bare, own = hierarchy_lines(table, compressed)
    assert bare is None
    name = table.quasi_identifiers[1].id
    shown = [line[0] for line in fitted.shown()]
    for i, line in enumerate(engine.fetch(compressed.values.order_by("type")).to_pylist()):
        assert shown[own[compressed.types.codes[i, 1]]] == line[name]
