"""Lines as the paper tells them, and lines against it: made up, so that every claim can hold and can fail."""

import dataclasses

from incrowd.reproduce.claims import CLAIMS, Pairs
from incrowd.reproduce.experiment import KS
from incrowd.reproduce.measure import Line

N = 10_000


def line(k, method, *, s=100, u=1.0, r=1.0, h=50, top=100, least=None, proven=True):
    return Line(
        k=k, method=method, suppressed=s, usefulness=u, seconds=r, groups=h, mean=N / h, largest=top,
        smallest=least or k, bound=s if proven else 0, optimal=proven,
    )  # fmt: skip


def pairs(greedy, other, ks=KS, method="ilp"):
    """Lines from functions of k; the exact ones are those of the paper's program, unless another is named."""
    return Pairs(
        {k: dataclasses.replace(line(k, "greedy", **greedy(k)), bound=0) for k in ks},
        {k: line(k, method, **other(k)) for k in ks},
    )


def of_speed(verdict):
    """Whether a sentence speaks of time."""
    return any(word in verdict.claim for word in ("faster", "slower", "takes", "within"))


LARGE = (25, 50, 75, 100)
# per experiment: what the paper says happened, as figures
TOLD = {
    "adult": (
        lambda k: {"r": 1 + k, "h": 100, "top": 50 if k < 25 else 900},
        lambda k: {"r": 1900 - 3 * k if k < 75 else 50, "u": 1.6, "h": 50, "top": 100},
    ),
    "adult-2": (
        lambda k: {"r": 0.5 + k / 100, "u": 1.005 if k == 50 else 1},
        lambda k: {"r": 200 - k, "u": 1.0 if k == 50 else 1.01},
    ),
    "nursery": (
        lambda k: {"r": 0.1 + k / 1000, "u": 1 if k == 5 else 2, "h": 51 - (k % 2) * 2},
        lambda k: {"r": 20 - k / 10, "u": 1.5, "h": 50},
    ),
    "cmc": (
        lambda k: {"r": 0.1 + k / 200, "h": 100, "top": 90},
        lambda k: {"r": 9 - k / 20, "u": 1.01, "h": 75, "top": 80 if 5 <= k <= 8 else 95},
    ),
    "canada": (
        lambda k: {"r": 1 + k / 100, "h": 100, "top": 2448 + k},
        lambda k: {"r": 100 - k / 10, "u": 1.01, "h": 20, "top": 200},
    ),
    "nursery-exact": (
        lambda k: {"r": 0.1, "least": 9 if k == 6 else k},
        lambda k: {"r": 110.0, "least": 15 if k == 6 else k},
    ),
    "cmc-exact": (
        lambda k: {"r": 0.1, "s": 140 if k == 2 else 100 if k > 10 else 120},
        lambda k: {"r": 200.0, "u": 0.9 if k <= 7 or k >= 50 else 1.1},
    ),
    "adult-2-exact": (
        lambda k: {"r": 0.1, "s": 131 if k == 2 else 110, "top": 100 + 150 * (k == 3), "u": 0.9},
        lambda k: {"r": 200.0, "h": 55},
    ),
}
# figures at which no claim of the experiment holds
AGAINST = {
    "adult": (
        lambda k: {"r": 2000 - k, "h": 40, "top": 500 if k < 25 else 50},
        lambda k: {"r": 1 + k, "u": 2.0},
    ),
    "adult-2": (lambda k: {"r": 2000 - k, "u": 2.0}, lambda k: {"r": 1300 + k, "u": 1.0}),
    "nursery": (
        lambda k: {"r": 2000 - k, "h": 40, "top": 300, "u": 2.0},
        lambda k: {"r": 1 + k, "u": 1.9 if k == 5 else 2.0},
    ),
    "cmc": (
        lambda k: {"r": 2000 - k, "h": 40, "u": 2.0, "top": 10},
        lambda k: {"r": 20 + k, "top": 100 if 5 <= k <= 8 else 5},
    ),
    "canada": (lambda k: {"r": 2000 - k, "u": 2.0, "top": 90}, lambda k: {"r": 1 + k}),
    "nursery-exact": (lambda k: {"s": 101, "r": 10.0, "h": 40, "top": 200}, lambda k: {"r": 200.0}),
    "cmc-exact": (lambda k: {"s": 200 + k, "u": 0.5}, lambda k: {"r": 2.0}),
    "adult-2-exact": (lambda k: {"s": 200 + k, "r": 2.0, "u": 3.0}, lambda k: {"r": 400.0, "h": 40}),
}


def judged(name, figures, method=None):
    """The verdicts on the claims of an experiment, those left out that nobody can judge."""
    method = method or ("ilp" if "exact" in name else "mondrian")
    return [claim.verdict(pairs(*figures, method=method)) for claim in CLAIMS[name] if "[sign lost]" not in claim.text]
