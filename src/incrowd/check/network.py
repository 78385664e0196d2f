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

from .certificate import Packed, read_certificate
from .exact import Unreadable, refuse

QUESTIONS = {
    "adim": "at_least", "profile": "at_least", "at_least": "at_least", "exactly": "exactly", "attackers": "attackers",
}  # fmt: skip
CURVES = ("adim", "profile")
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


class Network:
    """The neighbours of every node, and what is measured in them, the slow way."""

    now = staticmethod(time.monotonic)

    def __init__(self, near):
        """Keep them."""
        self.near, self.nodes, self.edges = near, len(near), sum(map(len, near)) // 2

    def measure(self, members):
        """Return the size of the smallest class outside some attackers of nodes that they cannot tell apart."""
        label, inside = [0] * self.nodes, set(members)
        for one in members:
            if not inside.issuperset(self.near[one]):  # else all of its distances follow from those of others
                label = split(label, distances(self.near, one))
        return min(Counter(c for node, c in enumerate(label) if node not in inside).values())

    def smallest_closure(self, k, wanted, deadline):
        """Return the least size of a closure of a node, or a number from `wanted` on; None when time is over [N5].

        A closure holds that of every node in it. So from each node one node that must come along is followed, which
        ends in a cycle: of every cycle one closure is grown.
        """
        n, near, along = self.nodes, self.near, []
        for node in range(n):
            if self.now() > deadline:
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
        for number, node in enumerate(range(n), 1):
            while walk[node] == 0:
                walk[node] = number
                node = along[node]
            if walk[node] == number:
                size = self.closure(k, node, min(wanted, least), deadline)
                if size is None:
                    return None
                least = min(least, size)
        return least

    def closure(self, k, start, enough, deadline):
        """Return the size of what a set that holds a node must hold, or as soon as it is `enough`."""
        n = self.nodes
        inside, asked, label = {start}, [start], [0] * n
        while asked:
            if self.now() > deadline:
                return None
            label = split(label, distances(self.near, asked.pop()))
            sizes = Counter(c for node, c in enumerate(label) if node not in inside)
            small = {c for c, size in sizes.items() if size < k}
            more = [node for node in range(n) if node not in inside and label[node] in small]
            inside.update(more)
            asked += more
            if len(inside) >= enough or len(inside) == n:
                break
        return len(inside)


# ----------------------------------------------------------------------------------------------------- the certificate


def is_whole(value, least, most=LARGEST):
    """Return whether a value is a whole number of a range; true and 10.0 are none."""
    return type(value) is int and least <= value <= most


def keys(content, needed, known, what):
    """Refuse an object that lacks a key, or has one more [N2]."""
    missing, strange = sorted(needed - content.keys()), len(content.keys() - known)
    refuse(missing, f"{what} lacks {', '.join(map(repr, missing[:1]))}")
    refuse(strange, f"{what} has {strange} key{'s' if strange > 1 else ''} that no certificate has")


def read_claims(certificate):
    """Return question and claims of a certificate, every key looked at [N2]."""
    plain = isinstance(certificate, dict) and not isinstance(certificate, Packed)
    known = plain and certificate.get("format") == "incrowd-network-certificate"
    refuse(not known, "it should be the JSON object that `incrowd network --certificate` wrote")
    refuse(not is_whole(certificate.get("version"), 1, 1), "its version should be 1, the only one known here")
    names = {"format", "version", "nodes", "edges", "question", "claims"}
    keys(certificate, names, names, "it")
    for name in ("nodes", "edges"):
        refuse(not is_whole(certificate[name], 0, 2**62), f"{name!r} should be a whole number")
    question, claims = certificate["question"], certificate["claims"]
    known = isinstance(question, str) and question in QUESTIONS
    refuse(not known, f"its question should be one of {', '.join(QUESTIONS)}")
    refuse(not isinstance(claims, list), "'claims' should be a list")
    for i, claim in enumerate(claims, 1):
        read_claim(claim, f"claim {i}")
    return question, claims


