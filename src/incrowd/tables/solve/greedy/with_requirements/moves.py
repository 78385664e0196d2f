"""Leftover rows, of k alone too: rows lent to them, classes merged until they are good, and taken apart again."""

from __future__ import annotations

import itertools
from collections import deque
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import Infeasible
from incrowd.kernels.grouping.instances import number_classes
from incrowd.tables.row_numbers import added_up, before_each, first_of
from incrowd.tables.solve.bounds import counting
from incrowd.tables.solve.greedy.with_requirements.class_plan import honest
from incrowd.tables.solve.shared.refusals import k_alone
from incrowd.tables.solve.shared.requirement_check import kinds_meet, meets, requirements_in_words

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from numpy.typing import NDArray

    from incrowd.tables.solve.greedy.with_requirements.class_plan import ClassPlan
    from incrowd.tables.values import Int8, Int32, Int64, PatternBlock, Problem

CARVED = 4_000_000  # types times patterns looked at for what a repaired class can give back
LENT = 1_000_000  # leftover types times parts up to which rows are lent to them one by one
# Patterns under which others are broken up for a class without a partner, and how often that is done.
FORCED, BREAKS = 64, 1000
LATE = 200  # leftover types that still find a place once the time is over


def settle(state: ClassPlan, left: Int32, rows: Int64, blocks: Iterable[PatternBlock], *, suppress: bool) -> None:
    """Bring leftover rows into classes.

    With `suppress` into the fully suppressed class, which other rows are lent to, and which gives back what it can
    under the patterns of `blocks`; else each type into the classes that are cheapest to merge with. `left` and `rows`,
    (x,), are the row types and the rows of each. Infeasible is raised where a row finds no place, or not in time.
    """
    problem, top = state.problem, state.top
    if not left.size:
        return
    if suppress:
        taken = lend(state, top, left, rows, None)
        class_ = state.open(top, left, rows) if taken is None else state.take(top, left, rows, taken)
        grow(state, class_)
        if problem.requirements:
            carve(state, class_, blocks, visits=CARVED)
        return
    few = left.size * state.part_type.size <= LENT
    opened = deque(state.alone(row, n) for row, n in zip(left.tolist(), rows.tolist(), strict=True))
    forced: set[bytes] = set()
    turn = 0
    while opened:
        class_, turn = opened.popleft(), turn + 1
        if state.watch.stopped and turn > LATE:
            raise _not_found(problem, " in the time given")
        if class_ >= 0 and not state.holds(class_).any():
            continue
        if class_ >= 0 and ((few and _filled(state, class_)) or grow(state, class_)):
            continue
        freed = None if class_ < 0 or len(forced) >= BREAKS else _forced(state, class_, forced)
        if freed is None:
            counting.per_row_bound(k_alone(problem), state.watch)  # counting may prove that there is no release
            raise _not_found(problem)
        opened.extend(state.alone(row, n) for row, n in freed)


def _forced(state: ClassPlan, class_: int, forced: set[bytes]) -> list[tuple[int, int]] | None:
    """Open an instance for a class without a partner, at the cost of breaking others up; None: there is none.

    The cheapest pattern of the first ones under which enough rows agree, each instance once (`forced`). Returned are
    the row types that are in no class then, and the rows of each.
    """
    e, mine = state.encoded, state.holds(class_)
    types, rows, sizes = state.part_type[mine], state.part_rows[mine], state.sizes()
    blocks = state.problem.patterns.by_cost(state.problem.floor_costs(), state.problem.ties())
    for vector in itertools.islice((vector for block in blocks for vector in block.levels), FORCED):
        name = vector.tobytes() + e.nodes[types[0], e.start + vector].tobytes()
        fits = e.agree(vector, int(types[0]), state.part_type) & (state.part_rows > 0)
        if name in forced or not fits[mine].all() or int(state.part_rows[fits].sum()) < state.least(vector):
            continue
        fits &= ~mine
        # classes that lie in the instance with all their rows come first
        apart = sizes - added_up(state.part_class[fits], state.part_rows[fits], sizes.size)
        order = np.flatnonzero(fits)
        order = order[np.lexsort((state.part_class[order], apart[state.part_class[order]]))]
        taken = np.zeros_like(state.part_rows)
        taken[order] = first_of(state.part_rows[order], state.least(vector) - int(rows.sum()))
        got = np.flatnonzero(taken)
        if not state.good(vector, np.concatenate((types, state.part_type[got])), np.concatenate((rows, taken[got]))):
            continue
        forced.add(name)
        state.part_rows = np.where(mine, 0, state.part_rows)
        lenders = np.unique(state.part_class[got])
        fails = np.isin(state.part_class, lenders[~_stay(state, lenders, state.part_rows - taken)])
        state.take(vector, types, rows, taken)
        fails = np.append(fails, np.zeros(state.part_rows.size - fails.size, np.bool_)) & (state.part_rows > 0)
        freed = list(zip(state.part_type[fails].tolist(), state.part_rows[fails].tolist(), strict=True))
        state.part_rows = np.where(fails, 0, state.part_rows)
        return freed
    return None


