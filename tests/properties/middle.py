"""Questions about tables of some dozens to some hundreds of rows, and what solvers made of them when it was recorded.

``python -m properties.middle`` records anew (in tests/, with src on the path): only after a reader has seen why.
"""

from __future__ import annotations

import json
import sys
from pathlib import Path

from incrowd.errors import IncrowdError
from oracle.program import least as program
from oracle.tables import drawn
from properties.asking import ask

RECORDED = Path(__file__).with_name("recorded.json")
MOVES = 2500
STARS = {"columns": 5, "values": 4}
ASKED = {"columns": 4, "values": 4, "rows": (40, 40), "copies": 0.2, "k": 3}
FREE = ("greedy", "improve", "exact", "auto")
RULED = ("greedy", "improve")
ENGINE = "in the engine"  # row types do not fit the memory

# name: (how it is drawn, the solvers, how the program knows its least: by k, by shares of a value, or not at all)
CASES = {
    "stars": ({**STARS, "rows": (60, 60), "k": 3}, (*FREE, "instance_cover", "ball_cover", "forest", "approximation", ENGINE), True),
    "stars, suppress": ({**STARS, "rows": (120, 120), "k": 5, "outliers": "suppress"}, (*FREE, "mondrian", ENGINE), True),
    "stars, large crowds": ({"columns": 5, "values": 4, "rows": (260, 260), "copies": 0.1, "k": 12}, ("greedy", "improve", "mondrian"), True),
    "stars, many columns": ({"columns": 8, "values": 3, "rows": (60, 60), "k": 4}, ("greedy", "improve", "auto"), False),
    "hierarchies": ({"columns": 4, "values": 6, "rows": (50, 50), "k": 3, "hierarchies": ["a", "b"]}, (*FREE, "ilp"), True),
    "hierarchies, suppress": ({"columns": 4, "values": 8, "rows": (110, 110), "k": 4, "hierarchies": ["a", "b", "c"], "outliers": "suppress"}, ("greedy", "improve", "mondrian", ENGINE), True),
    "mask": ({**STARS, "rows": (80, 80), "k": 4, "mask": {"max_stars": 2}}, (*FREE, ENGINE), True),
    "together": ({**STARS, "rows": (90, 90), "k": 3, "mask": {"together": [["a", "b"]], "never_together": [["c", "d"]]}}, FREE, True),
    "weights": ({**STARS, "rows": (70, 70), "k": 3, "weights": {"a": 3, "b": "1/2", "e": 0.3}}, ("greedy", "improve", "exact"), True),
    "ncp": ({"columns": 4, "values": 6, "rows": (60, 60), "k": 3, "hierarchies": ["a", "b"], "cost": "ncp"}, ("greedy", "improve", "exact"), True),
    "no row of stars": ({"columns": 4, "values": 3, "rows": (60, 60), "k": 3, "mask": {"full_suppression": False}}, ("greedy", "improve", "exact"), True),
    "pairs": ({**STARS, "rows": (60, 60), "k": 2}, ("matching", "improve", "auto"), True),
    "pairs, few": ({**STARS, "rows": (30, 30), "k": 2}, ("matching_textbook", "matching_local", "ilp"), True),
    "pairs, hierarchies": ({"columns": 4, "values": 6, "rows": (90, 90), "k": 2, "hierarchies": ["a", "b"]}, ("matching",), True),
    "pairs, mask": ({**STARS, "rows": (90, 90), "k": 2, "mask": {"at_most_one": [["a", "b"], ["c", "d"]]}}, ("matching", "auto"), True),
    "pairs, suppress": ({**STARS, "values": 6, "rows": (80, 80), "k": 2, "outliers": "suppress"}, ("matching",), True),
    "pairs, many": ({"columns": 6, "values": 5, "rows": (300, 300), "k": 2, "copies": 0.1}, ("matching",), False),
    "pairs, 2-diversity": ({"columns": 4, "values": 4, "rows": (70, 70), "k": 2, "l": 2, "sensitive": ["s"]}, ("matching", "improve", "auto"), ("s", 1 / 2)),
    "missing": ({**STARS, "rows": (70, 70), "k": 3, "nulls": True}, ("greedy", "improve", "exact", ENGINE), True),
    "nested": ({"columns": 4, "values": 4, "rows": (120, 120), "k": 4, "mask": {"patterns": [[], ["a"], ["a", "b"], ["a", "b", "c"]]}}, ("chain", "exact", "improve", "greedy"), True),
    "frequency": ({**ASKED, "require": ["l-diversity l=2 column=s"]}, (*RULED, "exact", "mondrian"), ("s", 1 / 2)),
    "frequency, suppress": ({**ASKED, "require": ["l-diversity l=2 column=s"], "outliers": "suppress"}, RULED, ("s", 1 / 2)),
    "frequency, hierarchies": ({**ASKED, "require": ["l-diversity l=3/2 column=v"], "hierarchies": ["a", "b"]}, ("improve", "exact"), ("v", 2 / 3)),
    "alpha-k": ({**ASKED, "require": ["alpha-k alpha=0.6 column=s"]}, ("improve", "exact"), ("s", 0.6)),
    "distinct": ({**ASKED, "require": ["l-diversity l=3 column=v kind=distinct"]}, (*RULED, "exact", "auto"), None),
    "entropy": ({**ASKED, "require": ["l-diversity l=2 column=v kind=entropy"]}, RULED, None),
    "recursive": ({**ASKED, "require": ["l-diversity l=2 c=2 column=v kind=recursive"]}, RULED, None),
    "joint": ({**ASKED, "require": ["l-diversity l=2 columns=s,v kind=joint"]}, RULED, None),
    "close, equal": ({**ASKED, "require": ["t-closeness t=0.3 column=s"]}, RULED, None),
    "close, numeric": ({**ASKED, "require": ["t-closeness t=0.15 column=v distance=numeric"]}, RULED, None),
    "close, ordered, mask": ({**ASKED, "require": ["t-closeness t=0.2 column=v distance=ordered"], "mask": {"max_stars": 2}}, RULED, None),
    "beta": ({**ASKED, "require": ["beta-likeness beta=1 column=v"]}, RULED, None),
    "beta, enhanced": ({**ASKED, "require": ["beta-likeness beta=2 column=s enhanced=true"]}, ("improve",), None),
    "delta": ({**ASKED, "require": ["delta-disclosure delta=1.2 column=s"]}, RULED, None),
    "two rules": ({**ASKED, "require": ["l-diversity l=3/2 column=s", "t-closeness t=0.3 column=v distance=ordered"], "hierarchies": ["a"]}, RULED, None),
    "limit": ({**STARS, "values": 5, "rows": (80, 80), "k": 5, "outliers": "suppress", "suppression_limit": 0.05, "mask": {"max_stars": 2}}, ("greedy", "improve"), None),
}  # fmt: skip

