"""Hierarchies: files in ARX's CSV with lines missing, doubled, cut and at odds; words; and where a policy uses one."""

from __future__ import annotations

from fuzz.case import CANARY, Case
from fuzz.mutation import changed_bytes
from fuzz.tables import QUASI, plain_csv

__all__ = ["hierarchy"]

WORDS = (
    "intervals:5,10", "intervals:", "intervals:0", "intervals:-1", "intervals:nan", "intervals:5,7", "intervals:1e308", "intervals:1e-308",
    "prefix", "dates", "intervals:5,10,99999999999999999999", "prefix:x", "prefix:1", "prefix:99999999999", "intervals:5;10", "nope:", "",
    "..", "intervals:0.1,0.2", "dates:month", "dates:x", "t.csv", "/dev/null", ".", "\0", "h.csv#1",
)  # fmt: skip
CELLS = ("", "*", "NULL", "\u202e", "é", '"', ";", "20", " 20 ", f"{CANARY}h", "-inf", "[20,25)", "\x1b[31m")
MORE = (
    (), (), (), ("--complete-hierarchies",), ("--max-level", "age=1"), ("--max-level", "age=0"), ("--max-level", "age=9"), ("--star", "x"),
    ("--star", "20"), ("--star", ""), ("--cost", "levels"), ("--cost", "ncp"), ("--cost", "cells"), ("--cost", "entropy"), ("--recoding", "ranges"),
    ("--numeric", "age"), ("--weight", "age=1/3"), ("--suppressed", "null"), ("--keep", "age"),
)  # fmt: skip


def _lines(rng) -> bytes:
    """A sound hierarchy of `age` (or of `ill`), with up to three faults."""
    held = [[str(age), str(age // 2 * 2), rng.choice(("20-25", "*", "x")), "*"] for age in range(20, 25)]
    for _ in range(rng.randrange(4)):
        at, how = rng.randrange(len(held)), rng.randrange(10)
        if how == 0:
            held.append(held[at])
        elif how == 1:
            held[at] = held[at][: rng.randrange(3)]
        elif how == 2:
            held[at] = held[at] + ["*"] * rng.choice((1, 2, 40, 300))
        elif how == 3:
            held[at][-1:] = [held[0][0]] if held[0] else []
        elif how == 4:
            held[at] = held[at][::-1]
        elif how == 5 and len(held) > 1:
            del held[at]
        elif how == 6:
            held[at] = [rng.choice(CELLS) for _ in held[at]]
        elif how == 7:
            held[at] = held[at] + held[at][:1]
        elif how == 8:
            held = [line[:1] for line in held]
        else:
            held.append([str(rng.choice((25, "", f"{CANARY}k", "ä"))), *held[at][1:]])
    data = "\n".join(rng.choice((";", ";", ";", ",")).join(line) for line in held).encode()
    return changed_bytes(rng, data) if rng.random() < 0.3 else data


def hierarchy(rng, _: int) -> Case:
    """A hierarchy before the commands that take or make one."""
    table, draw = ("t.csv", plain_csv()), rng.random()
    if draw < 0.15:
        column = rng.choice(("age", "job", "zip", "who", "nope", "ill"))
        how = rng.choice((
            ("--intervals", rng.choice(("5,10", "0", "-1", "1e308", "1e-9", "5,7", "x", "", "nan"))), ("--dates",), ("--prefix",),
            ("--dates", "--units", rng.choice(("month", "year,month", "x", ""))), ("--prefix", "--lengths", rng.choice(("1", "1,2", "0", "-1", "x", "99"))),
            ("--intervals", "5", "--start", rng.choice(("1", "nan", "1e308", "x"))), (),
        ))  # fmt: skip
        return Case("hierarchy", ("hierarchy", column, "t.csv", *how, "-o", "h.csv"), files=(table,))
    data = _lines(rng)
    if draw < 0.25:
        words = ("anonymize", "t.csv", "--dry-run", "--qi", "age,sex", "--k", "2", "--solver", "greedy", "--sensitive", "ill", "--t", "0.9",
                 "--sensitive-distance", f"ill={rng.choice(('', 'hierarchical:', 'matrix:'))}h.csv")  # fmt: skip
        return Case("hierarchy", words, files=(table, ("h.csv", data)))
    spec = "h.csv" if draw < 0.8 else rng.choice(WORDS)
    column = rng.choice(("age", "age", "age", "age", "zip", "who", "nope"))
    solver = rng.choice(("greedy", "greedy", "greedy", "improve", "mondrian", "exact"))
    words = ("anonymize", "t.csv", *rng.choice((("-o", "out.csv"), ("--dry-run",))), "--qi", QUASI, "--k", "2", "--solver", solver,
             "--time-limit", "1", "--json", "--hierarchy", f"{column}={spec}", *rng.choice(MORE))  # fmt: skip
    return Case("hierarchy", words, files=(table, ("h.csv", data)))
