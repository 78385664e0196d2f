import itertools
import random

import numpy as np
import pytest

from incrowd.errors import InputError
from incrowd.tables.verify.requirements import joint
from incrowd.tables.verify.requirements.counts import Classes
from oracles import sensitive as plain


def judged(rows, least, width):
    domain, kind = plain.domain_of(rows)
    ones, zeros = np.ones(len(rows), np.int64), np.zeros(len(rows), np.int64)
    asked = {"l": least, "columns": tuple(f"s{j}" for j in range(width))}
    return joint.judge_jointly(asked, Classes(domain, zeros, kind.astype(np.int64), ones, 1))


def test_the_most_that_differ_everywhere_is_that_of_all_subsets():
    rng = random.Random(2)
    for _ in range(150):
        width = rng.randrange(1, 4)
        lines = list({tuple(rng.randrange(3) for _ in range(width)) for _ in range(rng.randrange(1, 7))})
        differ = lambda some: all(a != b for x, y in itertools.combinations(some, 2) for a, b in zip(x, y, strict=True))
        best = max(size for size in range(len(lines) + 1) if any(map(differ, itertools.combinations(lines, size))))
        for enough in range(1, 5):
            assert joint.most_apart(lines, enough) == min(best, enough)


def test_a_row_that_lies_in_no_pair_fails_its_class():
    rows = [("flu", "rome"), ("cold", "oslo"), ("flu", "oslo")]
    assert judged(rows, 2, 2).met.tolist() == [False]
    found = judged([*rows, ("cold", "rome")], 2, 2)
    assert (found.met.tolist(), found.reached) == ([True], 2)


def test_a_hard_question_is_declined_beyond_the_limit(monkeypatch):
    monkeypatch.setattr(joint, "STEPS", 2)
    rng = random.Random(1)
    rows = [tuple(str(rng.randrange(6)) for _ in range(3)) for _ in range(40)]
    with pytest.raises(InputError, match=r"l=6, joint: .* not decided within 2 steps of search"):
        judged(rows, 6, 3)