def read_claim(claim, where):
    """Refuse a claim that is none."""
    kinds = dict.fromkeys(QUESTIONS.values())
    kind = claim.get("kind") if isinstance(claim, dict) else None
    known = isinstance(kind, str) and kind in kinds
    refuse(not known, f"{where} should be an object whose kind is one of {', '.join(kinds)}")
    attackers = kind == "attackers"
    needed = {"kind", "k", "members"} | ({"allowed", "lower_k"} if attackers else {"lower"})
    keys(claim, needed, needed | {"lower"}, where)
    for name in sorted(needed & {"k", "allowed", "lower_k"}):
        refuse(not is_whole(claim[name], 1), f"{name!r} of {where} should be a whole number from 1")
    lower, members = claim.get("lower"), claim["members"]
    bad = lower is not None and (attackers or not is_whole(lower, 1))
    refuse(bad, f"'lower' of {where} should be null" + ("" if attackers else " or a whole number from 1"))
    if members is not None:
        good = isinstance(members, list) and all(is_whole(one, 0) for one in members)
        refuse(not good, f"'members' of {where} should be null or a list of node indices")
        refuse(len(set(members)) < len(members), f"{where} names a member twice")


def contradictions(question, claims, n):
    """Return what keeps claims from being an answer to their question in a network of n nodes [N3]."""
    if not claims:
        return ["the certificate claims nothing"]
    found = [f"claim {i} {why}" for i, claim in enumerate(claims, 1) if (why := misfit(question, claim, n))]
    if found:
        return found
    if question not in CURVES:
        many = f"the question {question!r} has one answer, the certificate holds {len(claims)} claims"
        return [] if len(claims) == 1 else [many]
    (k, _), times = Counter((claim["k"], claim["members"] is None) for claim in claims).most_common(1)[0]
    shown = [claim["k"] for claim in claims if claim["members"] is not None]
    beyond = [claim["k"] for claim in claims if claim.get("lower") is None]
    none = "the certificate does not answer its question: "
    if times > 1:
        return [f"two claims say something of the same kind about k = {k}"]
    if not shown:
        return [none + "it shows no set of attackers"]
    if not beyond:
        return [none + f"nothing says that no set leaves crowds above {max(shown)}"]
    last = f"the certificate claims that no set reaches k = {min(beyond)}, and shows one for k = {max(shown)}"
    return [last] if min(beyond) <= max(shown) else []


def misfit(question, claim, n):
    """Return why a claim can be no part of an answer."""
    members, lower, k, kind = claim["members"], claim.get("lower"), claim["k"], claim["kind"]
    if kind != QUESTIONS[question]:
        return f"is of the kind {kind!r}, which is no answer to the question {question!r}"
    if members is None and (kind == "attackers" or lower == 1):
        return "states nothing: neither a set of attackers nor a bound"
    if k > n - (members is not None or question not in CURVES):
        return f"is about k = {k}; the network has {n} nodes"
    if members is not None and (not 0 < len(members) < n or max(members) >= n):
        return f"has a witness for k = {k} that is no proper set of nodes"
    if kind == "attackers":
        if len(members) > claim["allowed"]:
            return f"has a witness for k = {k} with more than {claim['allowed']} nodes"
        above = f"says that no level below {claim['lower_k']} is reached, and shows a set for k = {k}"
        return above if claim["lower_k"] > k else None
    if lower is None:
        return None if members is None else f"says that there is no set for k = {k}, and shows one"
    there = f"{n} nodes in all" if members is None else f"a set of {len(members)}"
    many = lower > (n - 1 if members is None else len(members))
    return f"says that k = {k} needs {lower} attackers or more; there are {there}" if many else None


# -------------------------------------------------------------------------------------------------------------- bounds


def bound_holds(network, claim, deadline):
    """Return whether a claim's bound is proved (True), refuted (False) or neither (None) [N5, N6]."""
    n = network.nodes
    if claim["kind"] == "attackers":
        if claim["lower_k"] == 1 or claim["allowed"] > 1:
            return claim["lower_k"] == 1 or None
        for node in range(n):
            if network.measure([node]) < claim["lower_k"]:
                return False
            if network.now() > deadline:
                return None
        return True
    wanted = n if claim["lower"] is None else claim["lower"]
    if wanted <= 1 or claim["k"] >= n:  # no set leaves as many nodes outside
        return True
    least = network.smallest_closure(claim["k"], wanted, deadline)
    if least is None or least >= wanted:
        return least is not None or None
    return None if claim["kind"] == "exactly" else False


