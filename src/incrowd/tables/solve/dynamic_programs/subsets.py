"""The two recursions over sets of rows as the papers state them: yardsticks for tables of a dozen rows.

A set is a bit mask of rows. What a set costs as one class is the least cost of an allowed pattern under which its rows
look alike; it is a class if it has k rows or more and meets the requirements. Under ``outliers="suppress"`` fully
suppressed rows are a class at any size.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from incrowd.errors import Infeasible
from incrowd.kernels.dynamic_programs import NEVER
from incrowd.tables.solve.shared.canonical_pattern import CanonicalPattern
from incrowd.tables.solve.shared.partial_plan import as_plan
from incrowd.tables.solve.shared.problem_arrays import ProblemArrays, encode
from incrowd.tables.solve.shared.requirement_check import meets

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from incrowd.progress import Watch
    from incrowd.tables.values import Int8, Int32, Int64, Plan, Problem

MOST_ROWS = 14
# what a bound by a literal recursion is called
METHODS = {
    "halves": "all sets of rows, by halves (Blocki and Williams, Theorem 1.3)",
    "thirds": "all sets of rows, by thirds (Liang and Yuan, Theorem 8)",
}

# Cost and the classes that make it up.
Found = tuple[int, tuple[int, ...]]
NONE: Found = (NEVER, ())


def reason_against(problem: Problem, recursion: str) -> str | None:
    """Return why a literal recursion (``halves`` or ``thirds``) will not start, or None."""
    if recursion == "halves" and problem.requirements:
        return "Theorem 1.3 is for k-anonymity alone; take recursion 'thirds' or 'first_group'"
    if problem.types.n > MOST_ROWS:
        return f"the literal recursion {recursion!r} takes up to {MOST_ROWS} rows, not {problem.types.n}"
    return None


def least(problem: Problem, recursion: str, watch: Watch) -> Plan | None:
    """Return a least release by a literal recursion (``halves`` or ``thirds``); None where there is no release.

    The problem has at most 14 rows. Infeasible is raised if the watch said stop.
    """
    sets = Sets(problem)
    cost, classes = (halves if recursion == "halves" else thirds)(sets, watch)
    if cost >= NEVER:
        return None
    return as_plan(problem, [sets.class_(members) for members in classes])


class Sets:
    """Sets of rows as classes.

    `rows`: row type of each row. `alone`: whether a class of fewer than k rows may be fully suppressed. `cost`: of
    every set as one class, `NEVER` where it is none. `meets`: whether a set could be a release's rows at all, by the
    requirements and k: if two sets of classes do, so does their union.
    """

    def __init__(self, problem: Problem) -> None:
        self.problem = problem
        self.rows = np.repeat(np.arange(problem.types.t), problem.types.counts)
        self.n = self.rows.size
        self.alone = problem.outliers == "suppress" and problem.patterns.allows_full_suppression
        self._joins = join_types(problem)
        self._join = np.zeros(1 << self.n, np.int64)
        top = problem.row_costs(problem.top)
        class_, member = np.nonzero(np.arange(1 << self.n)[:, None] >> np.arange(self.n) & 1)
        fit = meets(problem, class_, self.rows[member], np.ones(class_.size, np.int64), 1 << self.n)
        self.cost, self.meets = [NEVER], [True]
        for members in range(1, 1 << self.n):
            first = (members & -members).bit_length() - 1
            rest = members & (members - 1)
            kind = int(self.rows[first])
            self._join[members] = self._joins.table[self._join[rest], kind] if rest else self._joins.alone[kind]
            size = members.bit_count()
            crowd = size >= problem.k
            price = int(self._joins.price[self._join[members]]) if crowd else NEVER
            cost = size * price if price < NEVER else NEVER
            if not crowd and self.alone:
                cost = size * int(top[kind])
            self.cost.append(cost if fit[members] else NEVER)
            self.meets.append(bool(fit[members]) and (crowd or self.alone))

    def class_(self, members: int) -> tuple[object, np.ndarray, np.ndarray]:
        """Return a set as `as_plan` takes it."""
        types = self.rows[[i for i in range(self.n) if members >> i & 1]]
        starred = members.bit_count() < self.problem.k
        vector = self.problem.top if starred else self._joins.vectors[self._join[members]]
        return vector, types, np.ones(types.size, np.int64)


def halves(sets: Sets, watch: Watch) -> Found:
    """Find the least cost of all rows by Theorem 1.3 of Blocki and Williams.

    The answer is the scaled cost and the classes as bit masks of rows; `NEVER` and none where there is no release.
    Infeasible is raised if the watch stopped it. cost(S) = min of cost(T) + cost(S - T) over T in S with |S|/2 <= |T|
    <= |S|/2 + 2k, both parts >= k; one class if k <= |S| < 2k; infinite below k. Proof: classes of 2k rows or more can
    be cut in two, so all have fewer. Put the largest first; the shortest run of classes that holds half of the rows is
    T: without its last class it holds less than half, so |T| < |S|/2 + 2k, and it is not everything, or the last class,
    and hence the first, would be more than half. Where fully suppressed rows need no crowd, each of them is a class of
    one row, so parts may have any size, and the base is one class beside any of them.
    """
    k = sets.problem.k
    known: dict[int, Found] = {}

    def base(members: int) -> Found:
        best = NONE
        for class_ in _parts(members):
            rest = members ^ class_
            if (rest and not sets.alone) or (class_ and class_.bit_count() < k):
                continue
            cost = (sets.cost[class_] if class_ else 0) + sum(sets.cost[one] for one in _singles(rest))
            if cost < best[0]:
                best = cost, (*((class_,) if class_ else ()), *_singles(rest))
        return best

    def cost(members: int) -> Found:
        if members in known:
            return known[members]
        size = members.bit_count()
        if size < k and not sets.alone:
            return NONE
        if size < 2 * k:
            best = base(members)
        else:
            _ask(watch)
            best = NONE
            for part in _parts(members):
                taken = part.bit_count()
                if not size <= 2 * taken <= size + 4 * k or taken == size:
                    continue
                best = min(best, _sum(cost(part), cost(members ^ part)))
        known[members] = best
        return best

    return cost((1 << sets.n) - 1)


def thirds(sets: Sets, watch: Watch) -> Found:
    """Find the least cost of all rows by Theorem 8 of Liang and Yuan.

    The answer is the scaled cost and the classes as bit masks of rows; `NEVER` and none where there is no release.
    Infeasible is raised if the watch stopped it. F(S) is infinite if S does not meet the requirements as a whole (two
    classes that do meet them together, so no way to cut S does), else the least of cost(G) + F(S - G) over classes G of
    more than |S|/2 rows, S among them, and of F(S1) + F(S - S1) over S1 with both sides at most 2|S|/3. Proof: if no
    class has more than half of the rows, take the two sides, made of whole classes, of least difference d. A larger
    side has two classes or more, each of at least d rows, or moving it across would lessen the difference: so it has at
    least 2d rows, at most twice the other's.
    """
    known: dict[int, Found] = {0: (0, ())}

    def cost(members: int) -> Found:
        if members in known:
            return known[members]
        best = NONE
        if sets.meets[members]:
            _ask(watch)
            size = members.bit_count()
            for part in _parts(members):
                taken = part.bit_count()
                if 2 * taken > size and sets.cost[part] < NEVER:
                    best = min(best, _sum((sets.cost[part], (part,)), cost(members ^ part)))
                if 2 * taken <= size and 3 * (size - taken) <= 2 * size:
                    best = min(best, _sum(cost(part), cost(members ^ part)))
        known[members] = best
        return best

    return cost((1 << sets.n) - 1)


def _sum(first: Found, second: Found) -> Found:
    if first[0] >= NEVER or second[0] >= NEVER:
        return NONE
    return first[0] + second[0], first[1] + second[1]


def _parts(members: int) -> Iterator[int]:
    """Yield all parts of a set, itself and nothing too."""
    part = members
    while True:
        yield part
        if part == 0:
            return
        part = (part - 1) & members


def _singles(members: int) -> list[int]:
    return [1 << i for i in range(members.bit_length()) if members >> i & 1]


def _ask(watch: Watch) -> None:
    if watch.stopped:
        raise Infeasible("not all sets of rows were looked at within the limit", requirement="time_limit", proven=False)


# What any set of row types has in common: its join, and the cheapest allowed pattern above it.
#
# The join of a set is the lowest level vector under which its types look alike, with the nodes they then show. The join
# of a set and a further type follows from the set's join and the type, so a search that adds one row at a time needs a
# table only.
@dataclass(frozen=True, slots=True, eq=False)
class Joins:
    """All joins of a problem's row types.

    `alone`: (t,) int32, join of each type by itself. `table`: (j, t) int32, what a join becomes with a type more.
    `vectors`: (j, m) int8, the cheapest allowed pattern above each, -1 throughout where there is none. `price`: (j,)
    int64, cost of a row under it, `NEVER` where there is none.
    """

    alone: Int32
    table: Int32
    vectors: Int8
    price: Int64

    def of(self, types: NDArray[np.integer]) -> int:
        """Return the number of the join of some types, at least one."""
        join = int(self.alone[types[0]])
        for i in types[1:]:
            join = int(self.table[join, i])
        return join


def join_types(problem: Problem) -> Joins:
    """Return all joins of a problem's row types.

    j joins take O(j t m) time and O(j t) memory. j is at most the number of sets of types, and at most t times the
    number of level vectors; it is for tables of a few dozen types.
    """
    encoded = encode(problem)
    t, m = problem.types.codes.shape
    known: dict[bytes, int] = {}
    vectors: list[Int8] = [np.zeros((0, m), np.int8)]
    reps: list[Int32] = [np.zeros(0, np.int32)]

    def numbers(found: Int8, of: Int32) -> tuple[Int32, NDArray[np.bool_]]:
        """Return the number of each join and whether it is new."""
        names = np.concatenate((found.astype(np.int32), _shown(encoded, found, of)), axis=1)
        own = np.empty(len(found), np.int32)
        new = np.zeros(len(found), np.bool_)
        for at, name in enumerate(names):
            key = name.tobytes()
            new[at] = key not in known
            own[at] = known.setdefault(key, len(known))
        return own, new

    every = np.arange(t, dtype=np.int32)
    front, whose = np.zeros((t, m), np.int8), every
    alone, new = numbers(front, whose)
    front, whose = front[new], whose[new]
    lines: list[Int32] = []
    while len(whose):
        vectors.append(front)
        reps.append(whose)
        columns, fresh, owners = [], [], []
        for i in range(t):
            found = encoded.join(front, whose, i)
            own, new = numbers(found, whose)
            columns.append(own)
            fresh.append(found[new])
            owners.append(whose[new])
        lines.append(np.stack(columns, axis=1))
        front, whose = np.concatenate(fresh), np.concatenate(owners)
    common, of = np.concatenate(vectors), np.concatenate(reps)
    best = CanonicalPattern(problem, encoded).first(common, of)
    price = np.full(len(of), NEVER, np.int64)
    for at in np.flatnonzero((best >= 0).all(axis=1)):
        price[at] = encoded.row_costs(best[at], of[at : at + 1])[0]
    return Joins(alone, np.concatenate(lines), best, price)


def _shown(encoded: ProblemArrays, vectors: Int8, rows: Int32) -> Int32:
    """Return the nodes that rows show under level vectors, shape (g, m)."""
    lines = encoded.start[None, :] + vectors
    shown: Int32 = np.take_along_axis(encoded.nodes[rows], lines, axis=1)
    return shown
