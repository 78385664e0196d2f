"""What an audit says of a table as it is: by every model's definition, class by class, and by pairs of rows."""

from __future__ import annotations

import itertools
import tempfile
from collections import Counter, defaultdict
from fractions import Fraction

import pyarrow as pa
import pytest

import incrowd
from oracle.rules import test_of as rule_of
from oracle.tables import drawn
from properties.asking import table_of
from seeds import how_many, seeds

TREE = "p/x/all q/x/all r/y/all"
ASKED = {  # rule: the setting that says how strict it is, and whether more of it is stricter
    "l-diversity l=2 column=s": ("l", True),
    "l-diversity l=2 column=s kind=distinct": ("l", True),
    "l-diversity l=3/2 column=v kind=entropy": ("l", True),
    "l-diversity l=2 c=2 column=v kind=recursive": (None, True),
    "l-diversity l=2 columns=s,v kind=joint": ("l", True),
    "t-closeness t=0.4 column=s": ("t", False),
    "t-closeness t=0.3 column=v distance=numeric": ("t", False),
    "t-closeness t=0.3 column=v distance=ordered": ("t", False),
    "t-closeness t=0.3 column=s distance=ordered order=r,p,q": ("t", False),
    "t-closeness t=0.4 column=s distance=hierarchical": ("t", False),
    "t-closeness t=0.5 column=s distance=matrix": ("t", False),
    "p-sensitive p=2 column=v": ("p", True),
    "alpha-k alpha=0.6 column=s": ("alpha", False),
    "beta-likeness beta=1 column=s": ("beta", False),
    "beta-likeness beta=3 column=v enhanced=true": (None, False),
    "delta-disclosure delta=1.1 column=s": ("delta", False),
}
MATRIX = "0,1/2,1;1/2,0,2/3;1,2/3,0"


def as_asked(text):
    """A rule as the library takes it, and in the words that the oracle reads."""
    if "hierarchical" in text:
        with tempfile.NamedTemporaryFile("w", suffix=".csv") as file:  # as the check reads one: tabs before commas
            print(*TREE.replace("/", "\t").split(" "), sep="\n", file=file, flush=True)
            model = incrowd.TCloseness(t="0.4", column="s", distance="hierarchical", hierarchy=file.name)
        return model, f'{text} "lines={TREE}"'
    if "matrix" in text:
        rows = [line.split(",") for line in MATRIX.split(";")]
        model = incrowd.TCloseness(t="0.5", column="s", distance=rows, order=["p", "q", "r"])
        return model, f'{text} order=p,q,r "rows={MATRIX}"'
    return text, text


def table(seed):
    every = (drawn(f"audit {seed} {turn}", rows=(12, 30), copies=0.6) for turn in itertools.count())
    return next(asked for asked in every if {row[3] for row in asked.rows} == set("pqr"))


@seeds(40, 1)
def test_models_are_judged_and_measured_by_their_definitions(seed):
    asked, told = table(seed), [as_asked(text) for text in ASKED]
    found = incrowd.audit(
        table_of(asked), quasi_identifiers=asked.quasi, sensitive=["s", "v"], require=[model for model, _ in told], k=2
    )
    classes = defaultdict(list)
    for cells, row in zip(asked.cells, asked.told, strict=True):
        classes[cells].append(row)
    assert found.k == min(map(len, classes.values()))
    judged = [one for one in found.models if one["asked"] is not None and one["column"]]
    for line, text, (_, words) in zip(judged, ASKED, told, strict=True):
        assert line["name"] == text.split()[0]
        setting, more = ASKED[text]
        meets = rule_of(words, asked.told)
        fails = [rows for rows in classes.values() if not meets(rows)]
        assert line["ok"] == (not fails)
        assert line["failing_classes"] == len(fails)
        assert line["failing_rows"] == sum(map(len, fails))
        if setting is None or line["reached"] is None:
            continue
        reached = Fraction(line.get("reached_exact") or Fraction(line["reached"]).limit_denominator(10**9))
        asked_of = words.split(f"{setting}=")[1].split()[0]

        def holds(value, before=f"{setting}={asked_of}", setting=setting, words=words):
            said = words.replace(before, f"{setting}={value}", 1)
            return all(map(rule_of(said, asked.told), classes.values()))

        near = Fraction(1, 10**4)
        whole = "distinct" in text or "joint" in text or setting == "p"
        assert holds(reached if whole else reached - near if more else reached + near)
        assert not holds(reached + (1 if whole else near if more else -near)) or (not more and reached <= near)


