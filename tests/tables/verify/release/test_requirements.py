"""The recount of requirements, by key and for a stranger, against the definitions on plain rows."""

import random
import sys
from collections import defaultdict
from fractions import Fraction

import numpy as np
import pandas as pd
import pyarrow as pa
import pytest

import incrowd
from incrowd import InputError, LDiversity, PolicyError, TCloseness, registry
from incrowd.errors import OurBug
from incrowd.tables.models.alpha_k import AlphaK
from incrowd.tables.models.beta_likeness import BetaLikeness
from incrowd.tables.models.delta_disclosure import DeltaDisclosure
from incrowd.tables.models.joint import JointlyDiverse
from incrowd.tables.models.p_sensitive import PSensitive
from incrowd.tables.models.requirement import ColumnRequirement
from oracles import sensitive as plain
from seeds import seeds

NAMES = ("q0", "q1", "s0", "s1")
# Liang and Yuan, Table 1: digits of zip code and age, education; disease
PATIENTS = [
    "98765 38 B v", "98654 39 D h", "98543 32 M h", "97654 65 B c", "96689 45 B v",
    "97427 33 B v", "96552 54 B h", "97017 69 D c", "97023 55 M c", "97009 62 B c",
]  # fmt: skip
QUASI = [f"q{j}" for j in range(8)]


def patients():
    rows = []
    for line in PATIENTS:
        code, age, school, disease = line.split()
        rows.append([*code, *age, school, disease])
    return pd.DataFrame(rows, columns=[*QUASI, "disease"])


def starred(table, groups):
    """The release of a partition (numbers from 1): a star wherever a group's rows differ."""
    released = table.copy()
    for group in groups:
        rows = [i - 1 for i in group]
        for name in QUASI:
            if table.loc[rows, name].nunique() > 1:
                released.loc[rows, name] = "*"
    return released


def cost(released):
    return int((released[QUASI] == "*").to_numpy().sum())


def broken(found):
    return [(v.rule, v.count) for v in found]


@pytest.mark.few(1)
@pytest.mark.parametrize(
    ("groups", "loss", "asked", "further"),
    [
        ([(1, 2, 3), (4, 5, 6, 7), (8, 9, 10)], 54, {"k": 3}, {"l": 2}),
        ([(1, 2), (3, 5, 8, 9), (4, 6), (7, 10)], 60, {"k": 2, "l": 2}, {"t": "0.39"}),
        ([(1, 2, 4), (3, 5, 8, 9), (6, 7, 10)], 67, {"k": 3, "t": "0.1"}, {"t": "0.06"}),
    ],
)  # fmt: skip
def test_the_partitions_of_liang_and_yuan_meet_what_they_show_and_no_more(groups, loss, asked, further):
    table = patients()
    released = starred(table, groups)
    assert cost(released) == loss
    said = {"quasi_identifiers": QUASI, "sensitive": ["disease"], "k": 1}
    assert incrowd.verify(table, released, **{**said, **asked}) == []
    assert incrowd.verify(table, released, **{**said, **asked, **further}) != []


def test_the_01_close_partition_reaches_exactly_one_tenth():
    """Two of its groups show the same and are one class of the release, closer still."""
    table = [row.split()[3] for row in PATIENTS]
    domain, kind = plain.domain_of([(disease,) for disease in table])
    requirement = TCloseness(0.1, "s0").bind(domain)
    group = np.array([0, 0, 1, 0, 1, 2, 2, 1, 1, 2])
    assert requirement.reached(group, kind, np.ones(10, np.int64), 3) == Fraction(1, 10)
    assert requirement.meets(group, kind, np.ones(10, np.int64), 3).all()
    equal = plain.ground("equal", table)
    each = [plain.moved([table[i - 1] for i in group], table, equal) for group in ((1, 2, 4), (3, 5, 8, 9), (6, 7, 10))]
    assert each == [Fraction(1, 15), Fraction(1, 10), Fraction(1, 15)]


def drawn(seed):
    rng = random.Random(seed)
    n = rng.randrange(4, 30)
    rows = [
        (rng.choice("ab"), rng.choice("xyz"), rng.choice(["1", "2", "3", None]), rng.choice("uv")) for _ in range(n)
    ]
    # released cells: stars at random, so that classes form that no solver would make
    shown = [(rng.choice([a, "*"]), rng.choice([b, "*"]), s, t) for a, b, s, t in rows]
    return rng, rows, shown


