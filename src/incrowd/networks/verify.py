"""Recount what a certificate claims: the measure of every witness, and, where time allows, the bounds.

Everything here is its own on purpose: plain breadth-first search, partitions refined by exact pairs, and closures
from single nodes grown the slow way.
"""

from __future__ import annotations

import time
from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from incrowd.errors import InputError
from incrowd.loops import njit
from incrowd.progress import search_time

if TYPE_CHECKING:
    from collections.abc import Mapping

    from incrowd.networks.values import Graph, Int32


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
    certificate is not readable as one. Witnesses take one search for every member next to an outsider. Bounds take
    closures from all nodes, each started by at most one search; a bound that does not finish in time is reported as not
    recomputed, never as wrong.
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


# What the claims of a certificate come to: whether they answer its question, and how much of the answer is proven.
CURVES = ("adim", "profile")


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


def contradictions(read: Claims, n: int) -> list[str]:
    """Tell why claims cannot be an answer to the certificate's question [N3].

    The network has n nodes. There is one sentence for each reason, and none where the claims can be an answer.
    """
    claims, question = read.claims, read.question
    if not claims:
        return ["the certificate claims nothing"]
    found: list[str] = []
    for i, claim in enumerate(claims, start=1):
        why = _misfit(claim, question, n)
        if why:
            found.append(f"claim {i} {why}")
    if found:
        return found
    if question not in CURVES:
        if len(claims) > 1:
            return [f"the question {question!r} has one answer, the certificate holds {len(claims)} claims"]
        return []
    twice = Counter((claim.k, claim.members is None) for claim in claims).most_common(1)[0]
    if twice[1] > 1:
        return [f"two claims say something of the same kind about k = {twice[0][0]}"]
    shown = [claim.k for claim in claims if claim.members is not None]
    beyond = [claim.k for claim in claims if claim.lower is None]
    if not shown:
        return ["the certificate does not answer its question: it shows no set of attackers"]
    if not beyond:
        return [
            f"the certificate does not answer its question: nothing says that no set leaves crowds above {max(shown)}"
        ]
    if min(beyond) <= max(shown):
        return [f"the certificate claims that no set reaches k = {min(beyond)}, and shows one for k = {max(shown)}"]
    return []


def _misfit(claim: Claim, question: str, n: int) -> str | None:
    """Tell why one claim can be no part of an answer."""
    members = claim.members
    if claim.kind != QUESTIONS[question]:
        return f"is of the kind {claim.kind!r}, which is no answer to the question {question!r}"
    if claim.empty:
        return "states nothing: neither a set of attackers nor a bound"
    if claim.k > n - (members is not None or question not in CURVES):
        return f"is about k = {claim.k}; the network has {n} nodes"
    if (members is not None and not 0 < len(members) < n) or max(members or (0,)) >= n:
        return f"has a witness for k = {claim.k} that is no proper set of nodes"
    if claim.kind == "attackers":
        if len(members or ()) > claim.allowed:
            return f"has a witness for k = {claim.k} with more than {claim.allowed} nodes"
        if claim.lower_k > claim.k:
            return f"says that no level below {claim.lower_k} is reached, and shows a set for k = {claim.k}"
    elif claim.lower is None:
        if members is not None:
            return f"says that there is no set for k = {claim.k}, and shows one"
    elif claim.lower > (n - 1 if members is None else len(members)):
        what = f"{n} nodes in all" if members is None else f"a set of {len(members)}"
        return f"says that k = {claim.k} needs {claim.lower} attackers or more; there are {what}"
    return None


def proven_answer(read: Claims, n: int, bounds: list[bool]) -> Answer:
    """Put together what holds: every witness does, and the bounds that were recomputed [N7].

    The claims are without `contradictions`, and the network has n nodes. `bounds` says for every claim whether its
    bound was recomputed.
    """
    if read.question in CURVES:
        return _curve_answer(read, n, bounds)
    claim, proven = read.claims[0], bounds[0]
    size = None if claim.members is None else len(claim.members)
    if read.question == "attackers":
        low = claim.lower_k if proven else 1
        return Answer(claim.k, size, low, claim.k, low == claim.k, allowed=claim.allowed)
    if claim.lower is None and proven:
        return Answer(claim.k, None, None, None, True)
    least = claim.lower if proven and claim.lower is not None else 1
    return Answer(claim.k, size, least, size, least == size)


def _curve_answer(read: Claims, n: int, bounds: list[bool]) -> Answer:
    """Levels 1..n - 1 with the smallest set shown and the least that is proven for each; both rise with the level."""
    shown, least = np.full(n + 1, n, np.int64), np.ones(n + 1, np.int64)
    for claim, proven in zip(read.claims, bounds, strict=True):
        if claim.members is not None:
            shown[claim.k] = min(shown[claim.k], len(claim.members))
        if proven:
            least[claim.k] = max(least[claim.k], n if claim.lower is None else claim.lower)
    least[n] = n  # no set leaves n nodes outside
    shown = np.minimum.accumulate(shown[::-1])[::-1]
    least = np.maximum.accumulate(least)
    reached = int(np.flatnonzero(shown < n)[-1])
    possible = int(np.flatnonzero(least < n)[-1])
    sizes, low = shown[1 : reached + 1], least[1 : reached + 1]
    whole = reached == possible
    curve: tuple[tuple[int, int, int], ...] = ()
    if read.question == "profile":
        whole = whole and bool((sizes == low).all())
        curve = tuple(zip(range(1, reached + 1), sizes.tolist(), low.tolist(), strict=True))
    return Answer(reached, int(sizes[-1]), reached, possible, whole, attackers_at_least=int(low[-1]), curve=curve)


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


