"""Changed certificates before the program that is proved: what it says beside the check, many in one run of it."""

from __future__ import annotations

import subprocess
import time
from collections import Counter

import numpy as np
import pytest

from checker import red_team
from checker.red_cases import cases
from checker.red_changes import one_of
from incrowd.proved.program import DEEP, find
from proved.asked import question

READ = ("prices", "components", "trees", "lattice cuts", "matching", "2-diversity")
HEADS = ("asked", "same", "lower", "refused", "not read", "misses", "above")
MOST = 200  # questions in one run
LONGEST = 30  # seconds of one run


def answers(program, texts):
    """The bounds that the program proves, None where it refuses; questions that end it are asked alone."""
    try:
        done = subprocess.run([*DEEP, program], input="".join(texts), capture_output=True, text=True, timeout=LONGEST)
        said = [line.split()[1] for line in done.stdout.splitlines()]
        if done.returncode == 0 and len(said) == len(texts):
            return [None if word == "none" else int(word) for word in said]
    except subprocess.TimeoutExpired:
        if len(texts) == 1:
            pytest.fail(f"no answer after {LONGEST} seconds: {texts[0]}")
    if len(texts) == 1:
        return [None]
    half = len(texts) // 2
    return answers(program, texts[:half]) + answers(program, texts[half:])


def attack(program, some, number, rng):
    """What the program says of so many changed certificates that the check reads, and each that is wrong.

    One that the check calls good it must prove as far as the check does; whatever it proves must be no more than the least
    cost.
    """
    counted, wrong = Counter(), []
    while counted["asked"] < number:
        texts, told = [], []
        for _ in range(4000):
            case = one_of(rng, some)
            for why, target, made in red_team.altered(case, some, rng, one_of(rng, red_team.WAYS)):
                if (
                    isinstance(made, str)
                    or made.get("version") != 1
                    or bool(made.get("diverse")) != (target.sens is not None)
                ):
                    continue
                verdict, _, _, bound = target.by_check(made)
                if verdict == "unreadable":
                    continue
                try:
                    texts.append(question(target.table, made, target.sens).text())
                except (IndexError, KeyError, TypeError, ValueError):
                    counted["not read"] += 1
                    wrong += [(why, verdict, "cannot be handed over", made)] if verdict == "good" else []
                    continue
                told.append((why, target, verdict, bound, made))
            if len(texts) >= min(MOST, number - counted["asked"]):
                break
        counted["asked"] += len(texts)
        for (why, target, verdict, bound, made), found in zip(told, answers(program, texts), strict=True):
            if target.least is not None and found is not None and found > target.least:
                counted["above"] += 1
                wrong.append((why, verdict, found, made))
            if verdict == "good":
                # the check answers no more than the cost that is claimed, and no less than 0
                same = found is not None and min(max(found, 0), made["cost"]) == bound
                idle = found is None and not bound  # a refusal where there is nothing to prove
                counted["same" if same else "refused" if idle else "misses"] += 1
                wrong += [] if same or idle else [(why, verdict, found, made)]
            else:
                counted["refused" if found is None else "lower"] += 1
    return counted, wrong


def table(number, seed=0, only=()):
    """Print the table; return how many are wrong."""
    program, begun = find(), time.process_time()
    if program is None:
        print("the program that is proved is not built: make theorems")
        return 1
    found, rng, total, wrong = cases(6), np.random.default_rng([9, seed]), np.zeros(len(HEADS), int), 0
    kinds = [kind for kind in READ if not only or kind in only]
    print(f"{'certificates':<22}" + "".join(f"{head:>10}" for head in HEADS), flush=True)
    for kind in kinds:
        counted, bad = attack(program, found[kind], -(-number // len(kinds)), rng)
        row = [counted[head] for head in HEADS]
        print(f"{kind:<22}" + "".join(f"{n:>10}" for n in row), flush=True)
        for one in bad[:3]:
            print("   ", one, flush=True)
        total, wrong = total + row, wrong + len(bad)
    print(f"{'all':<22}" + "".join(f"{n:>10}" for n in total))
    print(f"{time.process_time() - begun:.0f} s of processor time")
    return wrong
