"""Cycles cut into groups: what is settled costs what its prices say, and the quick release puts every row somewhere."""

from __future__ import annotations

import numpy as np

from incrowd.kernels.matching.repair import EXIT, PAIR, TRIPLE
from incrowd.progress import Watch
from incrowd.tables.solve.matching import groups_of_cycles
from incrowd.tables.solve.matching.active_rows import core_of
from incrowd.tables.solve.matching.assignment_relaxation import relax
from incrowd.tables.solve.matching.groups_of_cycles import cost_of, groups_of, quick, repaired
from incrowd.tables.solve.matching.metric import metric
from oracles.matching_drawn import FAMILIES, draw
from oracles.matching_plain import FAR, group_cost

COUNT = 60


def cases():
    for seed in range(COUNT):
        drawn = draw(FAMILIES[seed % len(FAMILIES)], 8000 + seed, (4, 14))
        exits = drawn.sens is None and seed % 2 > 0
        me = metric(
            drawn.types.codes, drawn.levels, drawn.patterns, drawn.sens, without_full=exits, dense=seed % 3 > 0
        )  # fmt: skip
        core = core_of(
            me, drawn.types.counts, expand=99, unpooled=np.ones(drawn.types.t, bool), full_exit=exits, pools=False
        )  # fmt: skip
        yield drawn, core, relax(core, Watch())


def held(core, kind, mate):
    """Every group as its rows, by what each row says of its company; all rows of a group say the same."""
    groups = set()
    for v in range(core.n):
        size = {PAIR: 2, TRIPLE: 3, EXIT: 1}.get(int(kind[v]))
        if size is not None:
            groups.add(frozenset([v, *(int(u) for u in mate[v, : size - 1])]))
    assert sum(map(len, groups)) == len(frozenset().union(*groups)), "no row is in two groups"
    return groups


def plain_cost(drawn, core, group):
    """What a group costs by the definition, in the core's units; a row alone leaves by its exit."""
    if len(group) == 1:
        return int(core.exits[next(iter(group))])
    each = group_cost(drawn, [int(core.who[v]) for v in group])
    assert each < FAR
    return len(group) * each // core.metric.divisor


def test_settled_groups_cost_what_the_prices_of_their_rows_add_up_to():
    settled = left = 0
    for drawn, core, relaxed in cases():
        groups = repaired(core, relaxed, Watch())
        found = held(core, groups.kind, groups.mate)
        for group in found:
            assert plain_cost(drawn, core, group) == int(relaxed.y[list(group)].sum())
        settled += len(found)
        left += groups.exposed.size
        assert core.n == groups.exposed.size + sum(map(len, found))
    assert settled > 50
    assert left


def test_the_quick_release_holds_every_row_and_costs_at_least_the_bound():
    met = 0
    for drawn, core, relaxed in cases():
        found = quick(core, repaired(core, relaxed, Watch()), Watch())
        if found is None:
            continue
        groups = held(core, *found)
        assert sum(map(len, groups)) == core.n
        assert cost_of(core, *found) == sum(plain_cost(drawn, core, group) for group in groups) >= relaxed.bound
        lines, leaving = groups_of(*found)
        told = {frozenset(v for v in line if v >= 0) for line in lines.tolist()} | {frozenset([v]) for v in leaving}
        assert told == groups
        met += 1
    assert met > 30


def test_once_the_time_is_over_long_looks_for_a_home_are_not_begun_and_short_ones_are(monkeypatch):
    over = Watch()
    over.limit(0)
    monkeypatch.setattr(groups_of_cycles, "LOOKED", 1)  # a slice for every row
    short = given_up = 0
    for _, core, relaxed in cases():
        groups = repaired(core, relaxed, Watch())
        at_leisure = quick(core, groups, Watch())
        monkeypatch.setattr(groups_of_cycles, "LATE", groups.exposed.size)
        found = quick(core, groups, over)
        assert (found is None) == (at_leisure is None)
        short += found is not None
        monkeypatch.setattr(groups_of_cycles, "LATE", groups.exposed.size - 1)
        if groups.exposed.size:
            assert quick(core, groups, over) is None
            given_up += at_leisure is not None
    assert short > 10 and given_up > 10


def test_told_to_stop_before_the_prices_no_row_is_in_a_group():
    watch = Watch()
    watch.interrupt()
    for _, core, _ in list(cases())[:8]:
        groups = repaired(core, relax(core, watch), watch)
        assert groups.exposed.size == core.n
        lines, leaving = groups_of(groups.kind, groups.mate)
        assert not len(lines) and not leaving.size
