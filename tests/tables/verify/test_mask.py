"""The check's own reading of a mask, against the definitions and against the compiled mask that solvers use."""

import dataclasses
import itertools
import operator

import pytest

from incrowd.tables.mask import Mask, Patterns
from incrowd.tables.mask.rules import AtMostOne, Bounds, Listed, NeverTogether, Stars, Together
from incrowd.tables.verify.mask import WORDS, MaskReading
from oracle import masks as plain
from oracle.masks_drawn import draw


def vectors(drawn):
    return itertools.product(*(range(top + 1) for top in drawn.heights))


def differs(drawn):
    """Whether the reading and the compiled mask disagree on any level vector."""
    patterns, reads = (kind(drawn.spec, drawn.columns, drawn.heights) for kind in (Patterns.of, MaskReading))
    return any(patterns.allows(vector) != reads(vector) for vector in vectors(drawn))


def test_every_word_of_a_mask_is_read():
    assert set(WORDS) == {setting.name for setting in dataclasses.fields(Mask)}


def test_the_reading_is_the_definitions_and_the_compiled_mask_is_the_reading():
    said = set()
    for seed in range(400):
        drawn = draw(seed, depth=seed % 4)
        reads = MaskReading(drawn.spec, drawn.columns, drawn.heights)
        for vector in vectors(drawn):
            levels, tops = (dict(zip(drawn.columns, one, strict=True)) for one in (vector, drawn.heights))
            assert reads(vector) == plain.allowed(drawn.spec, levels, tops)
        assert not differs(drawn)
        said |= drawn.spec.keys()
    assert said == {*WORDS, "any", "all"}


def test_a_reading_of_what_a_mask_says_of_itself_is_that_of_what_the_user_wrote():
    for seed in range(100):
        drawn = draw(seed)
        said = Mask.from_dict(drawn.spec).to_dict()
        reads = [MaskReading(one, drawn.columns, drawn.heights) for one in (said, drawn.spec)]
        assert all(reads[0](vector) == reads[1](vector) for vector in vectors(drawn))


def counted_wrong(self, state, at, level):
    stars = state + (level == self.tops[at])
    return -1 if stars >= self.limit else 0 if at == self.last else stars


def bounded_wrong(self, state, at, level):
    return -1 if level >= self.limits[at] else 0


def split_wrong(self, state, at, level):
    now = 2 if level else 1
    return -1 if state == now else 0 if at == self.last else now


def once_wrong(self, state, at, level):
    return -1 if state or level else 0 if at == self.last else int(state or level > 0)


def never_wrong(self, state, at, level):
    safe = int(state or level != 0)
    return (0 if safe else -1) if at == self.last else safe


def listed_wrong(self, state, at, level, right=Listed.step):
    return right(self, state, at, level + 1)


@pytest.mark.parametrize(
    ("machine", "wrong"),
    [
        (Stars, counted_wrong),
        (Bounds, bounded_wrong),
        (Together, split_wrong),
        (AtMostOne, once_wrong),
        (NeverTogether, never_wrong),
        (Listed, listed_wrong),
    ],
)
def test_one_comparison_turned_round_in_the_compiled_mask_is_seen_by_the_reading(monkeypatch, machine, wrong):
    drawn = [draw(seed, depth=1) for seed in range(60)]
    assert not any(map(differs, drawn))
    monkeypatch.setattr(machine, "step", wrong)
    assert any(map(differs, drawn))


def test_what_is_raised_is_below_every_allowed_vector_above_but_that_of_stars_alone():
    for seed in range(150):
        drawn = draw(seed, depth=seed % 3)
        reads, top = MaskReading(drawn.spec, drawn.columns, drawn.heights), tuple(drawn.heights)
        allowed = [vector for vector in vectors(drawn) if vector != top and reads(vector)]
        for vector in itertools.islice(vectors(drawn), 0, None, 5):
            low = reads.raised(vector)
            above = [one for one in allowed if all(map(operator.ge, one, vector))]
            if low is None:
                assert not above
            else:
                assert all(map(operator.le, vector, low))
                assert all(all(map(operator.ge, one, low)) for one in above)


@pytest.mark.parametrize(
    "said", [{"stars": 2}, {"any": [{}], "keep": ["a"]}, {"keep": ["b"]}, {"patterns": [{"b": 1}]}, {"all": [{"x": 1}]}]
)
def test_what_cannot_be_read_is_refused_rather_than_passed_over(said):
    with pytest.raises(ValueError, match="mask"):
        MaskReading(said, ["a"], [1])


def test_levels_outside_of_a_column_are_not_allowed():
    reads = MaskReading({}, ["a", "b"], [1, 2])
    assert reads((1, 2))
    assert not reads((2, 0))
    assert not reads((0, -1))
    with pytest.raises(ValueError, match="argument 2 is longer"):
        reads((0,))
