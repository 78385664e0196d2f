from __future__ import annotations

import pyarrow as pa

from incrowd.jobs.prepare import compressed, prepare
from incrowd.jobs.shares import Clock
from incrowd.policy.job import Job
from incrowd.progress import Watch
from incrowd.tables.engine.base import Engine

POLICY = Job().replace(quasi_identifiers=["a", "b"], k=2).policy
SOURCE = pa.table({"a": ["x", "x", "y", None], "b": [1, 1, 2, 2]})


def test_who_is_asked_hears_how_many_row_types_there_are_and_decides():
    heard = []
    with Engine() as engine:
        made = prepare(engine, SOURCE, POLICY, Clock(Watch()), lambda *given: heard.append(given) or "left")
        assert made == "left"
        ((_, table, _, grouped),) = heard
        assert (grouped.t, table.rows) == (3, 4)
    with Engine() as engine:
        here = prepare(engine, SOURCE, POLICY, Clock(Watch()), compressed)
        there = prepare(engine, SOURCE, POLICY, Clock(Watch()))
        assert (here.types.types.codes == there.types.types.codes).all()
        assert here.types.types.counts.tolist() == [1, 2, 1]
