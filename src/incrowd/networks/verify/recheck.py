"""Recount what a certificate claims: the measure of every witness, and, where time allows, the bounds.

Everything here is its own on purpose: plain breadth-first search, partitions refined by exact pairs, and closures
from single nodes grown the slow way.
"""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.loops import njit
from incrowd.networks.verify.answer import Recheck, contradictions, proven_answer
from incrowd.networks.verify.claims import read_claims
from incrowd.progress import search_time

if TYPE_CHECKING:
    from incrowd.networks.values import Graph, Int32
    from incrowd.networks.verify.claims import Claim

__all__ = ["Recheck", "measure_of", "recheck"]


@njit(cache=True, nogil=True)
def _search(indptr, indices, source, dist, queue):  # type: ignore[no-untyped-def]
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
            _search(graph.indptr, graph.indices, s, dist, queue)
            _split(label, dist, outside)
    return int(np.bincount(label[outside]).min())


def recheck(graph: Graph, certificate: dict[str, Any], *, seconds: float = 60.0) -> Recheck:
    """Check a certificate, as `Measurement.certificate` makes it, against a graph.

    The result has violations where the claims do not hold, say nothing, or do not answer the certificate's own
    question. `seconds` is the time for the bounds; witnesses are always rechecked whole. InputError is raised if the
    certificate is not readable as one.

    Witnesses take one search for every member next to an outsider. Bounds take closures from all nodes, each started by
    at most one search; a bound that does not finish in time is reported as not recomputed, never as wrong.
    """
    began = time.perf_counter()
    deadline = search_time() + seconds
    read = read_claims(certificate)
    violations: list[str] = []
    unproven: list[str] = []
    # [N1]
    for name, said, have in (("nodes", read.nodes, graph.nodes), ("edges", read.edges, graph.edges)):
        if said != have:
            violations.append(f"the certificate is for {said} {name}, the network has {have}")
    violations = violations or contradictions(read, graph.nodes)
    if violations:
        return Recheck(False, tuple(violations), False, 0, time.perf_counter() - began, question=read.question)
    _check_form(graph)
    bounds: list[bool] = []
    for claim in read.claims:
        problem = _check_witness(graph, claim)
        state = None if problem else _check_bound(graph, claim, deadline)
        if problem:
            violations.append(problem)
        elif state is False:
            violations.append(_refuted(claim))
        elif state is None:
            unproven.append(_bound_words(claim))
        bounds.append(state is True)
    ok = not violations
    answer = proven_answer(read, graph.nodes, bounds) if ok else None
    return Recheck(
        ok,
        tuple(violations),
        answer is not None and answer.whole and not unproven,
        len(read.claims),
        time.perf_counter() - began,
        tuple(unproven),
        read.question,
        answer,
    )


def _bound_words(claim: Claim) -> str:
    if claim.kind == "attackers":
        return f"that no {claim.allowed} attackers reach below k = {claim.lower_k}"
    if claim.lower is None:
        return f"that no set reaches k = {claim.k}"
    return f"that k = {claim.k} needs {claim.lower} attackers or more"


def _refuted(claim: Claim) -> str:
    if claim.kind == "attackers":
        return f"{claim.allowed} attackers reach below k = {claim.lower_k}, which the certificate says they do not"
    return f"a smaller set exists for k = {claim.k} than the certificate claims"


def _check_form(graph: Graph) -> None:
    """Make sure that the rows are sorted, simple and symmetric."""
    rows = np.repeat(np.arange(graph.nodes, dtype=np.int64), np.diff(graph.indptr))
    forward = rows * graph.nodes + graph.indices
    backward = np.sort(graph.indices.astype(np.int64) * graph.nodes + rows)
    assert (rows != graph.indices).all()
    assert (np.diff(forward) > 0).all()
    assert np.array_equal(forward, backward)


def _check_witness(graph: Graph, claim: Claim) -> str | None:
    if claim.members is None:
        return None
    found = measure_of(graph, np.array(sorted(claim.members), np.int32))
    if found < claim.k if claim.kind == "at_least" else found != claim.k:  # [N4]
        wanted = f"{claim.k} or more" if claim.kind == "at_least" else f"{claim.k}"
        return f"a witness claimed to leave crowds of {wanted} leaves one of {found}"
    return None


def _check_bound(graph: Graph, claim: Claim, deadline: float) -> bool | None:
    """Decide a bound: True when it holds, False when not, None when time is over or no proof is known here."""
    if claim.kind == "attackers":
        if claim.lower_k == 1:  # [N6]
            return True
        return _least_of_one(graph, claim.lower_k, deadline) if claim.allowed == 1 else None
    wanted = graph.nodes if claim.lower is None else claim.lower
    if wanted <= 1 or claim.k >= graph.nodes:  # no set leaves as many nodes outside
        return True
    smallest = _smallest_closure(graph, claim.k, wanted, deadline)  # [N5]
    if smallest is None:
        return None
    if smallest >= wanted:
        return True
    # measure at least k is had by fewer: no proof for "exactly k", a contradiction for "at least k"
    return None if claim.kind == "exactly" else False


def _least_of_one(graph: Graph, k: int, deadline: float) -> bool | None:
    for v in range(graph.nodes):
        if measure_of(graph, np.array([v], np.int32)) < k:
            return False
        if search_time() > deadline:
            return None
    return True


def _smallest_closure(graph: Graph, k: int, wanted: int, deadline: float) -> int | None:
    """Bound all sets of measure >= k from below, exactly below `wanted`; None when time is over.

    Every set of measure >= k holds, with each of its nodes, all classes of that node below k. So follow from every
    node one such companion; a walk ends in a cycle, and only what the cycles force has to be grown.
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
        _search(graph.indptr, graph.indices, v, dist, queue)
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
def _spread(indptr, indices, k, inside, finished, free, stack, top):  # type: ignore[no-untyped-def]
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
        met = _spread(graph.indptr, graph.indices, k, inside, finished, free, stack, begin.size)
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
        _search(graph.indptr, graph.indices, s, dist, queue)
        _split(label, dist, outside)