def test_columns_and_risks_are_counted_by_rows_and_pairs():
    for seed in range(how_many(40, 2)):
        asked = drawn(f"columns {seed}", rows=(6, 25), copies=0.4, nulls=seed % 2 == 1)
        found = incrowd.audit(table_of(asked), quasi_identifiers=asked.quasi, sensitive=["s", "v"])
        n, sizes = len(asked.rows), Counter(asked.cells)
        assert (found.rows, found.k, found.unique_rows) == (n, min(sizes.values()), sum(x == 1 for x in sizes.values()))
        assert found.classes["count"] == len(sizes)
        assert found.classes["max"] == max(sizes.values())
        assert found.unique_fraction == pytest.approx(found.unique_rows / n)
        assert found.risks["prosecutor"] == pytest.approx(1 / min(sizes.values()))
        assert found.risks["marketer"] == pytest.approx(len(sizes) / n)
        for j, line in enumerate(found.columns):
            cells = [row[j] for row in asked.cells]
            assert line["missing"] == cells.count(None)
            assert line["distinct"] == len(set(cells))
            assert line["alone_unique"] == sum(x == 1 for x in Counter(cells).values())
            assert line["distinction"] == pytest.approx(len(set(cells)) / n)
            apart = sum(a != b for a, b in itertools.combinations(cells, 2))
            assert line["separation"] == pytest.approx(apart / (n * (n - 1) / 2))
            without = Counter(row[:j] + row[j + 1 :] for row in asked.cells)
            assert line["unique_without"] == sum(x == 1 for x in without.values())


def worst(mine, rest, **settings):
    """How far the farther of two classes is from the table."""
    table = pa.table({"a": ["x"] * len(mine) + ["y"] * len(rest), "s": [*mine, *rest]})
    found = incrowd.audit(table, quasi_identifiers=["a"], require=[incrowd.TCloseness(1, "s", **settings)])
    told = next(one for one in found.models if one["asked"] is not None)
    return Fraction(str(told.get("reached_exact") or told["reached"]))


@pytest.mark.parametrize(
    ("mine", "rest", "settings", "far"),
    [
        (["2"], ["10", "30"], {"distance": "ordered"}, "1/2"),
        (["2"], ["10", "b"], {"distance": "ordered"}, "1/3"),  # as text 10 comes first: 2 lies in the middle
        (["2"], ["10", "30"], {"distance": "numeric"}, "3/7"),
        (["1.0"], ["1", "3"], {"distance": "ordered"}, "1/3"),
        (["low"], ["high"], {"distance": "ordered", "order": ["low", "mid", "high"]}, "1/2"),
        (["low"], ["mid"], {"distance": "ordered", "order": ["low", "mid", "high"]}, "1/4"),
        (["7"], ["7"] * 4, {"distance": "numeric"}, "0"),
        (["7"], ["7"] * 4, {"distance": [[0]]}, "0"),
    ],
)
def test_how_far_values_are_goes_by_their_place_among_all(mine, rest, settings, far):
    assert worst(mine, rest, **settings) == Fraction(far)


@pytest.mark.parametrize("near", [Fraction(1, 2), Fraction(9, 10)])
def test_equation_5_of_liang_and_yuan_for_three_far_points_and_a_near_one(near):
    """Three points 1 apart and a fourth near to all: what has to cross to or from the fourth goes the short way."""
    matrix = [[0 if i == j else near if 3 in (i, j) else 1 for j in range(4)] for i in range(4)]
    table = Counter("12341234144")

    def far(rows):
        off = [Fraction(rows[v], rows.total()) - Fraction(table[v], 11) for v in "1234"]
        return sum(map(abs, off)) / 2 - (1 - near) * abs(off[3])

    for mine in sorted(set(itertools.combinations(sorted(table.elements()), 3)))[::5]:
        rest = table - Counter(mine)
        assert worst(mine, list(rest.elements()), distance=matrix) == max(far(Counter(mine)), far(rest))
