"""The page unpacks what zlib does, whatever the blocks are, and refuses what zlib refuses."""

from __future__ import annotations

import zlib

import numpy as np
import pytest

from checker.page_script import needs_node
from checker.red_cases import Case
from checker.red_lines import Lined, packed
from incrowd.progress import Watch
from incrowd.tables.solve.greedy.greedy import Greedy
from incrowd.tables.values import Problem
from oracles.lined import as_lines
from oracles.pattern_lists import PatternList
from oracles.problems import as_table, star_levels, types_of
from seeds import how_many


@pytest.fixture(scope="module")
def case():
    """Some hundred row types with prices of many sizes."""
    rng = np.random.default_rng(8)
    types = types_of(rng.integers(0, 40, (900, 2)))
    problem = Problem(types, star_levels(types), PatternList([1, 1]), 3, "suppress")
    solution = Greedy().solve(problem, Watch())
    cost = solution.plan.cost(problem)
    prices = [int(rng.integers(-(10 ** rng.integers(0, 13)), 3)) for _ in range(types.t)]
    head = as_lines(dict(solution.certificate)) | {
        "lower_bound": 0,
        "lower_bound_checked": 0,
        "proof": "solver",
        "parts": 1,
    }
    head["prices"] = prices
    return Lined(Case("prices", as_table(problem), head, cost, 0, problem=problem), head)


def text_of(case):
    return zlib.decompress(packed(case.certificate), wbits=31)


def by(case, data):
    """The verdict of the page, and of zlib's reader in the second checker."""
    return case.by_page(data), case.by_second(data)


def deflated(text, level, strategy, flush=None):
    """One member: fixed codes, stored blocks, runs alone, codes of its own; perhaps in many blocks."""
    packer = zlib.compressobj(level, zlib.DEFLATED, 31, 9, strategy)
    if flush is None:
        return packer.compress(text) + packer.flush()
    parts = [packer.compress(text[at : at + 700]) + packer.flush(flush) for at in range(0, len(text), 700)]
    return b"".join(parts) + packer.flush()


WAYS = [
    (0, zlib.Z_DEFAULT_STRATEGY), (1, zlib.Z_DEFAULT_STRATEGY), (6, zlib.Z_DEFAULT_STRATEGY), (9, zlib.Z_DEFAULT_STRATEGY),
    (9, zlib.Z_FIXED), (9, zlib.Z_HUFFMAN_ONLY), (9, zlib.Z_RLE),
]  # fmt: skip


@needs_node
@pytest.mark.parametrize(("level", "strategy"), WAYS)
@pytest.mark.parametrize("flush", [None, zlib.Z_SYNC_FLUSH, zlib.Z_FULL_FLUSH])
def test_blocks_of_every_kind_are_unpacked(case, level, strategy, flush):
    data = deflated(text_of(case), level, strategy, flush)
    page, second = by(case, data)
    assert page == second
    assert page[0] == "good"


@needs_node
def test_a_file_with_a_changed_byte_is_refused_as_zlib_refuses_it(case):
    """In its codes, its lengths and its checksums; a few changes of the header mean nothing."""
    rng = np.random.default_rng(9)
    for turn in range(how_many(2000, 60)):
        data = bytearray(deflated(text_of(case), *WAYS[turn % len(WAYS)]))
        at = int(rng.integers(len(data))) if turn % 2 else int(rng.integers(min(len(data), 120)))
        data[at] ^= 1 << int(rng.integers(8))
        page, second = by(case, bytes(data))
        assert page == second
        assert page[0] == ("good" if 4 <= at < 10 else "unreadable")


@needs_node
def test_codes_that_are_cut_or_made_up_are_refused_as_zlib_refuses_them(case):
    """Blocks of random bits behind a right header: what is no code for zlib is none for the page."""
    rng = np.random.default_rng(10)
    for _ in range(how_many(3000, 100)):
        body = bytes([0b101 if rng.random() < 0.7 else 0b011, *rng.integers(0, 256, int(rng.integers(4, 90))).tolist()])
        page, second = by(case, b"\x1f\x8b\x08\0\0\0\0\0\0\xff" + body)
        assert page == second == ("unreadable", False, None, None)
