"""The audit in words: who stands alone, and which columns do it."""

from __future__ import annotations

import incrowd
from web.visitor import words


def test_the_audit_says_what_the_library_finds(visitor, place, policy, server, tmp_path):
    page = words(visitor.settled(f"{place}/risks"))
    (tmp_path / "policy.toml").write_text(policy())
    desk = server.studio.tables[place.rpartition("/")[2]]
    found = incrowd.audit(desk.source, tmp_path / "policy.toml")
    assert f"{found.unique_rows:,} of 200" in page
    assert "If the table went out as it is" in page
    for column in found.quasi_identifiers:
        assert column in page


def test_a_policy_that_cannot_be_used_is_said_with_the_way_to_mend_it(visitor, place, policy):
    before = policy()
    visitor.post(f"{place}/text", {"text": 'quasi_identifiers = ["nobody"]\nk = 2\n'})
    page = words(visitor.settled(f"{place}/risks"))
    assert "names column &#39;nobody&#39;, which the table does not have" in page
    assert "All settings" in page
    visitor.post(f"{place}/text", {"text": before})
