"""What a Python call starts from: a policy, a job, a file, or nothing."""

import pytest

from incrowd import Job, Policy
from incrowd.errors import InputError, PolicyError
from incrowd.policy.job_of import job_of, job_on


def test_a_call_starts_from_a_policy_a_job_a_file_or_the_defaults(tmp_path):
    policy = Policy(quasi_identifiers=("age", "sex"), k=3)
    policy.save(tmp_path / "policy.toml")
    job = Job(policy=policy, seed=7)
    assert job_of(None) == Job()
    assert job_of(job) is job
    assert job_of(policy).policy == policy
    assert job_of(tmp_path / "policy.toml") == job_of(str(tmp_path / "policy.toml")) == Job(policy=policy)


def test_keywords_replace_what_the_policy_says():
    job = job_on([1], Policy(quasi_identifiers=("age",), k=3), {"k": 5, "seed": 2})
    assert (job.policy.k, job.seed, job.source) == (5, 2, [1])
    assert job_on(None, Job(source="t.csv"), {}).source == "t.csv"


def test_columns_without_a_name_are_told_where_they_go():
    with pytest.raises(PolicyError, match="quasi_identifiers="):
        job_of(["age", "sex"])
    with pytest.raises(PolicyError, match="not an int"):
        job_of(5)


def test_a_call_without_a_table_says_so():
    with pytest.raises(InputError, match="no table is given"):
        job_on(None, None, {})