LONG = {  # left to `make proofs`
    *((name, ENGINE) for name in ("hierarchies, suppress", "missing", "stars, suppress", "mask")),
    ("entropy", "improve"),
    ("delta", "improve"),
    ("stars, many columns", "auto"),
    *((name, "auto") for name in ("stars", "stars, suppress", "hierarchies", "mask", "together", "pairs, mask")),
}


def question(name):
    return drawn(name, **CASES[name][0])


def options(solver):
    """The options of a run that comes out alike every time."""
    if solver == ENGINE:
        return {"types_in_memory": 1, "work": MOVES, "solver": "auto"}
    return {"solver": solver, "work": MOVES}


def release_of(asked, solver):
    return ask(asked, **options(solver))


def least_of(name, asked):
    """The least cost by the program, where it knows."""
    known = CASES[name][2]
    return program(asked, None if known is True else known) if known else None


def record(only=""):
    told = json.loads(RECORDED.read_text()) if RECORDED.exists() else {}
    for name, (_, solvers, _) in CASES.items():
        if only not in name:
            continue
        asked = question(name)
        least = least_of(name, asked)
        told[name] = {"least": None if least is None else str(least)}
        for solver in solvers:
            try:
                with release_of(asked, solver) as release:
                    told[name][solver] = [float(release.exact_cost), float(release.exact_lower_bound)]
            except IncrowdError as error:
                print(name, solver, type(error).__name__, error)
        print(name, told[name], flush=True)
    text = ",\n".join(f'  "{name}": {json.dumps(found)}' for name, found in told.items() if name in CASES)
    RECORDED.write_text("{\n" + text + "\n}\n")


if __name__ == "__main__":
    record(*sys.argv[1:])
