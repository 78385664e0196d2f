"""The facts of a job's settings."""

from incrowd.policy.job import Job
from incrowd.report.facts.settings import settings_facts


def test_the_settings_are_told_as_they_were_asked():
    job = Job().replace(suppressed="null", seed=4, keep_order=True)
    assert settings_facts(job) == {
        "suppressed": "null", "recoding": "levels", "keep_order": True, "dry_run": False, "seed": 4,
    }  # fmt: skip
