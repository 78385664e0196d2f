"""A network's certificate checked: `python checker/incrowd_check_network.py EDGES CERTIFICATE.json`.

Exit status: 0 good, 1 a claim does not hold, 2 something cannot be read. The numbers in brackets, [N1] for example, are
rules of the page `docs/certificate.md`. Networks are edge lists: two ids a line, parted by tab, semicolon, comma, bar
or blanks. No id is ever printed.
"""

from __future__ import annotations

import argparse
import json
import re
import sys
import time
from collections import Counter, deque
from pathlib import Path

from .exact import Unreadable

QUESTIONS = {
    "adim": "at_least", "profile": "at_least", "at_least": "at_least", "exactly": "exactly", "attackers": "attackers",
}  # fmt: skip
LARGEST = 2**31 - 1
SOURCES = {"source", "from", "src", "u", "node1", "node_1", "id1", "id_1", "start", "tail"}
TARGETS = {"target", "to", "dst", "dest", "destination", "v", "node2", "node_2", "id2", "id_2", "end", "head"}
OTHERS = (".graphml", ".gml", ".net", ".paj", ".graph", ".metis", ".mtx", ".mm", ".json", ".gz", ".bz2", ".xz", ".zip")


# --------------------------------------------------------------------------------------------------------- the network


def read_edges(path):
    """Return the neighbours of every node, nodes numbered in the order of their ids, loops and repetitions dropped."""
    if Path(path).suffix.lower() in OTHERS:
        raise Unreadable("this program reads edge lists only")
    try:
        text = Path(path).read_text(encoding="utf-8-sig")
    except (OSError, ValueError):
        raise Unreadable("the edge list cannot be read as UTF-8 text") from None
    lines = [line.strip() for line in text.splitlines()]
    lines = [line for line in lines if line and line[0] not in "#%"]
    if not lines or text.lstrip().lower().startswith(("%%matrixmarket", "*vertices", "*network", "{", "graph [")):
        raise Unreadable("the file holds no edge, or is no edge list")
    sign = next((mark for mark in "\t;,|" if mark in lines[0]), None)
    rows = [[field.strip().strip('"') for field in line.split(sign)] for line in lines]
    names = [field.lower() for field in rows[0]]
    columns = [0, 1, 2]
    if SOURCES & set(names) and TARGETS & set(names):
        columns = [next(i for i, name in enumerate(names) if name in known) for known in (SOURCES, TARGETS)]
        columns += [i for i, name in enumerate(names) if name in ("weight", "w", "value")][:1]
        rows = rows[1:]
    pairs = []
    for row in rows:
        if len(row) <= max(columns[:2]) or not row[columns[0]] or not row[columns[1]]:
            raise Unreadable("a line of the edge list has not two ids")
        weight = row[columns[2]] if len(columns) > 2 and len(row) > columns[2] else ""
        if re.fullmatch(r"-(?!0*\.?0*$)[\d.]+([eE][-+]?\d+)?|nan", weight, re.IGNORECASE):
            raise Unreadable("an edge has a negative weight, or none")
        pairs.append((row[columns[0]], row[columns[1]]))
    ids = {one for pair in pairs for one in pair}
    whole = all(re.fullmatch(r"0|-?[1-9]\d{0,17}", one) for one in ids)
    number = {one: i for i, one in enumerate(sorted(ids, key=int if whole else str.encode))}
    if len(number) < 2:
        raise Unreadable("the network has fewer than two nodes")
    near = [set() for _ in number]
    for one, other in pairs:
        if one != other:
            near[number[one]].add(number[other])
            near[number[other]].add(number[one])
    return [sorted(some) for some in near]


def distances(near, source):
    """Return the distance of every node from one, -1 where there is no way."""
    found = [-1] * len(near)
    found[source] = 0
    queue = deque([source])
    while queue:
        node = queue.popleft()
        for other in near[node]:
            if found[other] < 0:
                found[other] = found[node] + 1
                queue.append(other)
    return found


def split(label, far):
    """Return labels that tell apart what a label or a distance tells apart."""
    known = {}
    return [known.setdefault(pair, len(known)) for pair in zip(label, far, strict=True)]


def measure(near, members):
    """Return the size of the smallest class outside some attackers of nodes that they cannot tell apart."""
    label, inside = [0] * len(near), set(members)
    for one in members:
        if not inside.issuperset(near[one]):  # else all of its distances follow from those of others
            label = split(label, distances(near, one))
    return min(Counter(c for node, c in enumerate(label) if node not in inside).values())


# ----------------------------------------------------------------------------------------------------- the certificate


def read_certificate(path):
    """Return the object in a certificate's file: no name twice in an object, no NaN and no infinity."""

    def once(pairs):
        if len(dict(pairs)) < len(pairs):
            raise ValueError("a name stands twice")
        return dict(pairs)

    def never(name):
        raise ValueError(name)

    try:
        found = json.loads(Path(path).read_text(encoding="utf-8"), object_pairs_hook=once, parse_constant=never)
    except (OSError, ValueError, RecursionError):
        raise Unreadable("the certificate cannot be read as JSON, each name once in its object") from None
    return found


