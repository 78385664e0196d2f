"""What was published, from its file."""

from __future__ import annotations

import pytest

from incrowd import Policy
from incrowd.errors import InputError
from incrowd.jobs.facts_file import read_facts, refuse_other_policy


def test_facts_are_read_from_a_mapping_or_its_file(tmp_path):
    facts = {"k": 2, "quasi_identifiers": ["a"]}
    assert read_facts(facts) is facts
    file = tmp_path / "facts.json"
    file.write_text('{"k": 2, "quasi_identifiers": ["a"]}')
    assert read_facts(file) == facts


@pytest.mark.parametrize(
    ("text", "said"), [("{", "is no JSON"), ("[]", "what was released"), ('{"k": 2}', "what was released")]
)
def test_a_file_that_holds_no_facts_is_refused(tmp_path, text, said):
    file = tmp_path / "facts.json"
    file.write_text(text)
    with pytest.raises(InputError, match=said):
        read_facts(file)
    with pytest.raises(InputError, match="cannot be read"):
        read_facts(tmp_path / "none.json")


@pytest.mark.parametrize(
    ("facts", "said"),
    [
        ({"rows": 6}, "differ in rows"),
        ({"k": 3}, "differ in k"),
        ({"quasi_identifiers": ["b", "a"]}, "differ in quasi_identifiers"),
        ({"mask": ["at most 1 star"]}, "differ in mask"),
        ({"outlier_rule": "suppress"}, "differ in outlier_rule"),
        ({"recoding": "global"}, "differ in recoding"),
        ({"requirements": [{"rule": "l-diversity l=2 column=s"}]}, "other models"),
    ],
)
def test_facts_under_another_policy_are_refused(facts, said):
    policy = Policy(quasi_identifiers=("a", "b"), k=2)
    good = {
        "rows": 5, "k": 2, "quasi_identifiers": ["a", "b"], "mask": list(policy.mask.describe()), "requirements": [],
        "outlier_rule": "forbid", "recoding": "levels",
    }  # fmt: skip
    refuse_other_policy(good, policy, 5)
    refuse_other_policy({}, policy, 5)
    refuse_other_policy(None, policy, 5)
    with pytest.raises(InputError, match=said):
        refuse_other_policy(good | facts, policy, 5)
