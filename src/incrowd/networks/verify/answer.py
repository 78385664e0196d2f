"""What the claims of a certificate come to: whether they answer its question, and how much of the answer is proven."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.networks.verify.claims import QUESTIONS

if TYPE_CHECKING:
    from incrowd.networks.verify.claims import Claim, Claims

__all__ = ["Answer", "Recheck", "contradictions", "proven_answer"]

CURVES = ("adim", "profile")


@dataclass(frozen=True)
class Answer:
    """As much of the answer as was proven from the edges.

    Attributes
    ----------
    k : int
        The level asked for (``at_least``, ``exactly``), or the one that a set was shown for.
    attackers : int or None
        Size of the set shown for it; None: none was shown.
    lower_bound, upper_bound : int or None
        On the number of attackers with ``at_least`` and ``exactly``, else on k. With `whole` and no set: there is none.
    attackers_at_least : int or None
        With ``adim`` and ``profile``: no smaller set reaches `k`.
    allowed : int or None
        With ``attackers``: how many the attacker may control.
    curve : tuple of (k, attackers, least)
        With ``profile``: for every k the size of a set shown, and the bound on it.
    whole : bool
        The question is answered: lower and upper bound meet.
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

    Attributes
    ----------
    ok : bool
        No violation.
    violations : tuple of str
        What does not hold, one sentence each.
    proven : bool
        True when the question is answered wholly, and every set and bound claimed was recomputed.
    claims : int
        Claims looked at.
    seconds : float
    unproven : tuple of str
        What was claimed and not recomputed.
    question : str
        The question of the certificate.
    answer : Answer or None
        What was proven; None with a violation.
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