def _filled(state: ClassPlan, class_: int) -> bool:
    """Fill a class with rows of others if that costs less than its cheapest merge; return whether it does."""
    mine = state.holds(class_)
    types, rows, sizes, kept = state.part_type[mine], state.part_rows[mine], state.sizes(), state.part_rows
    live = np.flatnonzero(sizes)
    partner, vector = _partner(state, class_, types, rows, live[live != class_], sizes)
    if partner < 0 or (vector < 0).any():
        return False
    dearer = int(state.encoded.row_costs(vector, types[:1])[0] - state.class_costs()[partner]) * int(sizes[partner])
    state.part_rows = np.where(mine, 0, kept)
    taken = lend(state, vector, types, rows, dearer)
    if taken is None:
        state.part_rows = kept
    else:
        state.take(vector, types, rows, taken)
    return taken is not None


def _not_found(problem: Problem, when: str = "") -> Infeasible:
    asked = requirements_in_words(problem)
    return Infeasible(
        f"no release was found{when}, though one may exist: under a mask without full suppression some rows found no "
        f"group that meets {asked}; {'allow more time, ' if when else ''}"
        "allow full suppression, allow more patterns or ask for less",
        requirement=asked,
        proven=False,
    )


# Rows lent to leftover ones, so that they are a class together.
ROUNDS = 60  # of lending to one class
STEP = 0.1  # share by which a class may grow in a round, and that a lender may lose


def gather(state: ClassPlan, left: Int64, blocks: Iterable[PatternBlock], *, tries: int, visits: int) -> int:
    """Open instances for leftover rows with rows lent to them, cheapest patterns first; return how many.

    `left`, (t,), holds the leftover rows of each type and is changed in place. At most `tries` instances are tried, and
    at most `visits` row types times patterns looked at. Tried are instances of at least k leftover rows that would meet
    everything with all rows that agree, and only while that costs less than full suppression. O(parts * m) time a
    pattern and a try.
    """
    opened = 0
    for block in blocks:
        for vector in block.levels:
            visits -= state.encoded.t
            if tries <= 0 or visits < 0 or state.watch.stopped or (vector == state.top).all():
                return opened
            for crowd in _promising(state, vector, left):
                if tries <= 0 or state.watch.stopped:
                    return opened
                rows = left[crowd]
                tries -= 1
                taken = lend(state, vector, crowd, rows, _saved(state, vector, crowd, rows))
                if taken is not None:
                    state.take(vector, crowd, rows, taken)
                    left[crowd] = 0
                    opened += 1
    return opened


