"""A policy from elsewhere reads no file but those in its own folder."""

from __future__ import annotations

import pytest

from incrowd.errors import IncrowdError, PolicyError
from incrowd.web.studio.policy_files import files_named, missing_files


@pytest.fixture
def policy(tmp_path):
    folder = tmp_path / "room"
    folder.mkdir()
    (tmp_path / "secret.csv").write_text("a;*\n")
    (folder / "link.csv").symlink_to(tmp_path / "secret.csv")

    def write(text):
        (folder / "policy.toml").write_text(text)
        return folder / "policy.toml"

    return write


NAMED = [
    '[hierarchies]\na = "{}"',
    '[hierarchies]\na = {{ file = "{}" }}',
    '[hierarchies]\na = {{ file = "{}", level_costs = [1] }}',
    'cost = "workload:{}"',
    'require = ["t-closeness t=0.2 column=s distance=hierarchical:{}"]',
    'require = [{{ model = "t-closeness", t = 0.2, column = "s", distance = "matrix:{}" }}]',
    '[sensitive_distance]\ns = "hierarchical:{}"',
]


@pytest.mark.parametrize("text", NAMED)
@pytest.mark.parametrize("name", ["../secret.csv", "/etc/passwd", "deep/../../secret.csv", "link.csv"])
def test_files_elsewhere_are_refused_before_they_are_read(policy, text, name):
    with pytest.raises(PolicyError, match="out of its own folder"):
        files_named(policy(text.format(name)))


@pytest.mark.parametrize("text", NAMED)
def test_files_beside_it_are_named_and_missed(policy, text):
    written = policy(text.format("deep/tree.csv"))
    assert files_named(written) == missing_files(written) == ["deep/tree.csv"]
    (written.parent / "deep").mkdir()
    (written.parent / "deep" / "tree.csv").write_text("a;*\n")
    assert missing_files(written) == []


def test_what_names_none_names_none(policy):
    assert files_named(policy('k = 2\n[hierarchies]\na = "intervals:5"\nb = { prefix = [2] }\n')) == []


def test_what_is_no_policy_is_said(policy):
    for text in ("k = ", "kk = 3", "hierarchies = 5\nhierarchy = 6"):
        with pytest.raises(IncrowdError):
            files_named(policy(text))
