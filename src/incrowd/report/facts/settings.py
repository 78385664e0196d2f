"""Facts of a job's settings: what was asked beside the policy's thresholds."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.policy.keys import DEFAULT_COST
from incrowd.tables.workload import plain_cost

if TYPE_CHECKING:
    from incrowd.policy.job import Job

__all__ = ["settings_facts"]


def settings_facts(job: Job) -> dict[str, Any]:
    """Return what the facts of a release hold of its job's settings.

    They are ``suppressed``, ``recoding``, ``keep_order``, ``dry_run``, ``seed`` (None for a release drawn at random),
    ``blunt`` for one, and ``cost_name`` where it is not the usual one.
    """
    return {
        "suppressed": job.policy.suppressed,
        "recoding": job.policy.recoding,
        "keep_order": job.keep_order,
        "dry_run": job.dry_run,
        "seed": None if job.blunt else job.seed,
        **({"blunt": job.blunt} if job.blunt else {}),
        **({"cost_name": plain_cost(job.policy.cost)} if job.policy.cost != DEFAULT_COST else {}),
    }