def _promising(state: ClassPlan, vector: Int8, left: Int64) -> list[Int32]:
    """Return the leftover types of instances that might do with rows lent, the largest first."""
    types = np.flatnonzero(left).astype(np.int32)
    shown = state.encoded.shown(vector)
    hashes = state.encoded.table[shown][:, types].sum(axis=0, dtype=np.uint64)
    label, crowds = number_classes(hashes, left[types], state.problem.k)
    inside = np.flatnonzero(label >= 0)
    if not inside.size:
        return []
    names, at = np.unique(hashes[inside], return_index=True)
    every = state.encoded.table[shown].sum(axis=0, dtype=np.uint64)
    place = np.minimum(np.searchsorted(names, every), names.size - 1)
    members = np.flatnonzero(names[place] == every).astype(np.int32)
    good = meets(state.problem, place[members], members, state.encoded.counts[members], names.size)
    # an instance that is open already has taken what it can
    same = (state.vectors == vector).all(axis=1)
    shows = state.part_type[same[state.part_class] & (state.part_rows > 0)]
    good[place[shows][names[place[shows]] == every[shows]]] = False
    number = np.full(crowds, -1, np.int64)
    number[label[inside[at]]] = np.arange(names.size)
    inside = inside[good[number[label[inside]]]]
    if not inside.size:
        return []
    found = honest(state.encoded, vector, label[inside], types[inside], left[types[inside]])
    return [crowd for crowd, rows in sorted(found, key=lambda one: -int(one[1].sum()))]


def _saved(state: ClassPlan, vector: Int8, types: Int32, rows: Int64) -> int:
    """Return how much cheaper rows are under a level vector than fully suppressed."""
    return int(((state.encoded.row_costs(state.top, types) - state.encoded.row_costs(vector, types)) * rows).sum())


def lend(state: ClassPlan, vector: Int8, types: Int32, rows: Int64, budget: int | None) -> Int64 | None:
    """Return how many rows of every part to lend to some rows so that they are a class, or None.

    `vector`, (m,), is the level vector under which the rows agree; only parts that agree too lend. `types` and `rows`
    are (x,). `budget` is what the lending may add to the scaled cost at most (None: anything). Round by round, values
    that the class has too rarely (by the table's shares) are lent, the cheapest first, and lenders that would break a
    rule drop out. O(parts * m) time a round; None too once the time is over.
    """
    fits = np.flatnonzero(state.encoded.agree(vector, int(types[0]), state.part_type) & (state.part_rows > 0))
    fits = fits[(state.vectors[state.part_class[fits]] != vector).any(axis=1)]
    price = int(state.encoded.row_costs(vector, types[:1])[0])
    dearer = price - state.encoded.costs_under(state.vectors[state.part_class[fits]], state.part_type[fits])
    fits, dearer = fits[order := np.argsort(dearer, kind="stable")], dearer[order]
    kind = state.kind[state.part_type[fits]]
    lenders = state.part_class[fits]
    taken = np.zeros(state.part_rows.size, np.int64)
    able = np.ones(len(state.vectors), np.bool_)
    sizes = state.sizes()
    have = state.histogram(types, rows)
    share = state.table / state.table.sum()
    for _ in range(ROUNDS):
        if state.watch.stopped:
            return None
        got = np.flatnonzero(taken)
        if state.good(vector, np.concatenate((types, state.part_type[got])), np.concatenate((rows, taken[got]))):
            return taken
        size = int(have.sum())
        goal = max(state.least(vector), int(size * (1 + STEP)) + 1)
        want = np.ceil(np.clip(share * goal - have, 0, None)).astype(np.int64)
        # the cheapest first, at most what is wanted of each value and a share of each lender
        asked = np.where(able[lenders] & (want[kind] > 0), state.part_rows[fits] - taken[fits], 0)
        asked = _served(lenders, asked, np.maximum(sizes * STEP, 1).astype(np.int64))
        offered = np.zeros(state.part_rows.size, np.int64)
        offered[fits] = _served(kind, asked, want)
        amounts = _allowed(state, offered, taken, able)
        if amounts is None:
            return None
        taken += amounts
        if budget is not None and int((taken[fits] * dearer).sum()) >= budget:
            return None
        lent = np.flatnonzero(amounts)
        np.subtract.at(sizes, state.part_class[lent], amounts[lent])
        have += state.histogram(state.part_type[lent], amounts[lent])
    return None


def _served(owner: NDArray[np.integer], asked: Int64, limit: Int64) -> Int64:
    """Return what each entry gets of what it asks for: every owner has a limit, and who comes first is served first."""
    gets: Int64 = np.clip(limit[owner] - before_each(owner, asked), 0, asked)
    return gets


