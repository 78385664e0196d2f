"""What a release gives away, from the table alone and beside its original."""

from __future__ import annotations

import json

import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import InputError, PolicyError

# three people whose second value is hidden, while the class that shows f there exists
ORIGINAL = pa.table({
    "age": ["31", "31", "31", "31", "31", "47", "47"],
    "sex": ["f", "f", "m", "x", "m", "m", "m"],
    "ill": ["flu", "cold", "cold", "flu", "cold", "flu", "cold"],
})  # fmt: skip
RELEASED = ORIGINAL.set_column(1, "sex", pa.array(["f", "f", "*", "*", "*", "m", "m"]))
WHO = {"quasi_identifiers": ["age", "sex"], "k": 2}
FACTS = {"k": 2, "quasi_identifiers": ["age", "sex"], "cost": 3, "lower_bound": 3, "optimal": True, "settled": True}


def test_what_the_premises_prove_is_excluded_and_what_they_assume_is_claimed():
    proven = incrowd.attack(RELEASED, facts=FACTS, **WHO)
    assert proven.premises == {"valid": "proven", "bound": "proven", "settled": "proven", "program": "assumed"}
    assert (proven.excluded_cells, proven.claimed_cells, proven.determined_cells) == (3, 0, 0)
    assumed = incrowd.attack(RELEASED, **WHO)
    assert (assumed.excluded_cells, assumed.claimed_cells) == (0, 3)
    assert incrowd.attack(RELEASED, knows=["policy"], **WHO).claimed_cells == 0
    unsettled = incrowd.attack(RELEASED, facts={**FACTS, "lower_bound": 1, "optimal": False, "settled": False}, **WHO)
    assert (unsettled.excluded_cells, unsettled.claimed_cells, unsettled.premises["settled"]) == (0, 3, "assumed")


def test_a_known_domain_determines(tmp_path):
    file = tmp_path / "sexes.txt"
    file.write_text("f\nm\n")
    for domain in (["f", "m"], str(file)):
        found = incrowd.attack(RELEASED, facts=FACTS, domains={"sex": domain}, **WHO)
        assert (found.determined_cells, found.facts["known_rows"]) == (3, 3)
        assert "3 hidden cells can be known for certain" in found.summary() + found.document().verdict.headline
    with pytest.raises(PolicyError, match="'ill', which is not among"):
        incrowd.attack(RELEASED, domains={"ill": ["flu"]}, **WHO)


def test_the_original_scores_and_changes_nothing():
    for how in ({"same_order": True}, {}):
        found = incrowd.attack(RELEASED, facts=FACTS, original=ORIGINAL, **how, **WHO)
        assert (found.excluded_cells, found.wrong, found.claimed_wrong) == (3, 0, 0)
        assert found.facts["pairing"] in ("order", "unique", "several")
    # another original of the same release, in which the claim is wrong for one row
    other = ORIGINAL.set_column(1, "sex", pa.array(["f", "f", "f", "x", "m", "m", "m"]))
    for how in ({"same_order": True}, {}):
        found = incrowd.attack(RELEASED, original=other, **how, **WHO)
        assert (found.claimed_cells, found.claimed_wrong, found.wrong) == (3, 1, 0)
        assert {one["rule"]: one["wrong"] for one in found.rules}["single_rows"] == 1


def test_where_rows_may_be_paired_in_several_ways_the_least_and_most_wrong_are_told():
    # 31, * has a row that shows f in one pairing and in another not: class (31, f) of two of three f
    original = pa.table({"age": ["31"] * 6, "sex": ["f", "f", "f", "m", "x", "m"]})
    released = pa.table({"age": ["31"] * 6, "sex": ["f", "f", "*", "*", "*", "*"]})
    found = incrowd.attack(released, original=original, **WHO)
    assert found.facts["pairing"] == "several"
    assert (found.facts["claimed_wrong"], found.facts["most_claimed_wrong"]) == (1, 1)


def test_a_release_that_breaks_its_policy_gives_no_inference():
    found = incrowd.attack(RELEASED, **{**WHO, "k": 3})
    assert found.premises["valid"] == "no"
    assert found.facts["broken"] == [{"rule": "k", "classes": 2}]
    assert (found.excluded_cells, found.claimed_cells, found.insiders["cells"]) == (0, 0, 0)
    assert "breaks its policy" in found.summary()


def test_what_is_of_another_release_is_refused():
    with pytest.raises(InputError, match="facts are of another release"):
        incrowd.attack(RELEASED, facts={**FACTS, "cost": 5}, **WHO)
    with pytest.raises(InputError, match="cannot have come from the row in the same place"):
        incrowd.attack(RELEASED, original=ORIGINAL.take([6, 5, 4, 3, 2, 1, 0]), same_order=True, **WHO)
    with pytest.raises(InputError, match="different numbers of rows"):
        incrowd.attack(RELEASED, original=ORIGINAL.slice(1), **WHO)
    with pytest.raises(InputError, match="no row of the original can have become"):
        incrowd.attack(RELEASED, original=ORIGINAL.set_column(0, "age", pa.array(["31"] * 7)), **WHO)
    with pytest.raises(InputError, match="no column 'town'"):
        incrowd.attack(RELEASED, quasi_identifiers=["age", "town"], k=2)
    with pytest.raises(PolicyError, match="name it as original"):
        incrowd.attack(RELEASED, same_order=True, **WHO)
    with pytest.raises(PolicyError, match="recoding=ranges is attacked by its labels"):
        incrowd.attack(RELEASED, recoding="ranges", numeric=["age"], original=ORIGINAL, **WHO)
    with pytest.raises(PolicyError, match="k is not given"):
        incrowd.attack(RELEASED, quasi_identifiers=["age"])


