"""Nothing in the policies opens a door for scripts in pages, and a report runs nothing at all."""

from __future__ import annotations

from incrowd.web.gate.headers import ALWAYS, POLICY, REPORT_POLICY


def rules(policy):
    return {rule.split()[0]: rule.split()[1:] for rule in policy.split(";")}


def test_pages_take_from_their_own_site_alone():
    for name, sources in rules(POLICY).items():
        assert sources in (["'self'"], ["'none'"]), name


def test_a_report_runs_nothing_and_sends_nothing():
    said = rules(REPORT_POLICY)
    assert said["default-src"] == said["form-action"] == said["frame-ancestors"] == ["'none'"]
    assert "script-src" not in said
    assert said["sandbox"] == []


def test_forms_keep_their_origin():
    assert ALWAYS["referrer-policy"] != "no-referrer"