def _allowed(state: ClassPlan, amounts: Int64, taken: Int64, able: NDArray[np.bool_]) -> Int64 | None:
    """Return the offers of lenders that stay good; the others are no longer `able`. None: there are none."""
    lenders = np.unique(state.part_class[amounts > 0])
    if not lenders.size:
        return None
    left = state.part_rows - taken - amounts
    good = _stay(state, lenders, left)
    able[lenders[~good]] = False
    return np.where(able[state.part_class], amounts, 0)


def _stay(state: ClassPlan, classes: NDArray[np.integer], left: Int64) -> NDArray[np.bool_]:
    """Return which classes meet everything with the rows left to their parts; an empty one does not."""
    number = np.full(len(state.vectors), -1, np.int64)
    number[classes] = np.arange(classes.size)
    mine = np.flatnonzero((number[state.part_class] >= 0) & (left > 0))
    where = number[state.part_class[mine]]
    size = added_up(where, left[mine], classes.size)
    least = np.array([state.least(state.vectors[g]) for g in classes])
    return (size >= least) & meets(state.problem, where, state.part_type[mine], left[mine], classes.size)


# Classes that merge until they are good, and fall apart again where they can.
NEAREST = 48  # classes judged at a time as partners of a merge
# Crowds judged at a time, at first, and their counts of combinations of sensitive values, at most.
AHEAD, DENSE = 8, 1 << 20


def grow(state: ClassPlan, class_: int) -> bool:
    """Merge a class with others until it meets everything; return whether it does.

    `class_` is its number; `state` is changed in place. Of the 48 classes that are cheapest to merge with, the cheapest
    that makes it good; if there is none, the one that takes away most of its surplus values for the cost. O(classes * m
    + rows of those classes) time a merge. Neither a time limit nor an interruption ends it, for without it there may
    be no release but one of stars; but then twice as many of the cheapest classes are taken in each merge as in the one
    before, so that at most O(log classes) are left.
    """
    at_once = 1
    while True:
        mine = np.flatnonzero(state.holds(class_))
        types, rows = state.part_type[mine], state.part_rows[mine]
        if state.good(state.vectors[class_], types, rows):
            return True
        sizes = state.sizes()
        live = np.flatnonzero(sizes)
        live = live[live != class_]
        if not live.size:
            return False
        if state.watch.stopped:
            at_once *= 2
            partners, vector = _cheapest(state, class_, types, live, sizes, at_once)
        else:
            partner, vector = _partner(state, class_, types, rows, live, sizes)
            partners = np.array([partner])
        if (vector < 0).any() or partners[0] < 0:
            return False
        state.vectors[class_] = vector
        state.part_class = np.where(np.isin(state.part_class, partners), class_, state.part_class)


def _cheapest(
    state: ClassPlan, class_: int, types: Int32, live: Int64, sizes: Int64, count: int
) -> tuple[Int64, Int8]:  # fmt: skip
    """Return the classes whose rows lose least by a merge, and the vector of all of them; -1 throughout: none allowed.

    The cost of a merge is that of the levels at which the rows agree, whether or not the mask allows them.
    """
    first = state.first()
    joined = np.maximum(state.encoded.join(state.vectors[live], first[live], int(types[0])), state.vectors[class_])
    more = sizes[live] * (state.encoded.costs_under(joined, first[live]) - state.class_costs()[live])
    near = np.argsort(more, kind="stable")[:count]
    return live[near], state.closure.first(joined[near].max(axis=0)[None, :], types[:1])[0]


