"""The public functions take settings as keywords and hand out results."""

import pyarrow as pa
import pytest

import incrowd
from incrowd.errors import InputError, PolicyError
from incrowd.results.check import Violations

TABLE = pa.table({"age": [31, 31, 47, 52], "sex": ["f", "f", "m", "m"]})
QI = ["age", "sex"]


def test_settings_replace_those_of_the_policy(tmp_path):
    policy = incrowd.Policy(quasi_identifiers=QI, k=4)
    policy.save(tmp_path / "policy.toml")
    for given in (policy, incrowd.Job(policy=policy), tmp_path / "policy.toml", str(tmp_path / "policy.toml")):
        with incrowd.anonymize(TABLE, policy=given, k=2, solver="greedy") as release:
            assert release.facts["k"] == 2
            assert incrowd.verify(TABLE, release.table, given, k=2) == []


def test_what_is_no_policy_is_refused_by_its_kind():
    with pytest.raises(PolicyError, match="policy must be a Policy, a Job or a path, not an int"):
        incrowd.anonymize(TABLE, policy=7)


@pytest.mark.parametrize("ask", [incrowd.anonymize, incrowd.audit, lambda **s: incrowd.tradeoff(ks=[2], **s)])
def test_without_a_table_nothing_is_done(ask):
    with pytest.raises(InputError, match="no table is given: pass a path, a frame or an Arrow table"):
        ask(quasi_identifiers=QI)


def test_every_function_tells_its_progress():
    settings = {"quasi_identifiers": QI, "solver": "greedy"}
    for ask, more in ((incrowd.anonymize, {"k": 2}), (incrowd.audit, {}), (incrowd.tradeoff, {"ks": [2]})):
        heard = []
        ask(TABLE, on_event=heard.append, **settings, **more)
        assert heard


def test_violations_are_a_list_that_names_the_rule():
    found = incrowd.verify(TABLE, TABLE, quasi_identifiers=QI, k=2)
    assert isinstance(found, Violations) and [violation.rule for violation in found] == ["k=2"]
    assert found.cost is None and found.proven is None
