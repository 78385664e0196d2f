import pytest
from hypothesis import given
from hypothesis import strategies as st

from incrowd.errors import InputError
from incrowd.tables.verify.release import range_labels
from incrowd.tables.verify.release.range_labels import read_labels
from oracles.ranges import label, may_hide

TEXTS = st.one_of(st.none(), st.text(alphabet="aN\\,{} -é", max_size=3))
NUMBERS = st.one_of(st.none(), st.sampled_from(["-5", "-.5", "0", "+3", "3.0", "7", "1e2", "1E-3", "100", "99."]))


def stands(originals, released):
    """Which labels were read, each with its values."""
    reading = read_labels(list(originals), list(released), "c")
    found = {text: set() for text in reading.labels}
    for one, value in zip(reading.label, reading.value, strict=True):
        found[reading.labels[one]].add(reading.values[value])
    return found


@given(st.sets(TEXTS, min_size=2, max_size=6), st.data())
def test_every_set_of_values_is_read_as_itself(domain, data):
    members = data.draw(st.sets(st.sampled_from(sorted(domain, key=str)), min_size=2))
    written = label(members, [*domain, object()], numeric=False)
    assert stands(domain, [written]) == ({} if written in domain else {written: members})


@given(st.sets(NUMBERS, min_size=1, max_size=8), st.data())
def test_a_range_stands_for_the_numbers_between_its_ends(domain, data):
    low, high = (data.draw(st.sampled_from(["-5", "0", "2.5", "7", "1e2", "-7e0"])) for _ in range(2))
    written = f"[{low}-{high}]"
    expected = {v for v in domain if may_hide(written, v, domain, numeric=True)}
    assert stands(domain, [written]) == {written: expected}


@given(st.sets(TEXTS, min_size=1, max_size=4), st.text(alphabet="aN\\,{} []-é", max_size=9))
def test_any_text_is_read_as_the_plain_reading_says(domain, text):
    found = stands(domain, [text])
    for value in domain:
        expected = may_hide(text, value, domain, numeric=False) and text not in ("*", value)
        in_order = text in found and value in found[text]
        assert in_order >= expected  # a set may be written in another order


@pytest.mark.parametrize(
    "text",
    ["{a}", "{a, a}", "{a,b}", "{a, c}", "{a, b", "a, b}", "{a, b\\}", "{\\x, b}", "{\\Na, b}", "{a, {b}}", "[1-x]",
     "[1]", "[1-2", "[-]", "[1--]", "[1e99999-2]", "{}", "", "*", "x", "[ 1-2]", "{a, b} "],
)  # fmt: skip
def test_what_is_no_label_is_not_read(text):
    assert stands(["a", "b", "1", None], [text]) == {}


def test_what_is_an_original_value_is_no_label():
    assert stands(["a", "b", "{a, b}"], ["{a, b}", "{b, a}"]) == {"{b, a}": {"a", "b"}}


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