def test_hierarchies_that_do_not_fit_are_refused_without_a_cell():
    tree = incrowd.Hierarchy.from_tree({"any": ["f", "m"]})
    with pytest.raises(InputError, match="1 text that is neither a value nor a label") as said:
        incrowd.attack(RELEASED.set_column(1, "sex", pa.array(["secret"] * 7)), hierarchies={"sex": tree}, **WHO)
    assert "secret" not in str(said.value)


def test_missing_cells_are_stars_only_where_the_facts_say_so():
    null = RELEASED.set_column(1, "sex", pa.array(["f", "f", None, None, None, "m", "m"]))
    found = incrowd.attack(null, facts={**FACTS, "suppressed_cells": 3}, suppressed="null", **WHO)
    assert found.excluded_cells == 3
    with pytest.raises(InputError, match="nothing tells them apart"):
        incrowd.attack(null, facts={**FACTS, "suppressed_cells": 2}, suppressed="null", **WHO)
    assert "read as stars" in incrowd.attack(null, suppressed="null", **WHO).summary()


def test_a_release_of_labels_is_attacked_by_its_hierarchy():
    tree = incrowd.Hierarchy.from_tree({"AT": ["Graz", "Linz"], "DE": ["Bonn", "Ulm"]})
    table = pa.table({"town": ["Graz"] * 2 + ["Linz"] * 1 + ["Bonn"] * 2 + ["Ulm"] * 1 + ["Graz"] * 2})
    policy = {"quasi_identifiers": ["town"], "k": 2, "hierarchies": {"town": tree}}
    with incrowd.anonymize(table, **policy) as release:
        found = incrowd.attack(release, original=table)
    assert found.wrong == 0
    assert all(column["domain_known"] for column in found.facts["by_column"])
    assert found.facts["premises"]["settled"] == "proven"


def test_a_limit_of_no_time_is_told():
    found = incrowd.attack(RELEASED, facts=FACTS, time_limit=0, **WHO)
    assert not found.facts["complete"]
    assert "cut off" in found.summary()


def test_under_requirements_rows_are_told_apart_by_what_is_judged():
    with incrowd.anonymize(ORIGINAL.slice(0, 6), sensitive=["ill"], l=2, solver="exact", **WHO) as release:
        found = incrowd.attack(release, original=ORIGINAL.slice(0, 6))
        assert release.optimal
    assert found.wrong == 0


def test_the_answer_is_names_and_counts():
    found = incrowd.attack(RELEASED, facts=FACTS, original=ORIGINAL, **WHO)
    text = found.to_json() + found.summary() + repr(found)
    assert (
        not {"31", "flu", "cold", '"f"'} & set(json.dumps(json.loads(found.to_json())).split()) and "cold" not in text
    )


def test_a_release_of_one_recoding_is_attacked_at_its_vector():
    ages = ["20", "21", "22", "23"] * 2 + ["30", "31", "40"]
    table = pa.table({"age": ages, "sex": [*"ffmmffmm", *"fmd"]})
    how = {"quasi_identifiers": ["age", "sex"], "k": 2, "recoding": "global", "outliers": "suppress"}
    release = incrowd.anonymize(table, **how, suppression_limit="1/2")
    assert release.facts["suppressed_rows"] == 3
    found = incrowd.attack(release, domains={"sex": ["f", "m", "d"]}, original=table)
    assert (found.premises["bound"], found.wrong, found.facts["broken"]) == ("proven", 0, [])
    assert found.inferences.released.patterns.count() == 2
    mixed = pa.table({"age": ["20", "20", "21", "21"], "sex": ["f", "f", "*", "*"]})
    assert incrowd.attack(mixed, **how).facts["broken"] == [{"rule": "recoding", "classes": 1}]


def test_hierarchies_that_were_made_are_told_by_the_facts_or_the_policy():
    ages = ["31", "32", "33", "38", "47", "49", "52", "52"]
    table = pa.table({"age": ages, "sex": [*"ffmmffmm"]})
    how = {"quasi_identifiers": ["age", "sex"], "k": 2, "cost": "cells"}
    release = incrowd.anonymize(table, hierarchies="auto", **how)
    assert any("-" in cell for cell in release.table["age"].to_pylist())
    by_facts = incrowd.attack(release.table, hierarchies="auto", facts=release.facts, original=table, **how)
    assert (by_facts.premises["settled"], by_facts.wrong) == ("proven", None)
    assert "not counted" in by_facts.facts["notes"][-1]
    with pytest.raises(PolicyError, match="lists them as domains"):
        incrowd.attack(release, others=[release])
    assert by_facts.facts["hidden_cells"] == incrowd.attack(release).facts["hidden_cells"] > 0
    with pytest.raises(InputError, match="hierarchies=auto does not tell"):
        incrowd.attack(release.table, hierarchies="auto", **how)
    with pytest.raises(InputError, match="hierarchies=auto does not tell"):
        incrowd.attack(release.table, hierarchies="auto", facts={"proposed_hierarchies": [3]}, **how)
    listed = {"age": sorted(set(ages))}
    assert incrowd.attack(release, original=table, domains=listed).wrong == 0


def test_costs_that_count_values_below_a_made_label_are_not_reasoned_from():
    ages = ["31", "32", "33", "38", "47", "49", "52", "52"]
    table = pa.table({"age": ages, "sex": [*"ffmmffmm"]})
    release = incrowd.anonymize(table, hierarchies="auto", quasi_identifiers=["age", "sex"], k=2)
    found = incrowd.attack(release)
    assert (found.premises["bound"], found.premises["settled"], found.claimed_cells) == ("no", "no", 0)
    assert "how many values a label of age stands for" in found.facts["notes"][-1]