@seeds(15, 2)
def test_violations_name_model_and_column_and_count_the_failing_classes(seed):
    rng, rows, shown = drawn(seed)
    classes = defaultdict(list)
    for a, b, s, t in shown:
        classes[a, b].append((s, t))
    least, t = Fraction(rng.randrange(2, 6), 2), Fraction(rng.randrange(0, 11), 10)
    models = [LDiversity(least, "s0"), TCloseness(t, "s1"), LDiversity(2, columns=["s0", "s1"], kind="joint")]
    equal, table = plain.ground("equal", [r[3] for r in rows]), [r[3] for r in rows]
    met = [
        lambda some: plain.frequency([a for a, _ in some], least),
        lambda some: plain.moved([b for _, b in some], table, equal) <= t,
        lambda some: plain.joint([(a or "", b) for a, b in some], 2),
    ]
    expected = {}
    for model, definition in zip(models, met, strict=True):
        low = [some for some in classes.values() if not definition(some)]
        if low:
            expected[model.rule] = (len(low), min(map(len, low)))
    original = pa.table([pa.array(c) for c in zip(*rows, strict=True)], names=NAMES)
    mixed = list(shown)
    rng.shuffle(mixed)
    released = pa.table([pa.array(c) for c in zip(*mixed, strict=True)], names=NAMES)
    found = incrowd.verify(original, released, quasi_identifiers=["q0", "q1"], k=1, require=models)
    assert {v.rule: (v.count, v.example_group_size) for v in found} == expected
    audited = incrowd.audit(released, quasi_identifiers=["q0", "q1"], k=1, require=models)
    failing = {(m["name"], m["column"]): m["failing_classes"] for m in audited.models if m["asked"] is not None}
    for model in models:
        name = (model.name, ", ".join(model.judged))
        assert failing[name] == expected.get(model.rule, (0,))[0]


@pytest.mark.parametrize("outliers", ["forbid", "suppress"])
def test_fully_suppressed_rows_are_judged_under_either_rule(outliers):
    original = pd.DataFrame({"q0": list("aabc"), "s0": list("xyxx")})
    released = pd.DataFrame({"q0": ["a", "a", "*", "*"], "s0": list("xyxx")})
    found = incrowd.verify(original, released, qi=["q0"], k=2, l=2, sensitive=["s0"], outliers=outliers)
    assert broken(found) == [("l-diversity l=2 column=s0", 1)]


def test_a_changed_sensitive_value_fails_its_class_too():
    original = pd.DataFrame({"q0": list("aabb"), "s0": list("xyxy")})
    released = pd.DataFrame({"q0": list("aabb"), "s0": ["x", "new", "x", "y"]})
    found = incrowd.verify(original, released, qi=["q0"], k=2, t=1, sensitive=["s0"])
    assert ("t-closeness t=1 column=s0", 1) in broken(found)


def test_missing_values_and_typed_columns_are_values_like_others():
    original = pd.DataFrame({"q0": list("aabb"), "s0": [1.5, None, None, 1.5]})
    assert incrowd.verify(original, original, qi=["q0"], k=2, l=2, t=0, sensitive=["s0"]) == []
    with pytest.raises(PolicyError, match="column 's0' has missing values"):
        incrowd.verify(original, original, qi=["q0"], k=2, t=0, sensitive=["s0"], sensitive_distance="s0=ordered")


def test_the_release_it_makes_passes_both_checks_and_tells_what_is_reached():
    table = patients()
    release = incrowd.anonymize(
        table, quasi_identifiers=QUASI, sensitive=["disease"], k=2, l=2, t=0.3, solver="greedy", time_limit=0
    )
    asked = {"quasi_identifiers": QUASI, "sensitive": ["disease"], "k": 2, "l": 2, "t": 0.3}
    assert incrowd.verify(table, release.table, **asked) == []
    told = {line["rule"]: line["reached"] for line in release.facts["requirements"]}
    assert told["l-diversity l=2 column=disease"] >= 2
    assert told["t-closeness t=0.3 column=disease"] <= 0.3


def test_a_bad_question_is_refused_before_anything_is_written(tmp_path):
    table = pd.DataFrame({"q0": list("aabb"), "s0": list("xyxy")})
    with pytest.raises(PolicyError, match="are no numbers"):
        incrowd.anonymize(
            table, qi=["q0"], sensitive=["s0"], k=2, t=0.5, sensitive_distance={"s0": "numeric"},
            output=tmp_path / "out.csv",
        )  # fmt: skip
    assert not list(tmp_path.iterdir())
    with pytest.raises(InputError, match="k=9 is more than"):
        incrowd.anonymize(table, qi=["q0"], sensitive=["s0"], k=9, t=0.5)


