"""Certificates of releases, changed, before `verify`: of prices, trees, matchings and requirements."""

from __future__ import annotations

import functools

from process.fuzz.case import Case
from process.fuzz.mutation import changed_bytes, changed_json
from process.fuzz.tables import plain_csv

__all__ = ["certificate"]

ASKED = (
    ("--qi", "age,sex,zip", "--k", "2"),
    ("--qi", "age,sex", "--k", "3", "--outliers", "suppress"),
    ("--qi", "age,sex", "--k", "2", "--sensitive", "ill", "--l", "1.5"),
    ("--qi", "age,sex", "--k", "2", "--sensitive", "ill", "--t", "0.6"),
    ("--qi", "age,sex", "--k", "2", "--require", "l-diversity l=2 column=ill kind=entropy"),
    ("--qi", "age,sex,job", "--k", "3", "--max-stars", "2", "--hierarchy", "age=intervals:2,4"),
)
MADE = ("--solver", "exact", "--time-limit", "5", "--quiet", "-o", "out.csv", "--certificate", "c.json")


@functools.cache
def _made() -> list[tuple[tuple[str, ...], bytes, bytes]]:
    """What was asked, the release and its certificate."""
    from process.fuzz.sources import outputs_of

    found = []
    for asked in ASKED:
        case = Case("certificate", ("anonymize", "t.csv", *asked, *MADE), files=(("t.csv", plain_csv()),))
        held = outputs_of(case, "out.csv", "c.json")
        if len(held) == 2:
            found.append((asked, held["out.csv"], held["c.json"]))
    return found


def certificate(rng, _: int) -> Case:
    """A release and its certificate, one of which is changed."""
    asked, release, proof = rng.choice(_made())
    draw = rng.random()
    if draw < 0.55:
        proof = changed_json(rng, proof)
    elif draw < 0.9:
        proof = changed_bytes(rng, proof)
    else:
        release = changed_bytes(rng, release)
    words = ("verify", "t.csv", "out.csv", *asked, "--certificate", "c.json")
    return Case("certificate", words, files=(("t.csv", plain_csv()), ("out.csv", release), ("c.json", proof)))
