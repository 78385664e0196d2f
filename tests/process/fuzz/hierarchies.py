"""Hierarchies: files in ARX's CSV with lines missing, doubled, cut and at odds; words; and where a policy uses one."""

from __future__ import annotations

from process.fuzz.case import CANARY, Case
from process.fuzz.mutation import changed_bytes
from process.fuzz.tables import COLUMNS, QUASI, lines, plain_csv

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


def _distances(rng) -> bytes:
    """A sound file of distances between the values of `job`, with up to three faults."""
    values = sorted({line[COLUMNS.index("job")] for line in lines()})
    place = [0, *rng.sample(range(1, 1000), len(values) - 2), 1000]
    held = [
        ["", *values],
        *([value, *(f"{abs(a - b) / 1000}" for b in place)] for value, a in zip(values, place, strict=True)),
    ]
    for _ in range(rng.randrange(4)):
        line, how = rng.choice(held), rng.randrange(7)
        if how == 0:
            held.append(line)
        elif how == 1:
            line.append(rng.choice(CELLS))
        elif how == 2 and len(line) > 1:
            line.pop()
        elif how == 3 and len(held) > 1:
            held.remove(line)
        elif line:
            line[rng.randrange(len(line))] = rng.choice(
                (*CELLS, "nan", "1/3", "-1", "1e99", "2", "0", "1e999999", "9" * 400)
            )
    sign = rng.choice((",", ",", ",", ";"))
    data = "\n".join(sign.join(line) for line in held * rng.choice((1, 1, 1, 1, 1, 1, 2000))).encode()
    return changed_bytes(rng, data) if rng.random() < 0.2 else data


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
    if draw < 0.4:
        how = rng.choice((("--t", "0.9", "--sensitive-distance", "job=d.csv"), ("--t", "0.9", "--sensitive-distance", "job=matrix:d.csv"),
                          ("--require", f"t-closeness t=0.9 column=job distance=d.csv{rng.choice(('', ' rescale=true'))}")))  # fmt: skip
        command = ("anonymize", "t.csv", "--dry-run", "--solver", rng.choice(("greedy", "exact")), "--time-limit", "1")
        command = rng.choice((command, command, ("audit", "t.csv"), ("verify", "t.csv", "t.csv")))
        words = (*command, "--qi", "age,sex", "--k", "2", "--sensitive", "job", *how)
        return Case("hierarchy", words, files=(table, ("d.csv", _distances(rng))))
    spec = "h.csv" if draw < 0.8 else rng.choice(WORDS)
    column = rng.choice(("age", "age", "age", "age", "zip", "who", "nope"))
    solver = rng.choice(("greedy", "greedy", "greedy", "improve", "mondrian", "exact"))
    words = ("anonymize", "t.csv", *rng.choice((("-o", "out.csv"), ("--dry-run",))), "--qi", QUASI, "--k", "2", "--solver", solver,
             "--time-limit", "1", "--json", "--hierarchy", f"{column}={spec}", *rng.choice(MORE))  # fmt: skip
    return Case("hierarchy", words, files=(table, ("h.csv", data)))
