"""A value in any of its forms becomes one form, or is refused with the setting's name."""

from decimal import Decimal
from fractions import Fraction
from pathlib import Path
from typing import get_args

import pytest

import incrowd
from incrowd.errors import PolicyError
from incrowd.policy.job import Job, Policy
from incrowd.settings import SHAPES, Setting, Shape, clean

# shape: what may be given for it, and what is kept
TAKEN = {
    "text": [(None, None), ("x", "x")],
    "name": [("greedy", "greedy")],
    "integer": [(None, None), (3, 3), ("3", 3), (3.0, 3), (Fraction(6, 2), 3)],
    "number": [(None, None), ("1/2", 0.5), (2, 2.0), (Decimal("0.5"), 0.5)],
    "fraction": [(None, None), (0.1, Fraction(1, 10)), ("1/3", Fraction(1, 3))],
    "flag": [(None, None), (True, True), (False, False)],
    "choice": [("a", "a")],
    "list": [(None, ()), ("a, b", ("a", "b")), (["a", "b"], ("a", "b"))],
    "groups": [(None, ()), ("a,b", (("a", "b"),)), (["a", "b"], (("a", "b"),)), ([["a"], "bc"[:0] or ["b"]], (("a",), ("b",)))],
    "weights": [(None, ()), ("a=1/3", (("a", Fraction(1, 3)),)), ({"a": 0.1}, (("a", Fraction(1, 10)),))],
    "levels": [(None, ()), (["a=1", "b=2"], (("a", 1), ("b", 2)))],
    "hierarchies": [(None, ()), ("a=f=g.csv", (("a", "f=g.csv"),)), ([("a", "f")], (("a", "f"),))],
    "models": [(None, ()), ("m", ("m",)), ({"model": "m"}, ({"model": "m"},)), (["m", "n"], ("m", "n"))],
    "distances": [(None, ()), ("a=equal", (("a", "equal"),))],
    "path": [(None, None), ("-", "-"), ("f.csv", Path("f.csv"))],
}  # fmt: skip
REFUSED = {
    "text": [3], "name": [3], "integer": [True, "x", 2.5, float("nan"), 1 << 300, [1]], "number": [True, "x", "1e400"],
    "fraction": [True, "x", float("inf"), []], "flag": ["yes", "true", "false", 0, 1, 1.5], "choice": ["b", None, []],
    "list": [{"a": 1}, b"a", [1], 3], "groups": [{"a": 1}, 3, [["a"], "b"]], "weights": ["a", {"a": -1}, {"a": "x"}, ["a=1", "a=2"]],
    "levels": ["a", {"a": -1}, {"a": 0.5}], "hierarchies": ["a", "a=", [("a",)]], "models": [],
    "distances": ["a", {"a": 1}], "path": ["", 3],
}  # fmt: skip


def test_every_shape_but_one_inside_another_is_tried_here():
    assert set(TAKEN) == set(REFUSED) == set(SHAPES) == set(get_args(Shape)) - {"distance"}


def test_all_forms_of_a_value_become_one():
    for shape, cases in TAKEN.items():
        spec = Setting(help="", shape=shape, choices=("a",))
        for value, kept in cases:
            assert clean(spec, "x", value) == kept, (shape, value)
            assert type(clean(spec, "x", value)) is type(kept), (shape, value)


def test_what_has_not_the_shape_is_refused_by_the_settings_name():
    for shape, values in REFUSED.items():
        spec = Setting(help="", shape=shape, choices=("a",))
        for value in values:
            with pytest.raises(PolicyError, match="^x ") as raised:
                clean(spec, "x", value)
            assert len(str(raised.value)) < 300, (shape, value)


def test_a_number_outside_its_range_is_refused_with_the_range():
    between = {"least": 1, "most": 2}
    for shape, words in (("integer", "a whole number"), ("number", "a number"), ("fraction", "a number")):
        for value in (0, 3):
            with pytest.raises(PolicyError, match=f"x must be {words} from 1 to 2, not {value}"):
                clean(Setting(help="", shape=shape, **between), "x", value)
        with pytest.raises(PolicyError, match=f"x must be {words} of at least 1, not 0"):
            clean(Setting(help="", shape=shape, least=1), "x", 0)


HUGE = [
    "1e999999999", "1E-999999999", "1_0e9_999_999", "9" * 5000, "1/" + "9" * 5000, "1e" + "9" * 5000, "1e+01000",
    10**5000, Fraction(1, 10**5000), Decimal("1e999999999"), "1e400",
]  # fmt: skip


def test_no_setting_takes_a_number_that_would_take_the_machine():
    for value in HUGE:
        made = [
            lambda value=value: Policy(weights={"a": value}),
            lambda value=value: Policy(l=value),
            lambda value=value: Policy(t=value),
            lambda value=value: Policy(k=value),
            lambda value=value: Policy(require=[{"model": "alpha-k", "column": "s", "alpha": value}]),
            lambda value=value: incrowd.Hierarchy(lines=[("x", "g"), ("y", "g")], level_costs=[value, value]),
        ]
        for build in made if value != "1e400" else made[2:4]:
            with pytest.raises(PolicyError) as raised:
                build()
            assert len(str(raised.value)) < 300
        for name in ("time_limit", "gap"):
            if value not in ("1E-999999999",):
                with pytest.raises(PolicyError):
                    Job(**{name: value})
        for name in ("seed", "work"):
            with pytest.raises(PolicyError, match="must be a whole number"):
                Job(**{name: value})


@pytest.mark.parametrize("shape", ["weights", "levels", "hierarchies", "distances"])
@pytest.mark.parametrize("value", [5, b"a=1", [5], {("a",): "1"}, [(None, "1")], {10**5000: "1"}])
def test_pairs_that_name_no_column_are_refused_by_the_settings_name(shape, value):
    with pytest.raises(PolicyError, match="thing must"):
        clean(Setting(help="", shape=shape), "thing", value)


def test_none_is_the_settings_default():
    assert clean(Setting(help="", shape="text", default="*"), "star", None) == "*"
    assert clean(Setting(help="", shape="flag", default=True), "strip", None) is True
    assert clean(Setting(help="", shape="choice", choices=("a", "b"), default="b"), "which", None) == "b"
