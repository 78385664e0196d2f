"""Recount what a certificate claims: the measure of every witness, and, where time allows, the bounds.

Everything here is its own on purpose: plain breadth-first search, partitions refined by exact pairs, and closures
from single nodes grown the slow way.
"""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from numba import njit

from incrowd.errors import InputError

if TYPE_CHECKING:
    from incrowd.networks.values import Graph, Int32

__all__ = ["Recheck", "measure_of", "recheck"]

KINDS = ("at_least", "exactly", "attackers")


@dataclass(frozen=True)
class Recheck:
    """The verdict on a certificate.

    Attributes
    ----------
    ok : bool
        No violation.
    violations : tuple of str
        What does not hold, one sentence each.
    proven : bool
        True when every bound claimed was recomputed too, not only the witnesses.
    claims : int
        Claims looked at.
    seconds : float
    """

    ok: bool
    violations: tuple[str, ...]
    proven: bool
    claims: int
    seconds: float
    unproven: tuple[str, ...] = field(default=())

    def to_json(self) -> dict[str, Any]:
        """Return the verdict as a dictionary."""
        return {
            "ok": self.ok,
            "violations": list(self.violations),
            "proven": self.proven,
            "unproven": list(self.unproven),
            "claims": self.claims,
            "seconds": self.seconds,
        }

    def summary(self) -> str:
        """Tell the verdict in words."""
        if not self.ok:
            return "The certificate does not hold:\n" + "\n".join(f"- {v}" for v in self.violations)
        if self.proven:
            return f"The certificate holds: {self.claims} claims, witnesses and bounds recomputed from the edges."
        return (
            f"The certificate holds: the witnesses of {self.claims} claims were recomputed from the edges. "
            "Not recomputed: " + "; ".join(self.unproven) + "."
        )


@njit(cache=True)
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
    """Size of the smallest class outside `members`, by one search a member that has a neighbour outside."""
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
    """Check a certificate against a graph.

    Parameters
    ----------
    graph : Graph
    certificate : dict
        As `Measurement.certificate` makes it.
    seconds : float
        Time for the bounds; witnesses are always rechecked whole.

    Raises
    ------
    InputError
        If the certificate is not readable as one.

    Notes
    -----
    Witnesses: one search for every member next to an outsider. Bounds: closures from all nodes, each started by
    at most one search; a bound that does not finish in time is reported as not recomputed, never as wrong.
    """
    began = time.perf_counter()
    deadline = began + seconds
    claims = _claims(certificate)
    violations: list[str] = []
    unproven: list[str] = []
    for name, have in (("nodes", graph.nodes), ("edges", graph.edges)):
        if certificate.get(name) != have:
            violations.append(f"the certificate is for {certificate.get(name)} {name}, the network has {have}")
    if violations:
        return Recheck(False, tuple(violations), False, 0, time.perf_counter() - began)
    _check_form(graph)
    for claim in claims:
        problem = _check_witness(graph, claim)
        if problem:
            violations.append(problem)
            continue
        state = _check_bound(graph, claim, deadline)
        if state is False:
            violations.append(f"a smaller set exists for k = {claim['k']} than the certificate claims")
        elif state is None:
            unproven.append(_bound_words(claim))
    ok = not violations
    return Recheck(
        ok, tuple(violations), ok and not unproven, len(claims), time.perf_counter() - began, tuple(unproven)
    )


def _bound_words(claim: dict[str, Any]) -> str:
    if claim["kind"] == "attackers":
        return f"that no {claim['allowed']} attackers reach below k = {claim['lower_k']}"
    return f"that k = {claim['k']} needs {claim['lower']} attackers or more"


def _claims(certificate: dict[str, Any]) -> list[dict[str, Any]]:
    problem = InputError(
        "the certificate cannot be read: it should be the JSON object that `incrowd network --certificate` wrote"
    )
    if not isinstance(certificate, dict) or certificate.get("format") != "incrowd-network-certificate":
        raise problem
    claims = certificate.get("claims")
    if not isinstance(claims, list):
        raise problem
    for c in claims:
        if not isinstance(c, dict) or c.get("kind") not in KINDS or not _whole(c.get("k"), 1):
            raise problem
        members = c.get("members")
        if members is not None and not (isinstance(members, list) and all(_whole(x, 0) for x in members)):
            raise problem
        if c["kind"] == "attackers":
            if not _whole(c.get("allowed"), 1) or not _whole(c.get("lower_k"), 1):
                raise problem
        elif not (c.get("lower") is None or _whole(c.get("lower"), 1)):
            raise problem
    return claims


def _whole(value: object, least: int) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and value >= least


def _check_form(graph: Graph) -> None:
    """Make sure that the rows are sorted, simple and symmetric."""
    rows = np.repeat(np.arange(graph.nodes, dtype=np.int64), np.diff(graph.indptr))
    forward = rows * graph.nodes + graph.indices
    backward = np.sort(graph.indices.astype(np.int64) * graph.nodes + rows)
    assert (rows != graph.indices).all()
    assert (np.diff(forward) > 0).all()
    assert np.array_equal(forward, backward)


def _check_witness(graph: Graph, claim: dict[str, Any]) -> str | None:
    members = claim.get("members")
    k = claim["k"]
    if members is None:
        return None
    nodes = np.unique(np.array(members, np.int64))
    if nodes.size == 0 or nodes.size != len(members) or nodes[-1] >= graph.nodes or nodes.size >= graph.nodes:
        return f"the witness for k = {k} is no proper set of nodes"
    if claim["kind"] == "attackers" and nodes.size > claim["allowed"]:
        return f"the witness for k = {k} has more than {claim['allowed']} nodes"
    found = measure_of(graph, nodes.astype(np.int32))
    if found != k if claim["kind"] != "at_least" else found < k:
        wanted = f"{k} or more" if claim["kind"] == "at_least" else f"{k}"
        return f"a witness claimed to leave crowds of {wanted} leaves one of {found}"
    return None


def _check_bound(graph: Graph, claim: dict[str, Any], deadline: float) -> bool | None:
    """Decide a bound: True when it holds, False when not, None when time is over."""
    if claim["kind"] == "attackers":
        if claim["lower_k"] == 1:
            return True
        return _least_of_one(graph, claim["lower_k"], deadline) if claim["allowed"] == 1 else None
    wanted = graph.nodes if claim["lower"] is None else claim["lower"]
    if wanted <= 1:
        return True
    smallest = _smallest_closure(graph, claim["k"], wanted, deadline)
    if smallest is None:
        return None
    if smallest >= wanted:
        return True
    # measure at least k is had by fewer: no proof for "exactly k", a contradiction for "at least k"
    return None if claim["kind"] == "exactly" else False


def _least_of_one(graph: Graph, k: int, deadline: float) -> bool | None:
    for v in range(graph.nodes):
        if measure_of(graph, np.array([v], np.int32)) < k:
            return False
        if time.perf_counter() > deadline:
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
        if time.perf_counter() > deadline:
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


@njit(cache=True)
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
        if time.perf_counter() > deadline:
            return None
        s = int(edge[-1])
        searched[s] = True
        _search(graph.indptr, graph.indices, s, dist, queue)
        _split(label, dist, outside)
