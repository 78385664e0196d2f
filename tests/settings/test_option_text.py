"""What the text of an option means."""

import pytest

from incrowd.errors import PolicyError
from incrowd.settings import Setting, from_option, split


def test_a_text_is_split_at_its_commas_and_quotes_hold_commas_as_in_csv():
    assert split("a, b ,,c") == ("a", "b", "c")
    assert split('"a, b",c') == ("a, b", "c")
    assert split("") == split(" , ") == ()


def test_what_is_no_line_of_names_is_refused_in_words():
    with pytest.raises(PolicyError, match="must be one line of them with commas between"):
        split("a\nb,c")


def test_each_text_of_a_repeated_option_for_groups_is_one_group():
    assert from_option(Setting(help="", shape="groups"), ("a,b", "c")) == (("a", "b"), ("c",))
    assert from_option(Setting(help="", shape="list"), "a,b") == "a,b"
    assert from_option(Setting(help="", shape="list"), ("a,b", "c")) == ("a", "b", "c")
    assert from_option(Setting(help="", shape="list", repeat=True), ("a,b", "c")) == ("a,b", "c")
