from __future__ import annotations

import pyarrow as pa

from incrowd.tables.engine.base import Engine
from incrowd.tables.large.leftovers import Settled
from incrowd.tables.large.plan import counted, parts
from incrowd.tables.large.types import PackedTypes
from incrowd.tables.large.words import laid_out
from incrowd.tables.read import open_source, with_roles
from incrowd.tables.roles import Reading, Roles
from oracles.problems import star_levels, types_of


def settled(engine):
    """Two row types in one group, one of them split with a second group of the same pattern's sister."""
    lines = {"w0": [0, 1, 1], "n": [2, 3, 4], "group": [5, 5, 9], "seq": [1, 1, 0], "cost": [1, 1, 0]}
    return Settled(engine.put(pa.table(lines)), [(0,), (1,)], True, 10)


def test_a_plan_is_added_up_pattern_by_pattern():
    with Engine() as engine:
        plan = counted(engine, settled(engine))
    assert plan.by_pattern() == ([(0,), (1,)], [4, 5], [1, 1])
    assert (plan.total, plan.sizes().tolist()) == (5, [4, 5])


def test_the_parts_of_a_split_type_follow_one_another():
    with Engine() as engine:
        source = pa.table({"q": ["a"] * 2 + ["b"] * 7})
        table = with_roles(
            engine, open_source(engine, source, Reading()), Roles(quasi_identifiers=("q",)), hierarchies={}, text=("q",),
            star="*",
        )  # fmt: skip
        values = engine.put(pa.table({"w0": [0, 1], "type": [0, 1], table.quasi_identifiers[0].id: ["a", "b"]}))
        layout = laid_out(star_levels(types_of([[0], [1]])), ["q"])
        types = PackedTypes(engine, values, values, layout)
        found = engine.fetch(parts(table, types, settled(engine)).order_by(["type", "start"])).to_pylist()
    names = ("type", "group", "rows", "start", "stop", "split", "l0", "o0")
    assert [tuple(line[name] for name in names) for line in found] == [
        (0, 5, 2, 0, 2, False, 1, "a"), (1, 5, 3, 0, 3, True, 1, "b"), (1, 9, 4, 3, 7, True, 0, "b"),
    ]  # fmt: skip