def is_whole(value, least, most=LARGEST):
    """Return whether a value is a whole number of a range; true and 10.0 are none."""
    return type(value) is int and least <= value <= most


def read_claims(certificate):
    """Return the claims of a certificate, every key looked at [N2]."""
    if not isinstance(certificate, dict) or certificate.get("format") != "incrowd-network-certificate":
        raise Unreadable("the file is no certificate of a network")
    if not is_whole(certificate.get("version"), 1, 1):
        raise Unreadable("the certificate is of a version that is not known here")
    if set(certificate) != {"format", "version", "nodes", "edges", "question", "claims"}:
        raise Unreadable("the certificate lacks a key, or has one more")
    question, claims = certificate["question"], certificate["claims"]
    if not all(is_whole(certificate[name], 0, 2**62) for name in ("nodes", "edges")):
        raise Unreadable("nodes or edges is no whole number")
    if not isinstance(question, str) or question not in QUESTIONS or not isinstance(claims, list):
        raise Unreadable("the question is not known, or claims is no list")
    for claim in claims:
        kind = claim.get("kind") if isinstance(claim, dict) else None
        if not isinstance(kind, str) or kind not in QUESTIONS.values():
            raise Unreadable("a claim is no object of a known kind")
        needed = {"kind", "k", "members"} | ({"allowed", "lower_k"} if kind == "attackers" else {"lower"})
        if not needed <= set(claim) <= needed | {"lower"}:
            raise Unreadable("a claim lacks a key, or has one more")
        if not all(is_whole(claim[name], 1) for name in needed & {"k", "allowed", "lower_k"}):
            raise Unreadable("a claim holds something else than whole numbers from 1")
        lower, members = claim.get("lower"), claim["members"]
        if lower is not None and (kind == "attackers" or not is_whole(lower, 1)):
            raise Unreadable("lower of a claim is neither null nor a whole number from 1")
        if members is not None:
            if not isinstance(members, list) or not all(is_whole(one, 0) for one in members):
                raise Unreadable("members of a claim is neither null nor a list of nodes")
            if len(set(members)) < len(members):
                raise Unreadable("a claim names a member twice")
    return question, claims


def contradictions(question, claims, n):
    """Return what keeps claims from being an answer to their question in a network of n nodes [N3]."""
    found = [f"claim {i} {why}" for i, claim in enumerate(claims, 1) if (why := misfit(question, claim, n))]
    if found or not claims:
        return found or ["nothing is claimed"]
    if question not in ("adim", "profile"):
        return [] if len(claims) == 1 else ["the question has one answer"]
    same = Counter((claim["k"], claim["members"] is None) for claim in claims)
    shown = [claim["k"] for claim in claims if claim["members"] is not None]
    beyond = [claim["k"] for claim in claims if claim.get("lower") is None]
    if max(same.values()) > 1:
        return ["two claims say something of the same kind about one k"]
    if not shown or not beyond:
        return ["no set is shown, or nothing says beyond which k there is none"]
    return ["a set is shown for a k that none is said to reach"] if min(beyond) <= max(shown) else []


def misfit(question, claim, n):
    """Return why a claim can be no part of an answer."""
    members, lower, k, kind = claim["members"], claim.get("lower"), claim["k"], claim["kind"]
    if kind != QUESTIONS[question]:
        return "is of a kind that is no answer to the question"
    if members is None and (kind == "attackers" or lower == 1):
        return "states nothing"
    if k > n - (members is not None or question not in ("adim", "profile")):
        return "is about a k that the network has no nodes for"
    if members is not None and (not 0 < len(members) < n or max(members) >= n):
        return "has members that are no proper set of nodes"
    if kind == "attackers":
        if len(members) > claim["allowed"] or claim["lower_k"] > k:
            return "has more members than allowed, or a lower_k above its k"
        return None
    if lower is None:
        return "says that there is no set, and shows one" if members is not None else None
    return "says that more attackers are needed than there are" if lower > len(members or range(n - 1)) else None


# -------------------------------------------------------------------------------------------------------------- bounds


def bound_holds(near, claim, deadline):
    """Return whether a claim's bound is proved (True), refuted (False) or neither (None) [N5, N6]."""
    n = len(near)
    if claim["kind"] == "attackers":
        if claim["lower_k"] == 1:
            return True
        if claim["allowed"] > 1:
            return None
        for node in range(n):
            if measure(near, [node]) < claim["lower_k"]:
                return False
            if time.monotonic() > deadline:
                return None
        return True
    wanted = n if claim.get("lower") is None else claim["lower"]
    if wanted <= 1 or claim["k"] >= n:
        return True
    least = smallest_closure(near, claim["k"], wanted, deadline)
    if least is None or least >= wanted:
        return least is not None or None
    return None if claim["kind"] == "exactly" else False


