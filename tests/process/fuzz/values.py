"""Values of all shapes, drawn by hypothesis: what a policy file or an argument of a call may hold."""

from __future__ import annotations

import datetime
import functools

import hypothesis
from hypothesis import strategies as st

__all__ = ["any_values", "drawn", "plain_values", "source_of"]

BLOCK = 200  # values drawn at once
NAMES = st.sampled_from(["age", "sex", "job", "zip", "ill", "who", "age,sex", "Age", "nope", ""])
NUMBERS = st.one_of(
    st.integers(-3, 30), st.integers(-(2**70), 2**70), st.floats(), st.sampled_from([0.1, 0.5, 1e-300, 1e300, 10**400])
)
WORDS = st.sampled_from(
    ["equal", "ordered", "numeric", "frequency", "entropy", "forbid", "suppress", "greedy", "auto", "exact", "prefix", "dates",
     "1/3", "1/0", "3/2", "1e999999999", "-1", "0", "2", "nan", "inf", "1_0", "٣", "*", "\0", "\x1b[2J", "a\nb", "\u202e", "x" * 400]
)  # fmt: skip
SOUND = st.text(max_size=8)
DATES = st.one_of(st.dates(), st.datetimes(), st.times(), st.just(datetime.timedelta(1)))


def _nested(leaves, keys):
    return st.recursive(
        leaves,
        lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(keys, inner, max_size=3)),
        max_leaves=8,
    )


def plain_values():
    """What TOML can write."""
    return _nested(st.one_of(st.booleans(), NUMBERS, NAMES, WORDS, SOUND, st.dates()), st.one_of(NAMES, SOUND))


def any_values():
    """What Python code may hand over."""
    broken = st.text(st.characters(min_codepoint=0xD7F0, max_codepoint=0xE010), max_size=3)  # lone surrogates too
    leaves = st.one_of(
        st.none(), st.booleans(), NUMBERS, NUMBERS, NAMES, NAMES, WORDS, SOUND, broken, st.binary(max_size=4), DATES,
        st.complex_numbers(), st.fractions(), st.decimals(), st.builds(tuple, st.lists(NAMES, max_size=3)), st.just(b"age"),
    )  # fmt: skip
    return _nested(leaves, st.one_of(NAMES, NUMBERS, st.none(), SOUND))


@functools.lru_cache(maxsize=8)
def _block(strategy, number: int) -> list:
    found = []

    @hypothesis.seed(number)
    @hypothesis.settings(
        max_examples=BLOCK, database=None, deadline=None, phases=[hypothesis.Phase.generate],
        suppress_health_check=list(hypothesis.HealthCheck),
    )  # fmt: skip
    @hypothesis.given(strategy())
    def collect(value):
        found.append(value)

    collect()
    return found


def drawn(strategy, index: int) -> list:
    """The values that input number `index` draws from: a block of them, the same for all inputs of the block."""
    return _block(strategy, index // BLOCK)


def source_of(value) -> str:
    """Python source of a value."""
    return repr(value)
