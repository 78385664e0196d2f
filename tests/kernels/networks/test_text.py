from __future__ import annotations

import numpy as np

from incrowd.kernels.networks import text

COLUMNS = np.array([0, 1, -1], np.int64)
MARKS = np.frombuffer(b"#%", np.uint8)


def read(lines):
    data = np.frombuffer("\n".join(lines).encode(), np.uint8)
    u, v, seen = np.empty(len(lines), np.int64), np.empty(len(lines), np.int64), np.zeros(2, np.int64)
    edges, problem, line = text.parse_integers(data, 0, 0, MARKS, COLUMNS, u, v, seen)
    return list(zip(u[:edges].tolist(), v[:edges].tolist(), strict=True)), problem, line


def test_integers_are_read_as_python_reads_them():
    rng = np.random.default_rng(0)
    for _ in range(60):
        pairs = [(int(a), int(b)) for a, b in rng.integers(-(10**17), 10**17, (6, 2)) // 10 ** rng.integers(0, 17)]
        lines = [f"{a}{rng.choice([' ', chr(9)])}{b}" for a, b in pairs] + ["# 1 2", ""]
        order = rng.permutation(len(lines)).tolist()
        found, problem, line = read([lines[i] for i in order])
        assert found == [pairs[i] for i in order if i < len(pairs)]
        assert problem == text.OK and line >= len(lines) - 1  # the last may be empty


def test_what_is_no_canonical_integer_is_told_with_its_line():
    for wrong in ("+1", "01", "1.0", "x", "1234567890123456789"):
        found, problem, line = read(["1 2", f"3 {wrong}"])
        assert found == [(1, 2)] and problem == text.NOT_INTEGER and line == 2
    assert read(["1 2", "3"])[1:] == (text.FEW_FIELDS, 2)


def test_equal_texts_get_equal_numbers_in_the_order_of_their_first():
    rng = np.random.default_rng(1)
    for _ in range(30):
        words = ["".join(rng.choice(list("ab"), int(rng.integers(1, 4)))) for _ in range(20)]
        lines = [f"{a} {b}" for a, b in zip(words[::2], words[1::2], strict=True)]
        data = np.frombuffer("\n".join(lines).encode(), np.uint8)
        spans, seen = np.empty((20, 2), np.int64), np.zeros(2, np.int64)
        assert text.field_spans(data, 0, 0, MARKS, COLUMNS, spans, seen)[:2] == (10, text.OK)
        assert [bytes(data[a:b]).decode() for a, b in spans] == words
        ids, first = text.intern(data, spans)
        names = list(dict.fromkeys(words))
        assert ids.tolist() == [names.index(word) for word in words]
        assert first.tolist() == [words.index(name) for name in names]


def test_ranks_are_those_of_the_sorted_numbers():
    rng = np.random.default_rng(2)
    for _ in range(30):
        u, v = rng.integers(5, 30, (2, 8))
        ids, a, b = text.rank_integers(u, v, 5, 25)
        assert ids.tolist() == sorted({*u.tolist(), *v.tolist()})
        assert (ids[a] == u).all() and (ids[b] == v).all()
