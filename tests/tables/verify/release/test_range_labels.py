import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.errors import InputError
from incrowd.tables.verify.release import range_labels
from incrowd.tables.verify.release.range_labels import read_labels
from oracles.ranges import may_hide

TEXTS = st.one_of(st.none(), st.text(alphabet="1[]. -é", max_size=3))
NUMBERS = st.one_of(st.none(), st.sampled_from(["-5", "-.5", "0", "+3", "3.0", "7", "1e2", "1E-3", "100", "99."]))


def stands(originals, released):
    """Which labels were read, each with its values."""
    reading = read_labels(list(originals), list(released), "c")
    found = {text: set() for text in reading.labels}
    for one, value in zip(reading.label, reading.value, strict=True):
        found[reading.labels[one]].add(reading.values[value])
    return found


@given(st.sets(NUMBERS, min_size=1, max_size=8), st.data())
def test_a_range_stands_for_the_numbers_between_its_ends(domain, data):
    low, high = (data.draw(st.sampled_from(["-5", "0", "2.5", "7", "1e2", "-7e0"])) for _ in range(2))
    written = f"[{low}-{high}]"
    expected = {v for v in domain if may_hide(written, v, domain)}
    assert stands(domain, [written]) == {written: expected}


@given(st.sets(TEXTS, min_size=1, max_size=4), st.text(alphabet="12[]. -é", max_size=9))
def test_any_text_is_read_as_the_plain_reading_says(domain, text):
    found = stands(domain, [text])
    for value in domain:
        expected = may_hide(text, value, domain) and text not in ("*", value)
        assert (text in found and value in found[text]) == expected


@pytest.mark.parametrize(
    "text",
    ["{a, b}", "[1-x]", "[1]", "[1-2", "1-2]", "[-]", "[1--]", "[1e99999-2]", "[]", "", "*", "x", "[ 1-2]", "[1-2] "],
)  # fmt: skip
def test_what_is_no_label_is_not_read(text):
    assert stands(["a", "b", "1", None], [text]) == {}


def test_what_is_an_original_value_is_no_label():
    assert stands(["1", "2", "[1-2]"], ["[1-2]", "[2-3]"]) == {"[2-3]": {"2"}}


def test_huge_exponents_cost_nothing_and_are_compared_exactly():
    values = ["1e9999", "1" + "0" * 40 + "1", "1" + "0" * 41, "-1e9999"]
    assert stands(values, ["[1e41-1e9999]"]) == {"[1e41-1e9999]": {"1e9999", "1" + "0" * 41, "1" + "0" * 40 + "1"}}
    assert stands(values, [f"[{values[2]}-{values[2]}]"]) == {f"[{values[2]}-{values[2]}]": {values[2]}}


def test_pairs_name_texts_and_have_a_limit(monkeypatch):
    reading = read_labels(["1", "2", None], ["[1-2]"], "c")
    assert reading.pairs().to_pylist() == [{"leaf": "1", "label": "[1-2]"}, {"leaf": "2", "label": "[1-2]"}]
    monkeypatch.setattr(range_labels, "MOST_PAIRS", 3)
    with pytest.raises(InputError, match="column 'c' stand for more than 3 values"):
        read_labels(["1", "2", None], ["[1-2]", "[0-3]"], "c")
