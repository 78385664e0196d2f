"""One recoding for the whole table before all three checkers: they agree on releases and certificates, true and changed."""

import json
import random

import numpy as np

from checker.page_script import NODE
from checker.red_changes import changed, claimed, garbled
from checker.red_releases import RELEASES, Job, answered
from incrowd.errors import IncrowdError
from oracles import released
from seeds import how_many

LIMITS = (0, "1/4", 0.5, 1, None)


def drawn(rng, folder):
    """A job on a drawn table with one recoding, and everything it is compared with; None where there is no release."""
    asked = released.drawn(rng)
    asked.said["recoding"] = "global"
    asked.said.pop("suppressed", None)
    limit = rng.choice(LIMITS)
    if limit is not None:
        asked.said["suppression_limit"] = limit
    try:
        return Job(folder, asked, "auto")
    except IncrowdError:
        return None


def said_of(job, release, certificate, slow):
    """The answers of all checkers (of `verify`, which opens an engine, where it is asked too), which must be one."""
    asked = [job.by_second, *([job.by_page] if NODE else []), *([job.by_check] if slow else [])]
    answers = [answered(ask, release, certificate) for ask in asked]
    assert all(answer == answers[0] for answer in answers), (answers, certificate and certificate.read_text())
    return answers[0]


def test_all_checkers_confirm_what_is_true_and_agree_on_what_is_changed(tmp_path):
    rng, tried = random.Random(7), 0
    wanted, seen = how_many(100, 1), set()
    number = 0
    while tried < wanted:
        number += 1
        job = drawn(rng, tmp_path / f"job{number}")
        if job is None:
            continue
        tried += 1
        release, path = job.folder / "release.csv", job.folder / "certificate.json"
        status, told = said_of(job, release, path, slow=True)
        least = told["lower_bound"]
        assert status == 0 and told["proven"] and least == told["cost"]
        source = np.random.default_rng(rng.randrange(2**63))
        bad = job.folder / "bad.json"
        for _ in range(8):
            made = changed(job.certificate, job.certificate, source)[0]
            if rng.random() < 0.5:
                made = claimed(made, made["cost"] if type(made.get("cost")) is int else 1)
            text = garbled(job.certificate, source) if rng.random() < 0.2 else json.dumps(made)
            bad.write_text(text, encoding="utf-8", newline="")
            status, told = said_of(job, release, bad, rng.random() < 0.15)
            seen.add(status)
            assert status or told["lower_bound"] <= least
        for kind in RELEASES:
            rows = RELEASES[kind](job.cells, job.asked, rng, [])
            other = job.folder / "bad.csv"
            other.write_text("\n".join(",".join(cell or "" for cell in row) for row in rows) + "\n", encoding="utf-8")
            seen.add(said_of(job, other, None, rng.random() < 0.15)[0])
            seen.add(said_of(job, other, path, slow=False)[0])
    assert {0, 1, 2} <= seen or wanted < 100
