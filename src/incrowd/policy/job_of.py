"""The job that a Python call asks for: what to start from, and its keywords over it."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, PolicyError, an
from incrowd.policy.job import Job, Policy

if TYPE_CHECKING:
    from incrowd.policy.keywords import Keywords

__all__ = ["job_of", "job_on"]


def job_of(policy: Any) -> Job:
    """Return the job that a call starts from.

    Parameters
    ----------
    policy : Policy, Job or path of a policy file, optional
        None: the defaults alone.

    Raises
    ------
    PolicyError
        If it is none of these, or the file's keys or values are wrong.
    InputError
        If the file cannot be read.
    """
    if policy is None:
        return Job()
    if isinstance(policy, Job):
        return policy
    if isinstance(policy, Policy):
        return Job(policy=policy)
    if isinstance(policy, (str, Path)):
        return Job.load(policy)
    mend = "; columns go by name, like quasi_identifiers=['age', 'sex']" if isinstance(policy, (list, tuple)) else ""
    raise PolicyError(f"policy must be a Policy, a Job or a path, not {an(type(policy).__name__)}{mend}")


def job_on(data: Any, policy: Policy | Job | str | Path | None, settings: Keywords) -> Job:
    """Return the job of a call that has a table.

    Parameters
    ----------
    data : path, frame or Arrow table, optional
        None: the policy's own source.
    policy : Policy, Job or path of a policy file, optional
    settings : Keywords
        In place of the policy's.

    Raises
    ------
    PolicyError
        As `job_of`, and for a keyword that is unknown or has a bad value.
    InputError
        If no table is given.
    """
    job = job_of(policy).replace(**settings)
    if data is not None:
        job = job.replace(source=data)
    if job.source is None:
        raise InputError("no table is given: pass a path, a frame or an Arrow table")
    return job