def _partner(state: ClassPlan, class_: int, types: Int32, rows: Int64, live: Int64, sizes: Int64) -> tuple[int, Int8]:
    first = state.first()
    joined = np.maximum(state.encoded.join(state.vectors[live], first[live], int(types[0])), state.vectors[class_])
    vectors = state.closure.first(joined, first[live])
    allowed = (vectors >= 0).all(axis=1)
    live, vectors = live[allowed], vectors[allowed]
    if not live.size:
        return -1, state.top
    size = int(rows.sum())
    price = int(state.encoded.row_costs(state.vectors[class_], types[:1])[0])
    new = state.encoded.costs_under(vectors, first[live])
    more = (sizes[live] + size) * new - size * price - sizes[live] * state.class_costs()[live]
    near = np.argsort(more, kind="stable")[:NEAREST]
    number = np.full(len(state.vectors), -1, np.int64)
    number[live[near]] = np.arange(near.size)
    parts = np.flatnonzero((number[state.part_class] >= 0) & (state.part_rows > 0))
    where = np.concatenate((number[state.part_class[parts]], np.repeat(np.arange(near.size), types.size)))
    all_types = np.concatenate((state.part_type[parts], np.tile(types, near.size)))
    all_rows = np.concatenate((state.part_rows[parts], np.tile(rows, near.size)))
    least = np.array([state.least(vectors[x]) for x in near])
    good = (sizes[live[near]] + size >= least) & meets(state.problem, where, all_types, all_rows, near.size)
    if good.any():
        x = near[int(np.flatnonzero(good)[0])]
        return int(live[x]), vectors[x]
    share = state.table / state.table.sum()
    mine = state.histogram(types, rows)
    surplus = np.clip(mine - share * size, 0, None).sum() / size
    table = np.zeros((near.size, mine.size))
    np.add.at(table, (where, state.kind[all_types]), all_rows)
    whole = table.sum(axis=1)
    after = np.clip(table - share * whole[:, None], 0, None).sum(axis=1) / whole
    x = near[int(np.argmax((surplus - after + 1e-9 * whole) / np.maximum(more[near], 1)))]
    return int(live[x]), vectors[x]


def carve(state: ClassPlan, class_: int, blocks: Iterable[PatternBlock], *, visits: int) -> int:
    """Let instances below a class have their rows back where they and the rest meet everything; return how many.

    `class_` is its number; `state` is changed in place. Patterns, which come in `blocks` cheapest first, are walked
    through for at most `visits` types times patterns.
    """
    carved = 0
    own = state.vectors[class_]
    state.tidy()
    for block in blocks:
        for vector in block.levels:
            mine = np.flatnonzero(state.holds(class_))
            visits -= mine.size
            if visits < 0 or state.watch.stopped:
                return carved
            if (vector > own).any() or (vector == own).all():
                continue
            types, rows = state.part_type[mine], state.part_rows[mine]
            hashes = state.encoded.table[state.encoded.shown(vector)][:, types].sum(axis=0, dtype=np.uint64)
            label, crowds = number_classes(hashes, rows, state.least(vector))
            inside = np.flatnonzero(label >= 0)
            if not inside.size:
                continue
            fine = meets(state.problem, label[inside], types[inside], rows[inside], crowds)
            inside = inside[fine[label[inside]]]
            if not inside.size:
                continue
            place = np.zeros(state.encoded.t, np.int64)
            place[types] = mine
            crowds_here = honest(state.encoded, vector, label[inside], types[inside], rows[inside])
            held = [state.histogram(crowd, amounts) for crowd, amounts in crowds_here]
            for x in _spared(state, own, state.histogram(types, rows), held):
                state.vectors = np.concatenate((state.vectors, vector[None, :]))
                state.part_class[place[crowds_here[x][0]]] = len(state.vectors) - 1
                carved += 1
    return carved


def _spared(state: ClassPlan, vector: Int8, have: Int64, held: list[Int64]) -> Iterator[int]:
    """Yield which crowds a class can do without, one after another.

    `vector`, (m,), is the class's. `have`, (kinds,), are its rows of each combination of sensitive values, and `held`
    are those of each crowd.
    """
    at, ahead = 0, AHEAD
    while at < len(held):
        rest = have - np.array(held[at : at + ahead])
        sizes = rest.sum(axis=1)
        class_, kinds = np.nonzero(rest)
        good = (sizes >= state.least(vector)) & kinds_meet(state.problem, class_, kinds, rest[class_, kinds], len(rest))
        good |= sizes == 0
        if good.any():
            at += int(np.argmax(good))
            have = have - held[at]
            yield at
            at, ahead = at + 1, AHEAD
        else:
            at += len(rest)
            ahead = min(2 * ahead, max(1, DENSE // have.size))
