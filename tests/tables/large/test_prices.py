from __future__ import annotations

import dataclasses
from types import SimpleNamespace

import numpy as np
import pyarrow as pa

from incrowd.progress import Watch
from incrowd.tables.engine.base import Engine
from incrowd.tables.large import floor as module
from incrowd.tables.large.floor import floor
from incrowd.tables.large.prices import Prices, prices
from incrowd.tables.large.sweep import sweep
from oracles.large import in_engine
from oracles.plans import cost_of
from oracles.pricing import raw_instances
from oracles.problems import random_problem
from seeds import seeds


def cheapest(problem):
    """What the cheapest instance of every type costs a row that k rows agree with."""
    found = np.full(problem.types.t, 2**62)
    for (vector, _), types in raw_instances(problem).items():
        if sum(int(problem.types.counts[i]) for i in types) >= problem.k:
            for i in types:
                found[i] = min(found[i], cost_of(problem, vector, problem.types.codes[i].tolist()))
    return found


def told_by(engine, problem):
    """Bound, whether it is complete, and the prices in the types' order; the engine's lines are shuffled."""
    types, instances = in_engine(engine, problem)
    texts = {f"v{j}": pa.array([f"{code:03}" for code in problem.types.codes[:, j]]) for j in range(problem.types.m)}
    turn = np.random.default_rng(0).permutation(problem.types.t)
    plain = engine.fetch(types.values).to_pandas().sort_values("type")
    values = pa.table({**{name: plain[name].to_numpy() for name in plain.columns}, **texts}).take(turn)
    types = dataclasses.replace(types, values=engine.put(values))
    swept = sweep(types, instances, problem.types.n, Watch())
    found = floor(types, instances, swept, Watch(), prices=True)
    table = SimpleNamespace(quasi_identifiers=[SimpleNamespace(id=f"v{j}") for j in range(problem.types.m)])
    some = list(prices(table, types, found.prices))
    return found, np.concatenate(some)


@seeds(80, 2)
def test_the_price_of_a_type_is_what_its_cheapest_crowd_costs(monkeypatch, seed):
    """And where the bound is broken off, no more than that; all of them together come to the bound."""
    rng = np.random.default_rng([333, seed])
    problem = random_problem(rng, rows=30, full=True, outliers="forbid")
    wanted = cheapest(problem)
    with Engine() as engine:
        found, told = told_by(engine, problem)
        assert found.complete
        assert told.tolist() == wanted.tolist()
        assert found.value == int((told * problem.types.counts).sum())
        with monkeypatch.context() as patched:
            patched.setattr(module, "PATTERNS", seed % 3)
            found, told = told_by(engine, problem)
        assert len(told) == problem.types.t
        assert (told <= wanted).all()
        assert int((told * problem.types.counts).sum()) <= found.value


def test_prices_that_were_found_stand_in_place_of_the_per_row_ones_in_the_same_parts():
    problem = random_problem(np.random.default_rng([333, 3]), rows=30, full=True, outliers="forbid")
    with Engine() as engine:
        types, instances = in_engine(engine, problem)
        values = engine.keep(types.values.mutate(v0=types.values.type.cast("string").lpad(3, "0")))
        types = dataclasses.replace(types, values=values)
        least = floor(types, instances, sweep(types, instances, problem.types.n, Watch()), Watch(), prices=True)
        some = engine.fetch(types.rows.filter(types.rows.type % 3 == 0)).to_pandas()
        lines = engine.put(
            pa.table({**{word: some[word].to_numpy() for word in types.words}, "p": -some["type"].to_numpy()})
        )
        table = SimpleNamespace(quasi_identifiers=[SimpleNamespace(id="v0")])
        told = np.concatenate(list(prices(table, types, least.prices, Prices(lines, 10, 0))))
    wanted = 10 * cheapest(problem)
    wanted[::3] = -np.arange(problem.types.t)[::3]
    assert told.tolist() == wanted.tolist()
