"""What an audit measures of the models about sensitive values: by definition, and beside another tool."""

import random
from fractions import Fraction

import pytest

import incrowd
from oracles import sensitive as plain
from seeds import seeds

pd = pytest.importorskip("pandas")
QUASI = ["q0", "q1"]

# pycanon 1.3.6 in an environment of its own (it pins older numpy, pandas and scipy), on `measured` below
PYCANON = {
    "s0": {
        "k": 4, "alpha": 0.6363636363636364, "distinct": 2, "entropy": 1, "t": 0.26666666666666666, "beta": 0.875,
        "enhanced": 0.875, "delta": 0.9808292530117262,
    },
    "s1": {
        "k": 4, "alpha": 0.75, "distinct": 2, "entropy": 1, "t": 0.11944444444444446, "beta": 0.8181818181818181,
        "enhanced": 0.8181818181818181, "delta": 0.6286086594223742,
    },
}  # fmt: skip


def measured():
    rng = random.Random(7)
    rows = [
        (rng.choice("ab"), rng.choice("xyz"), rng.choice(["flu", "flu", "cold", "ulcer"]), rng.choice([1, 1, 2, 5]))
        for _ in range(60)
    ]
    return pd.DataFrame(rows, columns=[*QUASI, "s0", "s1"])


def told(frame, column):
    found = incrowd.audit(frame, quasi_identifiers=QUASI, sensitive=["s0", "s1"])
    return found, {
        (line["name"], *line["settings"].values()): line["reached"] for line in found.models if line["column"] == column
    }


def agree_with_pycanon(frame, numbers, column):
    found, ours = told(frame, column)
    assert found.k == numbers["k"]
    assert ours["l-diversity", "distinct"] == ours["p-sensitive",] == numbers["distinct"]
    # pycanon cuts exp(entropy) down to the whole number below, one more down where it is whole
    assert numbers["entropy"] <= ours["l-diversity", "entropy"] <= numbers["entropy"] + 1
    # pycanon takes numbers by rank
    distance = ("t-closeness",) if column == "s0" else ("t-closeness", "ordered")
    assert ours[distance] == pytest.approx(numbers["t"])
    assert ours["alpha-k",] == pytest.approx(numbers["alpha"])
    assert ours["l-diversity",] == pytest.approx(1 / numbers["alpha"])
    assert ours["beta-likeness",] == pytest.approx(numbers["beta"])
    assert ours["delta-disclosure",] == pytest.approx(numbers["delta"])
    # not the same number: pycanon takes min(largest gain, -ln of the least share)
    assert numbers["enhanced"] <= numbers["beta"]


@pytest.mark.parametrize("column", ["s0", "s1"])
def test_the_models_reach_what_pycanon_measured(column):
    agree_with_pycanon(measured(), PYCANON[column], column)


@seeds(5)
def test_the_models_reach_what_pycanon_measures(seed):
    pycanon = pytest.importorskip(
        "pycanon.anonymity", reason="pycanon is not installed: it pins older numpy and pandas"
    )
    rng = random.Random(seed)
    rows = [(rng.choice("ab"), rng.choice("xy"), rng.choice("uvw"), rng.randrange(4)) for _ in range(80)]
    frame = pd.DataFrame(rows, columns=[*QUASI, "s0", "s1"])
    for column in ("s0", "s1"):
        numbers = {
            "k": pycanon.k_anonymity(frame, QUASI),
            "alpha": pycanon.alpha_k_anonymity(frame, QUASI, [column])[0],
            "distinct": pycanon.l_diversity(frame, QUASI, [column]),
            "entropy": pycanon.entropy_l_diversity(frame, QUASI, [column]),
            "t": pycanon.t_closeness(frame, QUASI, [column]),
            "beta": pycanon.basic_beta_likeness(frame, QUASI, [column]),
            "enhanced": pycanon.enhanced_beta_likeness(frame, QUASI, [column]),
            "delta": pycanon.delta_disclosure(frame, QUASI, [column]),
        }
        agree_with_pycanon(frame, numbers, column)


@pytest.mark.parametrize("outliers", ["forbid", "suppress"])
@seeds(6, few=2)
def test_failing_classes_are_counted_as_the_definitions_say(seed, outliers):
    rng = random.Random(seed)
    rows = [(rng.choice("ab*"), rng.choice("xy*"), rng.choice(["u", "v", None]), rng.choice("mno")) for _ in range(40)]
    frame = pd.DataFrame(rows, columns=[*QUASI, "s0", "s1"])
    classes = {}
    for a, b, s, t in rows:
        classes.setdefault((a, b), []).append((s, t))
    asked = ["l-diversity l=2 column=s0", "l-diversity l=2 columns=s0,s1 kind=joint", "t-closeness t=0.3 column=s1"]
    equal, table = plain.ground("equal", [row[3] for row in rows]), [row[3] for row in rows]
    definitions = [
        lambda some: plain.frequency([s for s, _ in some], 2),
        lambda some: plain.joint([(s or "", t) for s, t in some], 2),
        lambda some: plain.moved([t for _, t in some], table, equal) <= Fraction(3, 10),
    ]
    found = incrowd.audit(frame, quasi_identifiers=QUASI, require=asked, outliers=outliers)
    lines = [line for line in found.models if line["asked"] is not None]
    expected = []
    for definition in definitions:
        low = [some for some in classes.values() if not definition(some)]
        expected.append((len(low), sum(map(len, low)), not low))
    by_rule = {(line["name"], line["column"]): line for line in lines}
    names = [("l-diversity", "s0"), ("l-diversity", "s0, s1"), ("t-closeness", "s1")]
    assert [
        (by_rule[n]["failing_classes"], by_rule[n]["failing_rows"], by_rule[n]["ok"]) for n in names
    ] == expected  # fmt: skip
    assert found.ok == all(ok for *_, ok in expected)
