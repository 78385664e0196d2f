"""What a column's values are is read off the distinct values, and a few strange ones do not hide it."""

import pytest

from incrowd.tables.hierarchy.proposals import is_missing_word, look_at

DAYS = [f"2021-03-{day:02}" for day in range(1, 20)]


@pytest.mark.parametrize(
    ("name", "values", "kind", "form"),
    [
        ("x", [], "nothing", ""),
        ("x", ["NA", "?", " ", "nan"], "nothing", ""),
        ("x", ["a", "NA"], "one value", ""),
        ("x", DAYS, "dates", ""),
        ("x", [f"{day}T12:30:00" for day in DAYS], "dates", ""),
        ("x", ["20210301", "19991231"], "dates", ""),
        ("x", ["20210301", "99999999"], "numbers", "whole"),
        ("x", ["1", "2", "-7"], "numbers", "whole"),
        ("x", ["1", "2.5"], "numbers", "decimal"),
        ("age", ["31", "47.5"], "numbers", "age"),
        ("Alter_Jahre", ["31", "47"], "numbers", "age"),
        ("age", ["1931", "1947"], "numbers", "whole"),
        ("wage", ["31", "47"], "numbers", "whole"),
        ("plz", ["10115", "80331"], "codes", "postcode"),
        ("n", ["10115", "80331"], "numbers", "whole"),
        ("n", ["01067", "80331"], "codes", "code"),
        ("zip", ["10115-1234", "80331"], "codes", "postcode"),
        ("zip", ["1067", "80331"], "numbers", "whole"),
        ("icd10", ["A41.9", "I10", "E11.90"], "codes", "icd"),
        ("ward", ["A12", "B07"], "codes", "code"),
        ("x", ["f", "m"], "texts", ""),
        ("x", ["30-39", "40-49"], "texts", ""),
        ("x", ["inf", "-inf", "1e9999"], "texts", ""),
        ("x", ["0000-01-01", "-0044-03-15"], "texts", ""),
    ],
)
def test_every_kind_is_told(name, values, kind, form):
    seen = look_at(name, values)
    assert (seen.kind, seen.form) == (kind, form)


def test_a_few_values_of_another_kind_and_words_for_a_missing_one_are_counted():
    seen = look_at("x", [*map(str, range(30)), "NA", "?", "about forty"])
    assert (seen.kind, seen.said, seen.missing, seen.unplaced) == ("numbers", 31, ("NA", "?"), 3)
    assert look_at("x", [*map(str, range(5)), "about forty"]).kind == "texts"


def test_words_for_a_missing_value_are_known_in_any_case():
    assert all(map(is_missing_word, ("NA", "n/a", " Unknown ", "?", "")))
    assert not any(map(is_missing_word, ("0", "none of these", "Nan a")))
