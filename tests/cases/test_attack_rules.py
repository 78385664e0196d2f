"""What each rule of an attack excludes, of releases of two columns of stars that are counted by hand."""

from __future__ import annotations

import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import InputError

SHOWN = [(0, 0)] * 2  # a class that shows everything
COVER = [*SHOWN, (0, 1), (0, 1), *[(None, None)] * 3]  # who has 0 in the first column has 0 or 1 in the second
PLACE = [(0, None)] * 2 + [(None, 0)] * 3 + [(None, None)] * 2
JOIN = [(1, None)] * 2 + [(None, 0)] * 2 + [(None, None)] * 2


def found(rows, sizes, *, k=2, weights=(1, 1), slack=0, settled=None, knows=None, ill=None, closed=True, **how):
    """Attack a release of columns a and b, their values 0, 1, ..., with the facts of its own cost and a bound below it."""
    table = {name: ["*" if row[j] is None else str(row[j]) for row in rows] for j, name in enumerate("ab")}
    cost = sum(weight * cells.count("*") for weight, cells in zip(weights, table.values(), strict=True))
    policy = {"quasi_identifiers": ["a", "b"], "k": k, "weights": dict(zip("ab", weights, strict=True)), **how}
    if ill is not None:
        table["ill"] = list(ill)
        policy |= {"sensitive": ["ill"], "require": ["l-diversity l=2 column=ill kind=distinct"]}
    facts = {"k": k, "quasi_identifiers": ["a", "b"], "cost": cost, "lower_bound": cost - slack}
    facts |= {"optimal": not slack} | ({} if settled is None else {"settled": settled})
    domains = {name: [str(v) for v in range(size)] for name, size in zip("ab", sizes, strict=True)}
    more = {"facts": facts} if knows is None else {"knows": knows}
    attack = incrowd.attack(pa.table(table), **policy, **more, **({"domains": domains} if closed else {}))
    said = " ".join(attack.summary().split())
    assert ("contradicts that it is settled" in said) == attack.contradicted
    assert ("A cheaper release exists" in said) == (attack.bound_contradicted and not attack.contradicted)
    return attack


def by_rule(attack):
    return {one["rule"]: one["excluded"] for one in attack.rules if one["excluded"]}


BOTH = lambda cells: {"single_rows": cells, "combinations": cells}
# release, values of the columns, what is asked, cells excluded by rule (by a premise that is assumed too), for certain if fewer
CASES = {
    "a class larger than k can be left": ([*SHOWN, *[(0, None)] * 3], (2, 3), {}, BOTH(3)),
    "a class of k cannot": ([*SHOWN, *[(0, None)] * 2], (2, 3), {}, {}),
    "a class that differs elsewhere says nothing": ([(1, 0), (1, 0), *[(0, None)] * 3], (2, 3), {}, {}),
    "an outlier needs no crowd": ([(0, None)] * 2 + [(None, None)], (2, 2), {"outliers": "suppress"}, BOTH(1)),
    "where outliers are forbidden it does": ([(0, None)] * 2 + [(None, None)] * 2, (2, 2), {}, {}),
    "a column of weight 0 is no reason": ([*SHOWN, *[(0, None)] * 3], (2, 3), {"weights": (1, 0)}, {}),
    "a cheaper class may hide another column": ([(None, 0)] * 2 + [(0, None)] * 3, (2, 3), {"weights": (1, 3)}, BOTH(3)),
    "one that is as dear may not": ([(None, 0)] * 2 + [(0, None)] * 3, (2, 3), {}, {}),
    "what is required of both classes is kept": ([*SHOWN, *[(0, None)] * 3], (2, 3), {"ill": "abaab"}, BOTH(2)),
    "classes cover a value together": (COVER, (2, 2), {}, {"combinations": 3}),
    "not where values may be unknown": (COVER, (2, 2), {"closed": False}, {}),
    "by the bound a move saves more than the gap": ([*SHOWN, *[(0, None)] * 3], (2, 3), {"weights": (1, 3), "slack": 2}, {**BOTH(3), "single_rows_by_bound": 3}),
    "or it says nothing for certain": ([*SHOWN, *[(0, None)] * 3], (2, 3), {"weights": (1, 3), "slack": 3}, BOTH(3), 0),
    "a row of a larger class takes the place": (PLACE, (2, 2), {"weights": (5, 1)}, {**BOTH(3), "replaced_rows": 2}, 5),
    "where that saves more than the gap": (PLACE, (2, 2), {"weights": (5, 1), "slack": 3}, {**BOTH(3), "single_rows_by_bound": 3, "replaced_rows": 2}, 5),
    "and not else": (PLACE, (2, 2), {"weights": (5, 1), "slack": 4}, BOTH(3), 0),
    "without such a row nothing follows": ([(0, None)] * 2 + [(None, 0)] * 2 + [(None, None)] * 2, (2, 2), {}, {}),
    "those left behind join what shows less": (JOIN, (3, 3), {"weights": (5, 1)}, {"replaced_rows": 2}),
}  # fmt: skip


