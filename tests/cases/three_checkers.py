"""The three readers of a release, each asked as people ask it: `incrowd.verify`, checker/ as a program, the page's script."""

from __future__ import annotations

import contextlib
import io
import json
from pathlib import Path

import pytest

import incrowd
from checkers import page_script
from checkers.needed import NODE
from incrowd.check.command import main as second

ROOT = Path(__file__).resolve().parents[2]

GOOD, WRONG, UNREADABLE = "good", "violation", "unreadable"
ASKED = {"original.csv", "release.csv", "policy.toml", "certificate.json"}


def by_verify(folder, certificate=None):
    """The word of `incrowd.verify`, and what it found (None where it reads nothing)."""
    try:
        found = incrowd.verify(
            folder / "original.csv", folder / "release.csv", policy=folder / "policy.toml", certificate=certificate
        )
    except incrowd.IncrowdError:
        return UNREADABLE, None
    return (WRONG if found else GOOD), found


def by_second(folder, certificate=None):
    """The word of the second checker, and its answer."""
    arguments = [folder / "original.csv", folder / "release.csv", "--policy", folder / "policy.toml", "--json"]
    arguments += [] if certificate is None else ["--certificate", certificate]
    out, err = io.StringIO(), io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(err):
        status = second(list(map(str, arguments)))
    return (GOOD, WRONG, UNREADABLE)[status], json.loads(out.getvalue()) if status < 2 else err.getvalue()


def by_page(folder, certificate=None):
    """The word of the page's script, and its answer; skipped where there is no Node."""
    if NODE is None:
        pytest.skip("needs Node, which this machine does not have")
    given = {"original": "original.csv", "release": "release.csv", "policy": "policy.toml"}
    files = {name: folder / file for name, file in given.items()} | (
        {"certificate": certificate} if certificate else {}
    )
    found = page_script.page().checked(**files, others=[path for path in folder.iterdir() if path.name not in ASKED])
    return found["verdict"], found


EVERY = (by_verify, by_second, by_page)


def words(folder, certificate=None):
    """What each of the three says of the files in a folder, as one word."""
    return [ask(folder, certificate)[0] for ask in EVERY]


def written(folder, **texts):
    """The files `original.csv`, `release.csv` and `policy.toml` with these texts."""
    for name, text in texts.items():
        (folder / f"{name}.{'toml' if name == 'policy' else 'csv'}").write_text(text, encoding="utf-8", newline="")
