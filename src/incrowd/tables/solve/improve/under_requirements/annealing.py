"""Annealing over candidates under requirements, from hot and lenient to cold and strict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.kernels.search import class_anneal, violations
from incrowd.kernels.search import class_state as at
from incrowd.kernels.search.class_state import BEST, BEST_COST, COST, FAILING, NOTED, fill
from incrowd.kernels.search.class_state import ROWS as CLASS_STATE_ROWS
from incrowd.progress import search_time
from incrowd.tables.count_rules import Family
from incrowd.tables.solve.improve.annealing import calls
from incrowd.tables.solve.improve.under_requirements import tuning

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from incrowd.tables.count_rules import CountRule
    from incrowd.tables.solve.shared.instances import Instances
    from incrowd.tables.solve.shared.time_limit import TimeShare
    from incrowd.tables.values import Int32, Int64


@dataclass(frozen=True, slots=True, eq=False)
class ClassCandidates:
    """Instances that may be opened, over row types told apart by sensitive values.

    `instances`: cheapest first, free ones last. `rc`: (g,) float64, reduced costs at some prices: what is small is
    opened often. `rows`: (p,) int64, the release to start from: rows per pair.
    """

    instances: Instances
    rc: NDArray[np.float64]
    rows: Int64


class RisingPenalty:
    """The penalty for a row by which a class fails: it rises through the run, and further while some class fails.

    `star` is what a star costs on average, in scaled cost units.

    Notes
    -----
    Where it is dearer to mend a last class than to pay for it, a run at one penalty would end with that class failing,
    and what it found would be lost to a rough repair. Where moves through states that fail by more are what mends it, a
    high penalty bars them; so the penalty falls back after a while and rises anew.

    References
    ----------
    .. [1] M. Gendreau, A. Hertz, G. Laporte, "A Tabu Search Heuristic for the Vehicle Routing Problem", Management
       Science 40(10), 1994: penalties that rise while solutions are infeasible.
    """

    def __init__(self, star: float) -> None:
        self.star = star
        self.since = tuning.DEFAULT.urgent_from

    def at(self, share: float, failing: bool) -> float:
        """Return the penalty of the next moves, in scaled cost units.

        `share` is the share of the run that is over, 0 to 1, and increases from call to call. `failing` says whether
        some class fails now.
        """
        own = tuning.DEFAULT
        if not failing or own.urgency * (share - self.since) > np.log(own.urgent_most):
            self.since = max(share, own.urgent_from)
        strict = min(1.0, share / own.rigour_at)
        urgency = np.exp(own.urgency * max(share - self.since, 0.0))
        return float(self.star * own.lenience * (own.rigour / own.lenience) ** strict * urgency)


class ClassAnnealing:
    """Runs over one list of candidates.

    `kinds` is (t,): the combination of sensitive values of each type. `star` is what a star costs on average, in scaled
    cost units. `moves`: made in all runs.

    References
    ----------
    .. [1] S. Kirkpatrick, C. D. Gelatt, M. P. Vecchi, "Optimization by Simulated Annealing", Science 220, 1983.
    """

    def __init__(
        self,
        candidates: ClassCandidates,
        kinds: NDArray[np.integer],
        rules: Sequence[CountRule],
        k: int,
        star: float,
    ) -> None:
        self.candidates = candidates
        self.kinds, self.rules = kinds, rules
        self.star = star
        own, needs = tuning.DEFAULT, candidates.instances.needs
        width = own.draw_width * star * max(k / 5, 1.0)
        rarity = np.clip((candidates.rc - candidates.rc.min(initial=0.0)) / width, 0.0, own.draw_rarity)
        self.ladder = np.cumsum(np.where(needs == 0, 0.0, np.exp(-rarity)))
        self.moves = 0

    def run(
        self,
        rows: Int64,
        watch: TimeShare,
        *,
        total: int | None,
        seed: int,
        enough: int,
        heard: Callable[[int], None],
    ) -> Int64:
        """Search from rows per pair, and return the cheapest ones without violation met in the second half of the run.

        What ends with violations is repaired; the rows may be dearer than the first, and may fail still. With `total`
        moves to make, these say how warm it is; with None it makes as many as the watch allows. The search stops at the
        scaled cost `enough`. `heard` is told the cost of the cheapest release met, about twice a second.
        """
        own, instances = tuning.DEFAULT, self.candidates.instances
        if not instances.size:
            return rows
        whole, real = lay_out(instances, self.kinds, self.rules, rows, seed)
        told, rising = search_time(), RisingPenalty(self.star)
        for done, moves in calls(watch, total=total, temperatures=own.temperatures):
            warmth = self.star * own.heat * (own.chill / own.heat) ** done
            penalty = rising.at(done, bool(whole[FAILING]))
            class_anneal.anneal(whole, real, self.ladder, moves, warmth, penalty, self.star, own.joined, done > 0.5)
            self.moves += moves
            noted = bool(whole[NOTED])
            if noted and whole[BEST_COST] <= enough:
                break
            now = search_time()
            if now - told > 0.5:
                told = now
                if noted or not whole[FAILING]:
                    heard(int(whole[BEST_COST] if noted else whole[COST]))
        self._repair(whole, real, watch)
        place = whole[BEST if whole[NOTED] else CLASS_STATE_ROWS]
        return whole[place : place + rows.size].copy()

    def _repair(self, whole: Int64, real: NDArray[np.float64], watch: TimeShare) -> None:
        """Mend what fails at the end, at a high price for failing, in a second or two."""
        own = tuning.DEFAULT
        late = watch.without_deadline()
        late.deadline = None if watch.deadline is None else search_time() + own.repair_seconds
        penalty, cold = own.repair_penalty * self.star, own.chill * self.star
        for _ in range(own.repair_helps):
            if not whole[FAILING] or late.stopped:
                break
            class_anneal.anneal(whole, real, self.ladder, 0, cold, penalty, self.star, 0.0, True)
        for turn in range(own.repair_rounds):
            if not whole[FAILING] or late.stopped:
                break
            class_anneal.repair(whole, real, self.candidates.instances.suppressed, penalty, turn)


# Candidates and requirements as the search's kernels read them: whole numbers in one array, real ones in another.

# Values up to which a class's distance in any metric is estimated pair by pair; else all values are equally far.
MOVED = 64
# Rows that a violation of one row times distance is about where the mean distance of two rows is 1, and the least mean
# distance that this rests on.
ROWS, NEAR = 0.7, 0.05
# Rows to draw from, at most.
DRAWN = 2_000_000


class Parts:
    """Arrays that will stand one behind the other."""

    def __init__(self, used: int, kind: type) -> None:
        self.used = used
        self.kind = kind
        self.parts: list[NDArray[np.generic]] = []

    def add(self, part: NDArray[np.generic]) -> int:
        """Add an array and return its place."""
        place = self.used
        self.parts.append(part.reshape(-1))
        self.used += part.size
        return place

    def joined(self) -> NDArray[np.generic]:
        """Return all of them as one array."""
        return np.concatenate([np.zeros(0, self.kind), *self.parts]).astype(self.kind, copy=False)


def lay_out(
    instances: Instances, kinds: NDArray[np.integer], rules: Sequence[CountRule], rows: Int64, seed: int
) -> tuple[Int64, NDArray[np.float64]]:
    """Return the state that holds rows per pair, as `incrowd.kernels.search.class_state` has it.

    The instances stand cheapest first. `kinds` is (t,): the combination of sensitive values of each type. `rows` is
    (p,). O(pairs log pairs) time; 110 bytes a pair, and 32 more for each column that rules are about; O(rows of the
    table) where a rule asks for entropy, O(values^2) for a metric.
    """
    head = np.zeros(at.HEAD, np.int64)
    whole, real = Parts(at.HEAD, np.int64), Parts(1, np.float64)
    columns = _columns(rules)
    classes, pairs, types = instances.size, instances.pairs, instances.t
    begins, which, places = instances.by_type
    entry, entry_begins, entry_value = _entries(instances, kinds, columns)
    drawn = _drawn(instances.counts)
    room = 8 * types + 4096
    type_where = np.zeros(pairs, np.int64)
    type_where[places] = np.arange(pairs)
    none = np.zeros(pairs, np.int64)
    for place, part in (
        (at.BEGINS, instances.begins), (at.MEMBERS, instances.members), (at.OWNERS, instances.owners),
        (at.COSTS, instances.costs), (at.NEEDS, instances.needs), (at.TYPE_BEGINS, begins), (at.WHICH, which),
        (at.PAIR, places), (at.ENTRY_BEGINS, entry_begins), (at.ENTRY, entry), (at.ENTRY_VALUE, entry_value),
        (at.DRAWN, drawn), (at.ROWS, none), (at.SIZE, np.zeros(classes, np.int64)),
        (at.ENTRY_ROWS, np.zeros(entry_value.size, np.int64)), (at.SLOT, np.arange(pairs)),
        (at.WHERE, np.arange(pairs)), (at.HELD, np.zeros(classes, np.int64)), (at.TYPE_SLOT, places),
        (at.TYPE_WHERE, type_where), (at.TYPE_HELD, np.zeros(types, np.int64)),
        (at.LOG, np.zeros(3 * room, np.int64)), (at.TOUCHED, np.zeros(classes, np.int64)),
        (at.MARK, np.zeros(classes, np.int64)), (at.BEST, rows), (at.FRESH, none), (at.FRESH_MARK, none),
    ):  # fmt: skip
        head[place] = whole.add(np.asarray(part))
    head[at.DEFICIT], head[at.OLD] = real.add(np.zeros(classes)), real.add(np.zeros(2 * room))
    lines = [rule_line(rule, columns, whole, real, int(instances.counts.sum())) for rule in rules]
    simple = (violations.SHARES, violations.EQUAL)
    head[at.SIMPLE] = all(line[violations.FAMILY] in simple for line in lines)
    head[at.RULES_AT] = whole.add(np.array(lines, np.int64))
    head[[at.CLASSES, at.PAIRS, at.TYPES, at.COLUMNS, at.ENTRIES, at.RULES, at.DRAWS, at.ROOM, at.SEED]] = (
        classes, pairs, types, len(columns), entry_value.size, len(rules), drawn.size, room, seed,
    )  # fmt: skip
    state = np.concatenate((head, whole.joined())), np.concatenate((np.zeros(1), real.joined()))
    fill(*state, rows)
    return state


def _columns(rules: Sequence[CountRule]) -> list[Int32]:
    """Return the codes that the rules look at, each once, shape (kinds,) each."""
    found: list[Int32] = []
    for rule in rules:
        if not any(np.array_equal(rule.code, code) for code in found):
            found.append(rule.code)
    return found


def _entries(instances: Instances, kinds: NDArray[np.integer], columns: Sequence[Int32]) -> tuple[Int64, Int64, Int64]:
    """Return the entry of every column and pair, where those of every column and instance begin, and their values."""
    entry = np.zeros((len(columns), instances.pairs), np.int64)
    firsts = np.zeros((len(columns), instances.size + 1), np.int64)
    values = [np.zeros(0, np.int64)]
    used = 0
    for c, code in enumerate(columns):
        width = int(code.max(initial=0)) + 1
        keys = instances.owners.astype(np.int64) * width + code[kinds[instances.members]]
        found, place = np.unique(keys, return_inverse=True)
        entry[c] = place.reshape(-1) + used
        firsts[c] = used + np.searchsorted(found, np.arange(instances.size + 1, dtype=np.int64) * width)
        values.append(found % width)
        used += found.size
    return entry, firsts, np.concatenate(values)


def _drawn(counts: Int64) -> Int64:
    """Return a type for every row, or for a sample of them, evenly spread."""
    n = int(counts.sum())
    if n <= DRAWN:
        return np.repeat(np.arange(counts.size, dtype=np.int64), counts)
    place = np.arange(DRAWN, dtype=np.float64) * (n / DRAWN)
    return np.searchsorted(np.cumsum(counts), place, side="right").astype(np.int64)


def rule_line(rule: CountRule, columns: Sequence[Int32], whole: Parts, real: Parts, rows: int) -> list[int]:
    """Lay out one rule; return its line.

    `whole` and `real` hold what is laid out so far, whole numbers and floating point; the rule's parts are added to
    them. The `columns` are the codes of the judged columns by row type, shape (t,) each, and `rows` is the number of
    rows of the table.
    """
    share = rule.totals / max(int(rule.totals.sum()), 1)
    family, scale = int(rule.family), 1.0
    first, second, logs = share, np.zeros(rule.values), np.zeros(0)
    nodes, far = np.zeros((0, rule.values), np.int64), np.zeros(0, np.int64)
    if rule.family == Family.SHARES:
        first, second = rule.share, rule.presence if rule.presence.size else second
    elif rule.family == Family.TREE:
        nodes = rule.node.astype(np.int64)
        if len(nodes) == 1 and np.unique(nodes[0]).size == rule.values:
            family = violations.EQUAL
        second = np.concatenate([np.zeros(0), *(np.bincount(x, share)[x] for x in nodes)])
        scale = ROWS / max(1 - float(np.mean([(np.bincount(x, share) ** 2).sum() for x in nodes])), NEAR)
    elif rule.family == Family.LINE:
        crossing = np.cumsum(share)[:-1]
        second = rule.length
        scale = ROWS / max(2 * float((rule.length * crossing * (1 - crossing)).sum()), NEAR)
    elif rule.family == Family.TRANSPORT and rule.values > MOVED:
        family = violations.EQUAL
    elif rule.family == Family.TRANSPORT:
        second = rule.distance.reshape(-1)
        far = np.argsort(second, kind="stable")
        scale = ROWS / max(float(share @ rule.distance @ share), NEAR)
    elif rule.family == Family.ENTROPY:
        counts = np.arange(rows + 1, dtype=np.float64)
        logs = counts * np.log(np.maximum(counts, 1.0))
    line = [0] * violations.RULE
    line[violations.FAMILY], line[violations.LEAST], line[violations.VALUES] = family, rule.least, rule.values
    line[violations.COLUMN] = next(c for c, code in enumerate(columns) if np.array_equal(code, rule.code))
    line[violations.HEIGHTS] = len(nodes)
    for place, part in (
        (violations.LEVEL, np.array([rule.level])), (violations.SCALE, np.array([scale])), (violations.FIRST, first),
        (violations.SECOND, second), (violations.LOGS, logs), (violations.SCRATCH, np.zeros(rule.values + 1)),
    ):  # fmt: skip
        line[place] = real.add(np.asarray(part, np.float64))
    line[violations.NODES], line[violations.FAR] = whole.add(np.asarray(nodes, np.int64)), whole.add(far)
    line[violations.TOP] = whole.add(np.zeros(rule.least + 2, np.int64))
    return line
