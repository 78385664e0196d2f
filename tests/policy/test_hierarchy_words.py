"""`auto` among the hierarchies is a word of its own; what was proposed for it is spelled out as if somebody had."""

import pytest

from incrowd import Job, Policy
from incrowd.errors import PolicyError
from incrowd.policy.hierarchy_words import proposed_facts, spelled_out, without_auto
from incrowd.tables.hierarchy import Dates, Intervals
from incrowd.tables.hierarchy.proposals import propose

QI = {"quasi_identifiers": ["age", "seen", "sex"], "k": 2}


def test_the_word_is_taken_out_wherever_it_stands():
    assert without_auto("auto") == ((), True)
    assert without_auto("age=auto.csv") == ("age=auto.csv", False)
    assert without_auto(("age=a.csv", "auto")) == (("age=a.csv",), True)
    assert without_auto({"age": "auto"}) == ({"age": "auto"}, False)
    assert without_auto(None) == (None, False)


def test_auto_stands_beside_hierarchies_that_are_given(tmp_path):
    dates = {"seen": Dates(["year"])}
    for settings in ({"hierarchies": "auto"}, {"hierarchies": ["auto"]}, {"other_hierarchies": "auto"}):
        policy = Policy(**QI, **settings)
        assert (policy.hierarchies, policy.other_hierarchies) == ((), "auto")
        job = Job(policy=Policy(**QI, hierarchies=dates)).replace(**settings)
        assert (job.policy.hierarchies, job.policy.other_hierarchies) == ((("seen", Dates(["year"])),), "auto")
        job.save(tmp_path / "p.toml")
        assert Job.load(tmp_path / "p.toml").policy == job.policy
    (tmp_path / "short.toml").write_text('k = 2\nquasi_identifiers = ["age"]\nhierarchies = "auto"\n')
    assert Policy.load(tmp_path / "short.toml").other_hierarchies == "auto"
    with pytest.raises(PolicyError, match="other-hierarchies must be 'none' or 'auto'"):
        Policy(**QI, other_hierarchies="some")


def test_what_was_proposed_is_spelled_out_and_can_be_saved(tmp_path):
    proposals = [propose("age", ["31", "47", "NA"]), propose("sex", ["f", "m"])]
    policy = spelled_out(Policy(**QI, hierarchies=["auto", "seen=dates"]), proposals)
    assert policy.hierarchies == (("seen", Dates()), ("age", Intervals([5, 10, 20], top=90)))
    assert policy.other_hierarchies == "none" and policy.complete_hierarchies
    policy.save(tmp_path / "p.toml")
    assert Policy.load(tmp_path / "p.toml") == policy
    assert not spelled_out(Policy(**QI, hierarchies="auto"), [propose("age", ["31", "47"])]).complete_hierarchies
    assert proposed_facts(proposals) == [
        {"column": "age", "hierarchy": "intervals:5,10,20,90+",
         "why": "ages in bands of 5, 10 and 20 years, those from 90 on in one", "under_the_root": 1},
        {"column": "sex", "hierarchy": None, "why": "it has 2 values", "under_the_root": 0},
    ]  # fmt: skip
