"""Every setting by its heading, and the policy as text: same bytes where nothing changed."""

from __future__ import annotations

import tomllib

import pytest

from incrowd.policy.sections import SECTIONS
from web.visitor import words

OWN = b"# mine\r\nqi = ['age', 'sex'] # who\r\nk = 3\r\n\r\n[mask]\r\nmax_stars=1\r\n"


def test_every_heading_is_there(visitor, place):
    page = words(visitor.text(f"{place}/settings"))
    for title in SECTIONS:
        assert title in page or title == "What is written"


def test_a_policy_sent_and_saved_has_the_same_bytes(visitor, place):
    before = visitor.get(f"{place}/files/policy.toml").content
    visitor.post(f"{place}/send", files={"file": ("own.toml", OWN)})
    assert visitor.get(f"{place}/files/policy.toml").content == OWN
    page = visitor.text(f"{place}/settings")
    assert "# mine" in page
    visitor.post(f"{place}/settings", {})
    visitor.post(f"{place}/text", {"text": OWN.decode()})
    assert visitor.get(f"{place}/files/policy.toml").content == OWN
    visitor.post(f"{place}/settings", {"k": "4"})
    assert visitor.get(f"{place}/files/policy.toml").content == OWN.replace(b"k = 3", b"k = 4")
    visitor.post(f"{place}/text", {"text": before.decode()})


def test_a_policy_below_the_root_is_opened_with_its_files(visitor, root, place, policy):
    before = policy()
    (root / "deep").mkdir(exist_ok=True)
    (root / "deep" / "own.toml").write_text('qi = ["sex"]\nk = 2\n[hierarchies]\nsex = "trees/sex.csv"\n')
    (root / "deep" / "trees").mkdir(exist_ok=True)
    (root / "deep" / "trees" / "sex.csv").write_text("f;any;*\nm;any;*\n")
    visitor.post(f"{place}/open", {"file": "deep/own.toml"})
    assert tomllib.loads(policy())["qi"] == ["sex"]
    assert "notice no" not in visitor.text(f"{place}/labels")
    visitor.post(f"{place}/text", {"text": before})


@pytest.mark.parametrize("text", ["k = ", "kk = 1", 'qi = ["age"]\n[hierarchies]\nage = "../../../etc/passwd"'])
def test_what_is_no_policy_changes_nothing(visitor, place, policy, text):
    before = policy()
    answer = visitor.post(f"{place}/send", files={"file": ("own.toml", text.encode())})
    assert "That did not work" in visitor.after(answer)
    assert policy() == before


def test_files_that_a_policy_names_are_asked_for_and_others_not_taken(visitor, place, policy):
    before = policy()
    visitor.post(
        f"{place}/send", files={"file": ("own.toml", b'qi = ["sex"]\nk = 2\n[hierarchies]\nsex = "sex.csv"\n')}
    )
    assert "sex.csv" in words(visitor.text(f"{place}/settings"))
    answer = visitor.post(f"{place}/send", files={"file": ("other.csv", b"f;*\n")})
    assert "names no file of this name" in visitor.after(answer)
    visitor.post(f"{place}/send", files={"file": ("sex.csv", b"f;any;*\nm;any;*\n")})
    assert "missing" not in words(visitor.text(f"{place}/settings")).replace("a missing value", "")
    visitor.post(f"{place}/text", {"text": before})