def smallest_closure(near, k, wanted, deadline):
    """Return the least size of a closure of a node, or a number from `wanted` on; None when time is over [N5].

    A closure holds that of every node in it. So from each node one node that must come along is followed, which ends
    in a cycle: of every cycle one closure is grown.
    """
    n, along = len(near), []
    for node in range(n):
        if time.monotonic() > deadline:
            return None
        if 0 < len(near[node]) < k:
            along.append(near[node][0])
            continue
        far = distances(near, node)
        sizes = Counter(far)
        small = next((other for other in range(n) if other != node and sizes[far[other]] < k), None)
        if small is None:
            return 1
        along.append(small)
    least, walk = n, [0] * n
    for number, start in enumerate(range(n), 1):
        node = start
        while walk[node] == 0:
            walk[node] = number
            node = along[node]
        if walk[node] == number:
            size = closure(near, k, node, min(wanted, least), deadline)
            if size is None:
                return None
            least = min(least, size)
    return least


def closure(near, k, start, enough, deadline):
    """Return the size of what a set that holds a node must hold, or as soon as it is `enough`."""
    n = len(near)
    inside, asked, label = {start}, [start], [0] * n
    while True:
        while asked:
            if time.monotonic() > deadline:
                return None
            label = split(label, distances(near, asked.pop()))
            sizes = Counter(c for node, c in enumerate(label) if node not in inside)
            small = {c for c, size in sizes.items() if size < k}
            more = [node for node in range(n) if node not in inside and label[node] in small]
            inside.update(more)
            asked += more
            if len(inside) >= enough or len(inside) == n:
                return len(inside)
        return len(inside)


# --------------------------------------------------------------------------------------------------------- the verdict


def proven_answer(question, claims, n, bounds):
    """Return k, attackers, lower and upper bound as far as they are proven, and whether they meet [N7]."""
    claim = claims[0]
    members, lower = claim["members"], claim.get("lower")
    size = None if members is None else len(members)
    if question == "attackers":
        low = claim["lower_k"] if bounds[0] else 1
        return claim["k"], size, low, claim["k"], low == claim["k"]
    if question not in ("adim", "profile"):
        if lower is None and bounds[0]:
            return claim["k"], None, None, None, True
        least = lower if bounds[0] and lower is not None else 1
        return claim["k"], size, least, size, least == size
    shown, least = [n] * (n + 2), [1] * (n + 1)
    for claim, proved in zip(claims, bounds, strict=True):
        k, lower = claim["k"], claim.get("lower")
        if claim["members"] is not None:
            shown[k] = min(shown[k], len(claim["members"]))
        if proved:
            least[k] = max(least[k], n if lower is None else lower)
    least[n] = n
    for k in range(n, -1, -1):
        shown[k] = min(shown[k], shown[k + 1])
    for k in range(1, n + 1):
        least[k] = max(least[k], least[k - 1])
    reached = max(k for k in range(n + 1) if shown[k] < n)
    possible = max(k for k in range(n + 1) if least[k] < n)
    whole = reached == possible
    if question == "profile":
        whole = whole and shown[1 : reached + 1] == least[1 : reached + 1]
    return reached, shown[reached], reached, possible, whole


def check(near, certificate, seconds=60.0):
    """Return the verdict on a certificate of a network: violations, whether it is proven, and what is."""
    deadline = time.monotonic() + seconds
    question, claims = read_claims(certificate)
    n, edges = len(near), sum(map(len, near)) // 2
    found = [
        f"{name}: {certificate[name]} claimed, {have} there"
        for name, have in (("nodes", n), ("edges", edges))
        if certificate[name] != have
    ]  # fmt: skip  [N1]
    found = found or contradictions(question, claims, n)
    bounds = []
    for claim in claims if not found else ():
        if claim["members"] is not None:
            reached = measure(near, claim["members"])
            if reached < claim["k"] if claim["kind"] == "at_least" else reached != claim["k"]:
                found.append("members have another measure than claimed")  # [N4]
        holds = None if found else bound_holds(near, claim, deadline)
        if holds is False:
            found.append("a bound does not hold")
        bounds.append(holds is True)
    verdict = {"ok": not found, "violations": found, "proven": False, "question": question}
    if not found:
        k, size, low, high, whole = proven_answer(question, claims, n, bounds)
        verdict |= {"k": k, "attackers": size, "lower_bound": low, "upper_bound": high, "proven": whole and all(bounds)}
    return verdict


def main(arguments=None):
    """Check a certificate as the command line says, and return the exit status."""
    parser = argparse.ArgumentParser(description="Check a certificate of a network once more.")
    parser.add_argument("network")
    parser.add_argument("certificate")
    parser.add_argument("--json", action="store_true")
    parser.add_argument("--seconds", type=float, default=60.0, help="for the bounds; what takes longer is not proven")
    asked = parser.parse_args(arguments)
    try:
        verdict = check(read_edges(asked.network), read_certificate(asked.certificate), asked.seconds)
    except Unreadable as error:
        sys.stderr.write(f"incrowd_check_network: {error}\n")
        return 2
    if asked.json:
        sys.stdout.write(json.dumps(verdict) + "\n")
    else:
        said = [f"refused: {why}" for why in verdict["violations"]] or ["good: no claim is refuted"]
        facts = (f"{name}: {value}" for name, value in verdict.items() if name not in ("ok", "violations"))
        sys.stdout.write("\n".join([*said, *facts]) + "\n")
    return 0 if verdict["ok"] else 1