@pytest.mark.parametrize("case", CASES)
def test_a_rule_excludes_what_its_proof_says(case):
    rows, sizes, how, excluded, *certain = CASES[case]
    attack = found(rows, sizes, settled="slack" not in how, **how)
    assert by_rule(attack) == excluded
    assert [attack.excluded_cells] == (certain or [max(excluded.values(), default=0)])


INSIDERS = {
    "the other of a pair has another value": ([(0, None)] * 2, (2, 2), {}, (2, 2, 0)),
    "of three values it is one of two": ([(0, None)] * 2, (2, 3), {}, (2, 0, 0)),
    "or one that no class shows": ([(0, None)] * 2, (2, 2), {"closed": False}, (2, 0, 0)),
    "in a larger class it takes all others": ([(0, None)] * 3, (2, 2), {}, (0, 0, 0)),
    "columns that go together tell of both": ([(None, None)] * 2, (2, 2), {"mask": {"together": [["a", "b"]]}}, (0, 0, 1)),
    "what a mask allows is lowered": ([(None, None)] * 2, (2, 2), {"mask": {"patterns": [["a"]]}}, (2, 2, 0)),
    "a star that costs nothing is no reason to lower": ([(None, None)] * 2, (2, 2), {"weights": (0, 1)}, (2, 2, 0)),
}  # fmt: skip


@pytest.mark.parametrize("case", INSIDERS)
def test_members_of_a_class_learn_of_one_another(case):
    rows, sizes, how, told = INSIDERS[case]
    insiders = found(rows, sizes, **how).insiders
    assert (insiders["cells"], insiders["determined"], insiders["together"]) == told
    by_all_others = [(one["size"], one["cells"], one["determined"]) for one in insiders["by_size"] if one["size"] > 2]
    assert by_all_others == ([(3, 3, 3)] if len(rows) == 3 else [])


def test_a_release_that_contradicts_its_premises_gives_nothing_away():
    # the second class could show all its rows in the first: the value 0 is the only one
    rows, sizes = [*SHOWN, *[(0, None)] * 3], (2, 1)
    attack = found(rows, sizes, knows=["policy", "bound", "cost", "settled"])
    assert (attack.facts["contradicted"], attack.premises["settled"], attack.premises["bound"]) == (True, "no", "no")
    assert (attack.claimed_cells, attack.excluded_cells, attack.insiders["cells"]) == (0, 0, 0)
    with pytest.raises(InputError, match="facts are of another release"):
        found(rows, sizes)
    # one of the pair of (0, *) fits (0, 0) for certain, the other (*, *): a cheaper release exists
    attack = found([*SHOWN, *[(0, None)] * 2, *[(None, None)] * 2], sizes, weights=(1, 5), knows=["policy", "bound", "cost", "settled"])  # fmt: skip
    assert (attack.facts["contradicted"], attack.facts["bound_contradicted"]) == (False, True)
    assert (attack.premises["settled"], attack.premises["bound"]) == ("assumed", "no")


BROKEN = {
    "k": ([(0, 0)] * 2 + [(1, None)], {}, {"k": 1}),
    "mask": ([(0, 0)] * 2 + [(1, None)] * 2, {"mask": {"patterns": [["a", "b"]]}}, {"mask": 2}),
    "suppression_limit": ([(0, 0)] * 2 + [(None, None)], {"outliers": "suppress", "suppression_limit": 0}, {"suppression_limit": 1}),
    "l-diversity l=2 column=ill kind=distinct": ([(0, 0)] * 2 + [(1, 1)] * 2, {"ill": "abaa"}, {"l-diversity l=2 column=ill kind=distinct": 1}),
}  # fmt: skip


@pytest.mark.parametrize("rule", BROKEN)
def test_classes_that_break_the_policy_are_counted(rule):
    rows, how, broken = BROKEN[rule]
    attack = found(rows, (2, 2), **how)
    assert {one["rule"]: one["classes"] for one in attack.facts["broken"]} == broken
    assert attack.premises["valid"] == "no"
    assert f"nothing is inferred: {next(iter(broken))} (" in " ".join(attack.summary().split())


def test_what_a_summary_says_a_release_gives_away_is_what_single_rows_claim():
    told = 0
    for n in range(2):
        rows = [((i * i + n) % 5, (i // 2 + i * n) % 4, i % 3) for i in range(26)]
        table = pa.table({name: [str(row[j]) for row in rows] for j, name in enumerate("abc")})
        release = incrowd.anonymize(table, quasi_identifiers=["a", "b", "c"], k=2 + n % 2, solver="greedy")
        attack = incrowd.attack(release.table, policy=release.job)
        single = next(one["excluded"] for one in attack.rules if one["rule"] == "single_rows")
        assert release.facts["gives_away"]["cells"] == single
        told += single
    assert told