# Of every model one that asks for exactly what the classes below reach, and one that asks for a hair more.
ILL = ["a a b b c d", "a b b c d d"]
EDGES = {
    "l-diversity": [
        (LDiversity(3, "s0"), LDiversity("3.0000000001", "s0")),
        (LDiversity(4, "s0", "distinct"), LDiversity(5, "s0", "distinct")),
        (LDiversity("3.7797631496846", "s0", "entropy"), LDiversity("3.77977", "s0", "entropy")),
        (LDiversity(2, "s0", "recursive", c=1), LDiversity(3, "s0", "recursive", c=1)),
        (LDiversity(4, kind="joint", columns=("s0", "s1")), LDiversity(5, kind="joint", columns=("s0", "s1"))),
    ],
    "t-closeness": [
        (TCloseness("1/12", "s0"), TCloseness("0.083333333333333333333", "s0")),
        (TCloseness("1/12", "s0", "ordered"), TCloseness("0.0833333333", "s0", "ordered")),
    ],
    "p-sensitive": [(PSensitive(4, "s0"), PSensitive(5, "s0"))],
    "alpha-k": [(AlphaK("1/3", "s0"), AlphaK("0.3333333333333333", "s0"))],
    "beta-likeness": [
        (BetaLikeness("1/3", "s0"), BetaLikeness("0.3333333333333333", "s0")),
        (BetaLikeness("1/3", "s0", enhanced=True), BetaLikeness("0.3333333333333333", "s0", enhanced=True)),
    ],
    "delta-disclosure": [(DeltaDisclosure("0.405466", "s0"), DeltaDisclosure("0.405464", "s0"))],
}


def two_classes():
    """Released as it is: classes of six rows, s0 and s1 equal."""
    lines = [(q, s, s) for q, values in zip("xy", ILL, strict=True) for s in values.split()]
    return pd.DataFrame(lines, columns=["q0", "s0", "s1"])


def asked_of(*models):
    judged = sorted({column for model in models for column in model.judged})
    return {"quasi_identifiers": ["q0"], "sensitive": judged, "k": 2, "require": list(models)}


def test_what_is_reached_at_the_very_edge_passes_and_a_hair_more_is_refused_whatever_the_models_say(monkeypatch):
    assert set(registry.names("models")) - {"k-anonymity"} == set(EDGES)
    table = two_classes()
    met, unmet = zip(*(pair for listed in EDGES.values() for pair in listed), strict=True)
    assert incrowd.verify(table, table, **asked_of(*met)) == []
    refused = incrowd.verify(table, table, **asked_of(*unmet))
    assert sorted(v.rule for v in refused) == sorted(model.rule for model in unmet)
    believe_everything(monkeypatch)
    assert incrowd.verify(table, table, **asked_of(*met)) == []
    assert broken(incrowd.verify(table, table, **asked_of(*unmet))) == broken(refused)


def believe_everything(monkeypatch):
    """Every model binds to a requirement that finds every class good."""
    for kind in (ColumnRequirement, JointlyDiverse):
        monkeypatch.setattr(kind, "meets", lambda self, group, rows, count, groups: np.ones(groups, np.bool_))
        monkeypatch.setattr(kind, "reached", lambda self, group, rows, count, groups: 10**6)
    for name in EDGES:
        for requirement in requirements_of(registry.load("models", name)):
            if hasattr(requirement, "judge"):
                monkeypatch.setattr(requirement, "judge", lambda self, counted: np.ones(counted.groups, np.bool_))


def requirements_of(model):
    """The classes that a model's edges bind to."""
    domain, _ = plain.domain_of([(value, value) for value in "abcd"])
    return {type(one.bind(domain)) for pair in EDGES[model.name] for one in pair}


@pytest.mark.few(3)
@pytest.mark.parametrize("name", [name for name in registry.names("models") if name != "k-anonymity"])
def test_a_model_that_finds_everything_good_is_found_out_before_anything_is_written(name, monkeypatch, tmp_path):
    # k alone is met by the rows as they are, the model only by fewer classes
    table = pd.DataFrame({"q0": list("aabb"), "s0": ["flu", "flu", "hiv", "hiv"], "s1": ["flu", "flu", "hiv", "hiv"]})
    model = {
        "l-diversity": LDiversity(2, "s0"), "t-closeness": TCloseness("0.1", "s0"), "p-sensitive": PSensitive(2, "s0"),
        "alpha-k": AlphaK("1/2", "s0"), "beta-likeness": BetaLikeness("1/2", "s0"),
        "delta-disclosure": DeltaDisclosure("1/2", "s0"),
    }[name]  # fmt: skip
    believe_everything(monkeypatch)
    with pytest.raises(OurBug, match="refused the release"):
        incrowd.anonymize(table, **asked_of(model), solver="greedy", output=tmp_path / "out.csv")
    assert not list(tmp_path.iterdir())
    assert broken(incrowd.verify(table, table, **asked_of(model))) == [(model.rule, 2)]


def test_a_model_that_the_check_has_no_reading_of_is_refused_by_name_and_never_believed(monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "incrowd.tables.verify.requirements.p_sensitive", None)
    table = two_classes()
    with pytest.raises(PolicyError, match="model 'p-sensitive' cannot be verified") as refused:
        incrowd.anonymize(table, **asked_of(PSensitive(2, "s0")), solver="greedy", output=tmp_path / "out.csv")
    assert refused.value.exit_status == 2
    assert not list(tmp_path.iterdir())
    with pytest.raises(PolicyError, match="cannot be verified"):
        incrowd.verify(table, table, **asked_of(PSensitive(2, "s0")))
