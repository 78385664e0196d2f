"""The checkers, each asked about the same files: `incrowd verify`, the second checker, the page's script and the proved program.

An answer is the exit status (0 good, 1 a violation, 2 unreadable) with what was said of the certificate.
"""

from __future__ import annotations

import contextlib
import csv
import gzip
import hashlib
import io
import json
from fractions import Fraction
from pathlib import Path
from typing import NamedTuple

import incrowd
from checkers import page_script
from checkers.needed import NODE, REQUIRED
from incrowd.check.command import main as second
from incrowd.cli.main import main

ROOT = Path(__file__).resolve().parents[2]
OWN = ("original.csv", "release.csv", "policy.toml", "certificate.json")


class Said(NamedTuple):
    """What a checker answered."""

    status: int
    cost: Fraction | None = None
    bound: Fraction | None = None
    proven: bool | None = None

    @classmethod
    def of(cls, status, facts):
        numbers = [None if facts.get(name) is None else Fraction(facts[name]) for name in ("cost", "lower_bound")]
        return cls(status, *numbers, facts.get("proven"))


def verified(folder, certificate="certificate.json", **more):
    """What `incrowd.verify` finds."""
    return incrowd.verify(
        folder / "original.csv", folder / "release.csv", policy=folder / "policy.toml",
        certificate=certificate and folder / certificate, **more,
    )  # fmt: skip


def by_verify(folder, certificate="certificate.json", **more):
    """Of `incrowd.verify`; an error of the table or the certificate is status 2."""
    try:
        found = verified(folder, certificate, **more)
    except incrowd.IncrowdError:
        return Said(2)
    facts = {name: getattr(found, name) for name in ("cost", "lower_bound", "proven")} if certificate else {}
    return Said.of(int(bool(found)), facts)


def by_command(folder, certificate="certificate.json", *more):
    """Of `incrowd verify --json`."""
    given = [str(folder / name) for name in OWN[:2]] + ["--policy", str(folder / "policy.toml"), "--json", *more]
    given += ["--certificate", str(folder / certificate)] if certificate else []
    out = io.StringIO()
    try:
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
            main(["verify", *given])
        status = 0
    except SystemExit as ended:
        status = ended.code or 0
    told = json.loads(out.getvalue()) if status < 2 else {}
    assert status == 2 or told["ok"] == (status == 0)
    return Said.of(status, {name: told.get(name) for name in ("cost", "lower_bound", "proven")})


def told_by_second(folder, certificate="certificate.json"):
    """The second checker's exit status and all that it says."""
    given = [str(folder / name) for name in OWN[:2]] + ["--policy", str(folder / "policy.toml"), "--json"]
    given += ["--certificate", str(folder / certificate)] if certificate else []
    out = io.StringIO()
    with contextlib.redirect_stdout(out), contextlib.redirect_stderr(io.StringIO()):
        status = second(given)
    return status, json.loads(out.getvalue()) if status < 2 else {}


def told_by_page(folder, certificate="certificate.json"):
    """The same of the page: every other file of the folder is dropped on it too."""
    given = {"original": "original.csv", "release": "release.csv", "policy": "policy.toml", "certificate": certificate}
    found = page_script.page().checked(
        **{name: folder / file for name, file in given.items() if file},
        others=[path for path in folder.iterdir() if path.name not in given.values()],
    )
    status = ("good", "violation", "unreadable").index(found["verdict"])
    if status == 2:
        assert found["why"]
        return status, {}
    facts = dict(found["facts"] or {})
    facts = (
        {"lower_bound": facts["bound"], **{name: facts[name] for name in ("cost", "proven", "question", "k")}}
        if facts
        else {}
    )
    held = {name: told for name, told in found["held"].items() if name != "telling"}
    return status, {"ok": status == 0, "violations": found["violations"]} | facts | held


def by_second(folder, certificate="certificate.json"):
    return Said.of(*told_by_second(folder, certificate))


def by_page(folder, certificate="certificate.json"):
    return Said.of(*told_by_page(folder, certificate))


def has_page():
    """Whether the page is asked: always where Node is required."""
    return NODE is not None or REQUIRED


def both(folder, certificate="certificate.json"):
    """The second checker's answer, which is the page's to the word."""
    status, told = told_by_second(folder, certificate)
    if has_page():
        assert told_by_page(folder, certificate) == (status, told)
    return Said.of(status, told)


def everyone(folder, certificate="certificate.json", **more):
    """The one answer of all three."""
    said = both(folder, certificate)
    assert by_verify(folder, certificate, **more) == said
    return said


# --- files -----------------------------------------------------------------------------------------------------------


def certificate_of(folder, name="certificate.json"):
    """A certificate as an object; of one with a price a line its head, with the lines under `prices`."""
    data = (folder / name).read_bytes()
    if data[:2] != b"\x1f\x8b":
        return json.loads(data)
    head, *lines = gzip.decompress(data).decode().splitlines()
    return json.loads(head) | {"prices": list(map(int, lines))}


def sum_of(release):
    """What docs/certificate.md [H8] says of a release's CSV."""
    rows = list(csv.reader(io.StringIO(release)))[1:]
    told = ("".join(f"{len(cell)}:{cell}" if cell else "n" for cell in row).encode() for row in rows)
    return f"{sum(int(hashlib.md5(one).hexdigest(), 16) for one in told) % 2**128:032x}"


def packed(text):
    """Bytes as `gzip -n` packs them."""
    return gzip.compress(text if isinstance(text, bytes) else text.encode(), mtime=0)


def save(folder, certificate, name="certificate.json"):
    """Write a certificate: a text or bytes as they are, version 13 with its prices line by line."""
    if isinstance(certificate, bytes):
        (folder / name).write_bytes(certificate)
    elif isinstance(certificate, str):
        (folder / name).write_text(certificate, encoding="utf-8", newline="")
    elif certificate.get("version") in (13, 16) and isinstance(certificate.get("prices"), list):
        head = json.dumps({key: told for key, told in certificate.items() if key != "prices"})
        (folder / name).write_bytes(
            packed("".join(f"{line}\n" for line in (head, *map(json.dumps, certificate["prices"]))))
        )
    else:
        (folder / name).write_text(json.dumps(certificate), encoding="utf-8")
