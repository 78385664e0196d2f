"""Recount what a certificate claims: the measure of every witness, and, where time allows, the bounds.

`incrowd.check` says what a certificate means; here are loops for its searches: plain breadth-first search, partitions
refined by exact pairs, and closures from single nodes grown the slow way. They share nothing with the solvers.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field, fields
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.check.exact import Unreadable
from incrowd.check.network import CURVES, Network, check
from incrowd.errors import InputError
from incrowd.loops import njit
from incrowd.progress import search_time

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.networks.values import Graph, Int32


@njit(cache=True, nogil=True)
def search(indptr, indices, source, dist, queue):  # type: ignore[no-untyped-def]
    """Write every distance from a node, -1 where there is no path, and the nodes in the order they were reached."""
    for x in range(dist.size):
        dist[x] = -1
    dist[source] = 0
    queue[0] = source
    tail = 1
    head = 0
    while head < tail:
        x = queue[head]
        head += 1
        for p in range(indptr[x], indptr[x + 1]):
            y = indices[p]
            if dist[y] == -1:
                dist[y] = dist[x] + 1
                queue[tail] = y
                tail += 1


def _split(label: np.ndarray, dist: np.ndarray, outside: np.ndarray) -> None:
    """Refine labels of the nodes `outside` by exact pairs (label, distance)."""
    width = np.int64(dist.max()) + 2
    pairs = label[outside].astype(np.int64) * width + dist[outside] + 1
    label[outside] = np.unique(pairs, return_inverse=True)[1]


def measure_of(graph: Graph, members: Int32) -> int:
    """Return the size of the smallest class of nodes outside a set, (s,), which leaves at least one node outside.

    One search and one sort for every member that has a neighbour outside: O(s (m + n log n)) time.
    """
    n = graph.nodes
    inside = np.zeros(n, np.bool_)
    inside[members] = True
    outside = np.flatnonzero(~inside)
    label = np.zeros(n, np.int64)
    dist, queue = np.empty(n, np.int64), np.empty(n, np.int64)
    for s in members:
        if not inside[graph.indices[graph.indptr[s] : graph.indptr[s + 1]]].all():
            search(graph.indptr, graph.indices, s, dist, queue)
            _split(label, dist, outside)
    return int(np.bincount(label[outside]).min())


class Searched(Network):
    """A network whose searches and partitions are loops over arrays; each stands for a function of `Network`."""

    now = staticmethod(search_time)

    def __init__(self, graph: Graph) -> None:
        self.graph, self.nodes, self.edges = graph, graph.nodes, graph.edges

    def measure(self, members: Sequence[int]) -> int:
        """Return the size of the smallest class outside some attackers."""
        return measure_of(self.graph, np.array(sorted(members), np.int32))

    def smallest_closure(self, k: int, wanted: int, deadline: float) -> int | None:
        """Return the least size of a closure of a node, or a number from `wanted` on; None when time is over."""
        return _smallest_closure(self.graph, k, wanted, deadline)


def recheck(graph: Graph, certificate: dict[str, Any], *, seconds: float = 60.0) -> Recheck:
    """Check a certificate, as `Measurement.certificate` makes it, against a graph: by `incrowd.check`, with loops.

    The result has violations where the claims do not hold, say nothing, or do not answer the certificate's own
    question. `seconds` is the time for the bounds; witnesses are always rechecked whole. InputError is raised if the
    certificate is not readable as one. Witnesses take one search for every member next to an outsider. Bounds take
    closures from all nodes, each started by at most one search; a bound that does not finish in time is reported as not
    recomputed, never as wrong.
    """
    began = time.perf_counter()
    _check_form(graph)
    try:
        found = check(Searched(graph), certificate, seconds)
    except Unreadable as error:
        raise InputError(f"the certificate cannot be read: {error}") from None
    told = {one.name: found[one.name] for one in fields(Answer) if one.name in found}
    answer = Answer(**told) if found["ok"] else None
    return Recheck(
        found["ok"], tuple(found["violations"]), found["proven"], len(certificate["claims"]),
        time.perf_counter() - began, tuple(found["unproven"]), found["question"], answer,
    )  # fmt: skip


def _check_form(graph: Graph) -> None:
    """Make sure that the rows are sorted, simple and symmetric."""
    rows = np.repeat(np.arange(graph.nodes, dtype=np.int64), np.diff(graph.indptr))
    forward = rows * graph.nodes + graph.indices
    backward = np.sort(graph.indices.astype(np.int64) * graph.nodes + rows)
    assert (rows != graph.indices).all()
    assert (np.diff(forward) > 0).all()
    assert np.array_equal(forward, backward)


def _smallest_closure(graph: Graph, k: int, wanted: int, deadline: float) -> int | None:
    """Bound all sets of measure >= k from below, exactly below `wanted`; None when time is over.

    Every set of measure >= k holds, with each of its nodes, all classes of that node below k. So follow from every node
    one such companion; a walk ends in a cycle, and only what the cycles force has to be grown.
    """
    n = graph.nodes
    degree = np.diff(graph.indptr)
    companion = np.full(n, -1, np.int64)
    dist, queue = np.empty(n, np.int64), np.empty(n, np.int64)
    for v in np.argsort(-degree, kind="stable"):
        if 0 < degree[v] < k:
            companion[v] = graph.indices[graph.indptr[v]]
            continue
        if search_time() > deadline:
            return None
        search(graph.indptr, graph.indices, v, dist, queue)
        sizes = np.bincount(dist + 1)
        sizes[1] = 0  # v itself
        small = np.flatnonzero((sizes > 0) & (sizes < k))
        if small.size == 0:
            return 1
        companion[v] = np.flatnonzero(dist + 1 == small[0])[0]
    state = np.zeros(n, np.int64)  # 0 unseen, else number of the walk
    finished = np.zeros(n, np.bool_)
    smallest = n
    for walk, r in enumerate(range(n), start=1):
        path = []
        x = r
        while state[x] == 0:
            state[x] = walk
            path.append(x)
            x = int(companion[x])
        if state[x] == walk and not finished[x]:
            size = _grow(graph, k, x, finished, min(wanted, smallest), deadline)
            if size is None:
                return None
            smallest = min(smallest, size)
        finished[path] = True
    return smallest


@njit(cache=True, nogil=True)
def spread(indptr, indices, k, inside, finished, free, stack, top):  # type: ignore[no-untyped-def]
    """Absorb the outside neighbours of members that have fewer than k of them; True on meeting a finished node."""
    while top > 0:
        top -= 1
        s = stack[top]
        if not 0 < free[s] < k:
            continue
        for p in range(indptr[s], indptr[s + 1]):
            y = indices[p]
            if inside[y]:
                continue
            inside[y] = True
            if finished[y]:
                return True
            for q in range(indptr[y], indptr[y + 1]):
                z = indices[q]
                free[z] -= 1
                if inside[z] and 0 < free[z] < k:
                    stack[top] = z
                    top += 1
            if 0 < free[y] < k:
                stack[top] = y
                top += 1
    return False


def _grow(graph: Graph, k: int, start: int, finished: np.ndarray, enough: int, deadline: float) -> int | None:
    """Size of the closure of `start`, or a lower bound on it of at least `enough`, or n when it is covered."""
    n = graph.nodes
    inside = np.zeros(n, np.bool_)
    inside[start] = True
    free = np.diff(graph.indptr).astype(np.int64)
    free[graph.indices[graph.indptr[start] : graph.indptr[start + 1]]] -= 1
    label = np.zeros(n, np.int64)
    searched = np.zeros(n, np.bool_)
    dist, queue = np.empty(n, np.int64), np.empty(n, np.int64)
    stack = np.empty(2 * n + graph.indices.size, np.int64)
    while True:
        begin = np.flatnonzero(inside & (free > 0) & (free < k))
        stack[: begin.size] = begin
        met = spread(graph.indptr, graph.indices, k, inside, finished, free, stack, begin.size)
        if met or (inside & finished).any():
            return n  # what that node forces was counted already
        size = int(inside.sum())
        if size >= enough or size == n:
            return size
        outside = np.flatnonzero(~inside)
        counts = np.bincount(label[outside])
        small = outside[counts[label[outside]] < k]
        if small.size:
            for y in small:
                inside[y] = True
                free[graph.indices[graph.indptr[y] : graph.indptr[y + 1]]] -= 1
            continue
        edge = np.flatnonzero(inside & (free > 0) & ~searched)
        if edge.size == 0:
            return size
        if search_time() > deadline:
            return None
        s = int(edge[-1])
        searched[s] = True
        search(graph.indptr, graph.indices, s, dist, queue)
        _split(label, dist, outside)


# What the claims of a certificate come to: whether they answer its question, and how much of the answer is proven.
@dataclass(frozen=True)
class Answer:
    """As much of the answer as was proven from the edges.

    `k`: the level asked for (``at_least``, ``exactly``), or the one that a set was shown for. `attackers`: size of the
    set shown for it; None: none was shown. `lower_bound`, `upper_bound`: on the number of attackers with ``at_least``
    and ``exactly``, else on k. With `whole` and no set: there is none. `attackers_at_least`: with ``adim`` and
    ``profile``: no smaller set reaches `k`. `allowed`: with ``attackers``: how many the attacker may control. `curve`:
    tuple of (k, attackers, least), with ``profile``: for every k the size of a set shown, and the bound on it. `whole`:
    the question is answered: lower and upper bound meet.
    """

    k: int
    attackers: int | None
    lower_bound: int | None
    upper_bound: int | None
    whole: bool
    attackers_at_least: int | None = None
    allowed: int | None = None
    curve: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True)
class Recheck:
    """The verdict on a certificate.

    `ok`: no violation. `violations`: what does not hold, one sentence each. `proven`: True when the question is
    answered wholly, and every set and bound claimed was recomputed. `claims`: claims looked at. `unproven`: what was
    claimed and not recomputed. `question`: the question of the certificate. `answer`: what was proven; None with a
    violation.
    """

    ok: bool
    violations: tuple[str, ...]
    proven: bool
    claims: int
    seconds: float
    unproven: tuple[str, ...] = field(default=())
    question: str = ""
    answer: Answer | None = None

    def to_json(self) -> dict[str, Any]:
        """Return the verdict as a dictionary; k, attackers and bounds are those proven, null with a violation."""
        found = self.answer
        out: dict[str, Any] = {
            "ok": self.ok,
            "violations": list(self.violations),
            "proven": self.proven,
            "unproven": list(self.unproven),
            "claims": self.claims,
            "seconds": self.seconds,
            "question": self.question,
            "k": found.k if found else None,
            "attackers": found.attackers if found else None,
            "lower_bound": found.lower_bound if found else None,
            "upper_bound": found.upper_bound if found else None,
        }
        if found and found.attackers_at_least is not None:
            out["attackers_at_least"] = found.attackers_at_least
        if found and found.allowed is not None:
            out["attackers_allowed"] = found.allowed
        if found and self.question == "profile":
            out["profile"] = [{"k": k, "attackers": size, "attackers_at_least": low} for k, size, low in found.curve]
        return out

    def summary(self) -> str:
        """Tell the verdict, and what was proven, in words."""
        if self.answer is None or not self.ok:
            return "The certificate does not hold:\n" + "\n".join(f"- {v}" for v in self.violations)
        number = f"{self.claims} claim{'' if self.claims == 1 else 's'}"
        if self.proven:
            lines = [f"The certificate holds: {number}, witnesses and bounds recomputed from the edges."]
        else:
            lines = [
                f"The certificate holds as far as it goes: {number}, every witness recomputed from the edges; "
                "that is NOT the whole answer."
            ]
        lines.append("Proven: " + _words(self.question, self.answer) + ".")
        if self.question == "profile":
            lines += _curve_words(self.answer.curve)
        if self.unproven:
            lines.append("Not recomputed: " + "; ".join(self.unproven) + ".")
        return "\n".join(lines)


def _words(question: str, found: Answer) -> str:
    """Tell as much of the answer as was proven."""
    k, size = found.k, found.attackers
    if question == "attackers":
        out = f"{_leave(size)} somebody in a crowd of {k}"
        if found.lower_bound == k:
            return out + f", and no {found.allowed} attackers leave anybody in a smaller one"
        return out + f"; that no {found.allowed} attackers reach below k = {found.lower_bound}, and no more"
    if question in CURVES:
        out = f"{_leave(size)} everybody else in a crowd of {k} or more"
        out += f" (so many are needed, at least: {found.attackers_at_least})"
        if found.upper_bound == k:
            return out + f", and no set leaves {k + 1}: the antidimension is {k}"
        return out + f"; the antidimension lies from {k} to {found.upper_bound}"
    crowd = f"{k} or more" if question == "at_least" else f"exactly {k}"
    if size is None and found.whole:
        return f"no set of attackers leaves a smallest crowd of {crowd}"
    if size is None:
        return f"a set that leaves a smallest crowd of {crowd}, if there is one, has {found.lower_bound} nodes or more"
    if found.whole:
        return f"{_leave(size)} a smallest crowd of {crowd}, and no fewer do"
    out = f"{_leave(size)} a smallest crowd of {crowd}"
    return out + f"; the least number lies from {found.lower_bound} to {size}"


def _leave(number: int | None) -> str:
    return f"{number:,} attacker{' leaves' if number == 1 else 's leave'}"


MOST_STEPS = 12  # of a curve that are said


def _curve_words(curve: tuple[tuple[int, int, int], ...]) -> list[str]:
    """Lines for stretches of equal numbers, the first ones only."""
    steps: list[list[int]] = []
    for k, size, low in curve:
        if steps and steps[-1][2:] == [size, low]:
            steps[-1][1] = k
        else:
            steps.append([k, k, size, low])
    lines = [
        f"  k = {a if a == b else f'{a} to {b}'}: {size:,}" + ("" if low == size else f" (at least {low:,})")
        for a, b, size, low in steps[:MOST_STEPS]
    ]
    return lines + ([f"  ... and {len(steps) - MOST_STEPS} more steps"] if len(steps) > MOST_STEPS else [])
