"""A quick search says what a policy loses, between nothing and everything."""

import contextlib
import time

import pyarrow as pa

from incrowd import Policy, registry
from incrowd.jobs import stars_alone as module
from incrowd.jobs.prepare import prepare_opened
from incrowd.progress import standstill
from incrowd.tables.engine.base import Engine
from incrowd.tables.read import open_source
from incrowd.tables.roles import Reading

TABLE = pa.table({"age": [31, 32, 33, 34], "sex": ["f", "f", "m", "m"]})


def loss(**settings):
    policy = Policy(quasi_identifiers=["age", "sex"], **settings)
    with Engine() as engine:
        return module.quick_loss(prepare_opened(engine, open_source(engine, TABLE, Reading()), policy).problem())


def test_the_share_of_the_cost_of_all_stars_is_told():
    assert loss(k=1) == 0
    assert loss(k=2) == 0.5
    assert loss(k=4) == 1
    assert loss(k=2, hierarchies={"age": {"intervals": [2], "start": 31}}) == 1 / 6
    assert loss(k=4, hierarchies={"age": "intervals:10"}, weights={"sex": 3}) == 1


def test_where_nothing_can_be_said_it_is_none():
    assert loss(k=2, weights={"age": 0, "sex": 0}) is None


def test_what_is_compiled_meanwhile_does_not_count_as_time_of_the_search(monkeypatch):
    known = registry.load

    def load(registered, name):
        class Slow(known(registered, name)):
            def cost(self, problem, watch):
                with standstill() if compiles else contextlib.nullcontext():
                    time.sleep(0.6 if compiles else 0.01)
                return super().cost(problem, watch)

        return Slow

    monkeypatch.setattr(module.registry, "load", load)
    found = []
    for compiles in (True, False):
        monkeypatch.setattr(module, "SECONDS", 0.5 if compiles else 0.005)
        found.append(loss(k=2))
    assert found == [0.5, None]