def bound_words(claim):
    """Return what a claim's bound says, and what is so where it is refuted."""
    k, lower = claim["k"], claim.get("lower")
    if claim["kind"] == "attackers":
        allowed, low = claim["allowed"], claim["lower_k"]
        refuted = f"{allowed} attackers reach below k = {low}, which the certificate says they do not"
        return f"that no {allowed} attackers reach below k = {low}", refuted
    said = f"that no set reaches k = {k}" if lower is None else f"that k = {k} needs {lower} attackers or more"
    return said, f"a smaller set exists for k = {k} than the certificate claims"


# --------------------------------------------------------------------------------------------------------- the verdict


def proven_answer(question, claims, n, bounds):
    """Return what is proven of the answer, and whether it is whole [N7].

    `attackers_at_least` is with adim and profile, `allowed` with attackers; `curve`, with profile, has for every k the
    size of a set that is shown, and the bound on it.
    """
    claim = claims[0]
    members, lower, k = claim["members"], claim.get("lower"), claim["k"]
    size = None if members is None else len(members)
    names = ("k", "attackers", "lower_bound", "upper_bound", "whole")
    if question == "attackers":
        low = claim["lower_k"] if bounds[0] else 1
        return dict(zip(names, (k, size, low, k, low == k), strict=True)) | {"allowed": claim["allowed"]}
    if question not in CURVES:
        if lower is None and bounds[0]:
            return dict(zip(names, (k, None, None, None, True), strict=True))
        least = lower if bounds[0] and lower is not None else 1
        return dict(zip(names, (k, size, least, size, least == size), strict=True))
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
    curve = [(k, shown[k], least[k]) for k in range(1, reached + 1)] if question == "profile" else []
    whole = reached == possible and all(size == low for _, size, low in curve)
    told = dict(zip(names, (reached, shown[reached], reached, possible, whole), strict=True))
    return told | {"attackers_at_least": least[reached], "curve": tuple(curve)}


def check(near, certificate, seconds=60.0):
    """Return the verdict on a certificate of a network: violations, whether it is proven, and what is.

    `near` has the neighbours of every node, or is a `Network`.
    """
    network = near if isinstance(near, Network) else Network(near)
    deadline = network.now() + seconds
    question, claims = read_claims(certificate)
    n, bounds, unproven = network.nodes, [], []
    found = [
        f"the certificate is for {certificate[name]} {name}, the network has {have}"
        for name, have in (("nodes", n), ("edges", network.edges))
        if certificate[name] != have
    ]  # fmt: skip  [N1]
    found = found or contradictions(question, claims, n)
    for claim in claims if not found else ():
        reached, k, least = claim["k"], claim["k"], claim["kind"] == "at_least"
        if claim["members"] is not None:
            reached = network.measure(claim["members"])
        if reached < k if least else reached != k:  # [N4]
            wanted = f"{k} or more" if least else f"{k}"
            found.append(f"a witness claimed to leave crowds of {wanted} leaves one of {reached}")
            bounds.append(False)
            continue
        holds, (said, refuted) = bound_holds(network, claim, deadline), bound_words(claim)
        found += [refuted] if holds is False else []
        unproven += [said] if holds is None else []
        bounds.append(holds is True)
    verdict = {"ok": not found, "violations": found, "proven": False, "unproven": unproven, "question": question}
    if not found:
        verdict |= proven_answer(question, claims, n, bounds)
        verdict["proven"] = verdict["whole"] and all(bounds)
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
        facts = (f"{name}: {value}" for name, value in verdict.items() if name not in ("ok", "violations", "unproven"))
        sys.stdout.write("\n".join([*said, *facts]) + "\n")
    return 0 if verdict["ok"] else 1