def _curve_words(curve: tuple[tuple[int, int, int], ...], shown: int = 12) -> list[str]:
    """Lines for stretches of equal numbers, the first ones only."""
    steps: list[list[int]] = []
    for k, size, low in curve:
        if steps and steps[-1][2:] == [size, low]:
            steps[-1][1] = k
        else:
            steps.append([k, k, size, low])
    lines = [
        f"  k = {a if a == b else f'{a} to {b}'}: {size:,}" + ("" if low == size else f" (at least {low:,})")
        for a, b, size, low in steps[:shown]
    ]
    return lines + ([f"  ... and {len(steps) - shown} more steps"] if len(steps) > shown else [])


# The claims of a certificate: form, sizes and names are checked before anything is built from them.
FORMAT, VERSION = "incrowd-network-certificate", 1
QUESTIONS = {  # what is asked, and the kind of claims that can answer it
    "adim": "at_least",
    "profile": "at_least",
    "at_least": "at_least",
    "exactly": "exactly",
    "attackers": "attackers",
}
KINDS = ("at_least", "exactly", "attackers")
TOP = {"format", "version", "nodes", "edges", "question", "claims"}
LARGEST = 2**31 - 1  # no network has more nodes


@dataclass(frozen=True, slots=True)
class Claim:
    """One line of a certificate.

    `kind`: ``at_least``, ``exactly`` or ``attackers``. `members`: a set by index: its smallest crowd has `k` nodes
    (with ``at_least``: `k` or more). `lower`: no set of that measure has fewer nodes; None: there is none at all (null
    with ``attackers``). `allowed`, `lower_k`: with ``attackers``: so many of them reach no level below `lower_k`.
    """

    kind: str
    k: int
    members: tuple[int, ...] | None
    lower: int | None
    allowed: int = 0
    lower_k: int = 0

    @property
    def empty(self) -> bool:
        """Whether it says nothing: no set, and a bound that holds of every network."""
        return self.members is None and (self.kind == "attackers" or self.lower == 1)


@dataclass(frozen=True, slots=True)
class Claims:
    """A certificate after its form was checked. `nodes`, `edges`: size of the network that it speaks of."""

    nodes: int
    edges: int
    question: str
    claims: tuple[Claim, ...]


def read_claims(certificate: Mapping[str, Any]) -> Claims:
    """Check the form of a certificate, as JSON gives it, and return what it claims; nothing of it is believed.

    InputError is raised if it is no certificate of this version: a key missing or unknown, a kind or question unknown,
    a number that is no whole number of its range (a bool or 10.0 is none), a member named twice.
    """
    if not isinstance(certificate, dict) or certificate.get("format") != FORMAT:
        _unreadable("it should be the JSON object that `incrowd network --certificate` wrote")
    version = certificate.get("version")
    if not _whole(version, 0) or version != VERSION:
        _unreadable(f"its version should be {VERSION}, the only one known here")
    _keys(certificate, TOP, TOP, "it")
    for name in ("nodes", "edges"):
        if not _whole(certificate[name], 0, 2**62):
            _unreadable(f"{name!r} should be a whole number")
    question = certificate["question"]
    if not isinstance(question, str) or question not in QUESTIONS:
        _unreadable(f"its question should be one of {', '.join(QUESTIONS)}")
    claims = certificate["claims"]
    if not isinstance(claims, list):
        _unreadable("'claims' should be a list")
    return Claims(
        certificate["nodes"],
        certificate["edges"],
        question,
        tuple(_claim(c, f"claim {i}") for i, c in enumerate(claims, start=1)),
    )


def _claim(content: Any, where: str) -> Claim:
    if not isinstance(content, dict) or content.get("kind") not in KINDS:
        _unreadable(f"{where} should be an object whose kind is one of {', '.join(KINDS)}")
    kind = content["kind"]
    needed, known = {"kind", "k", "members", "lower"}, {"kind", "k", "members", "lower"}
    if kind == "attackers":
        needed, known = {"kind", "k", "members", "allowed", "lower_k"}, known | {"allowed", "lower_k"}
    _keys(content, needed, known, where)  # [N2]
    for name in sorted(needed & {"k", "allowed", "lower_k"}):
        if not _whole(content[name], 1):
            _unreadable(f"{name!r} of {where} should be a whole number from 1")
    lower = content.get("lower")
    if lower is not None and (kind == "attackers" or not _whole(lower, 1)):
        _unreadable(f"'lower' of {where} should be null" + ("" if kind == "attackers" else " or a whole number from 1"))
    members = content["members"]
    if members is not None:
        if not isinstance(members, list) or not all(_whole(x, 0) for x in members):
            _unreadable(f"'members' of {where} should be null or a list of node indices")
        if len(set(members)) != len(members):
            _unreadable(f"{where} names a member twice")
        members = tuple(members)
    return Claim(kind, content["k"], members, lower, content.get("allowed", 0), content.get("lower_k", 0))


def _keys(content: Mapping[str, Any], needed: set[str], known: set[str], what: str) -> None:
    missing = sorted(needed - content.keys())
    if missing:
        _unreadable(f"{what} lacks {missing[0]!r}")
    strange = len(content.keys() - known)
    if strange:
        _unreadable(f"{what} has {strange} key{'s' if strange > 1 else ''} that no certificate has")


def _whole(value: object, least: int, most: int = LARGEST) -> bool:
    """Tell whether a value is a whole number of a range; True and 10.0 are none."""
    return isinstance(value, int) and not isinstance(value, bool) and least <= value <= most


def _unreadable(why: str) -> NoReturn:
    raise InputError(f"the certificate cannot be read: {why}")
