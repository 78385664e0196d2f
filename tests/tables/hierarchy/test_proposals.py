"""What is proposed rests on distinct values, ends on round numbers, and always can be built."""

import random
from fractions import Fraction

import pytest

from incrowd.tables.hierarchy import Hierarchy, option_text
from incrowd.tables.hierarchy.proposals import nice_width, propose
from seeds import seeds


@pytest.mark.parametrize(
    ("name", "values", "told"),
    [
        ("age", range(1, 99), "intervals:5,10,20,90+"),
        ("age", ["31", "47", "52", "NA"], "intervals:5,10,20,90+"),
        ("age", range(3, 17), "intervals:2,10"),
        ("x", range(100), "intervals:5,10,20"),
        ("x", range(8), "intervals:2"),
        ("year", range(1950, 2000), "intervals:2,10,20"),
        ("income", range(0, 90_000, 130), "intervals:5000,10000,20000"),
        ("bmi", [f"{n / 10}" for n in range(160, 420)], "intervals:1,5,10"),
        ("x", [f"{n / 1000}" for n in range(100)], "intervals:0.005,0.01,0.02"),
        ("x", [*range(100), 10**9], "intervals:5,10,20"),
        ("x", ["2021-03-05", "1999-12-31"], "dates:month,year,decade"),
        ("x", ["2021-03-05", "2022-12-31"], "dates:month,quarter,year"),
        ("x", ["2021-03-05", "2021-12-31"], "dates:month,quarter"),
        ("x", ["2021-03-05T10:00", "2021-03-05T11:00", "2021-03-06T10:00"], "dates:day"),
        ("zip", ["01067", "80331"], "prefix:3,2,1"),
        ("zip", ["01067", "01069", "01071"], "prefix:4"),
        ("zip", ["01067", "01299"], "prefix:3"),
        ("postcode", ["10", "11", "80"], "prefix:1"),
        ("icd", ["A41.9", "I10", "E11.90"], "prefix:3,1"),
        ("code", [f"AB{n:04}" for n in range(0, 900, 30)], "prefix:4"),
    ],
)
def test_numbers_dates_and_codes_get_levels(name, values, told):
    proposal = propose(name, [str(value) for value in values])
    assert option_text(proposal.spec) == told


@pytest.mark.parametrize(
    ("values", "why"),
    [
        ([], "it holds no values"),
        (["NA", "?"], "it holds no values"),
        (["7"], "all its values are one"),
        (["f", "m"], "it has 2 values"),
        (["1", "2", "3"], "it has 3 values"),
        (["2021-03-05", "2021-03-06"], "its dates are of one month"),
        ([f"{n}e300" for n in range(9)], "its numbers lie too near or too far apart"),
        ([f"{n}e-30" for n in range(9)], "its numbers lie too near or too far apart"),
        (["red", "green", "blue", "pink", "grey", "black"], "its values are texts of no common form"),
        ([*map(str, range(60)), "20-24"], "some of its values read like the labels of others"),
        (["B1*", "B12", "B13", "A10", "A20", "C30", "C40", "C50", "C60", "C70", "C80"], "some of its values read"),
    ],
)
def test_what_suits_no_hierarchy_gets_none_and_the_reason(values, why):
    proposal = propose("x", values)
    assert proposal.spec is None and proposal.why.startswith(why) and proposal.unplaced == 0


def test_values_without_a_place_are_counted():
    assert propose("age", ["31", "47", "NA", "?"]).unplaced == 2
    assert propose("zip", ["01067", "80331", "NA"]).unplaced == 0  # a prefix has a place for every text


def test_widths_are_1_2_or_5_times_a_power_of_ten():
    assert [nice_width(Fraction(n)) for n in ("0.3", "1", "1.01", "2.5", "999", "1/30")] == [
        Fraction("0.5"), 1, 2, 5, 1000, Fraction("0.05"),
    ]  # fmt: skip


@seeds(200)
def test_every_proposal_builds_and_does_not_depend_on_the_order(seed):
    rng = random.Random(seed)
    draw = rng.choice([
        lambda: str(rng.randint(-50, 150)), lambda: f"{rng.gauss(0, 10.0 ** rng.randint(-6, 9)):.4g}",
        lambda: f"{rng.randint(1, 9999):04}-{rng.randint(1, 12):02}-{rng.randint(1, 29):02}",
        lambda: f"{rng.randint(0, 99999):05}", lambda: rng.choice("ABC") + f"{rng.randint(0, 99):02}.{rng.randint(0, 9)}",
    ])  # fmt: skip
    odd = ["NA", "?", "", "nan", "inf", "0000-00-00", "-1", "5-9", "free text", "90+", "2021", "1*"]
    values = list({draw() for _ in range(rng.randint(1, 60))} | set(rng.sample(odd, rng.randint(0, 3))))
    proposal = propose(rng.choice(["x", "age", "zip"]), values)
    if proposal.spec is not None:
        assert len(Hierarchy(lines=proposal.spec.lines(values, complete=True)).lines) == len(values)
    rng.shuffle(values)
    assert propose(proposal.column, values).spec == proposal.spec
