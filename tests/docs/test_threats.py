"""Every promise of the page of threats names the case that holds it, and each case that it names is there."""

import re
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
PAGE = (ROOT / "docs" / "understand" / "threats.md").read_text(encoding="utf-8")
PROMISES = PAGE.partition("## Promises, and what holds them")[2].partition("\n## ")[0]


def test_every_promise_names_a_case_and_every_case_is_there():
    promises = re.split(r"^- ", PROMISES, flags=re.MULTILINE)[1:]
    assert len(promises) >= 10
    for promise in promises:
        named = re.findall(r"`(tests/[\w./]+)`", promise)
        assert named, promise
        for path in named:
            assert (ROOT / path).exists(), path
            if path.endswith(".py"):
                assert "\ndef test_" in (ROOT / path).read_text(encoding="utf-8"), path
    assert PROMISES.count("`tests/") == len(re.findall(r"`tests/[\w./]+`", PROMISES))
