"""What a pickle of a release holds: the released rows and what is known about them, nothing of the original."""

from __future__ import annotations

import contextlib
import dataclasses
from typing import Any

from incrowd.errors import InputError, PolicyError

__all__ = ["KEPT", "no_engine", "state_of"]

# What a release computes when it is asked for, and a pickle holds computed.
KEPT = ("exact_cost", "exact_lower_bound", "_certificate")
# How a table that lives in an engine becomes an Arrow table: of DuckDB, Ibis and Spark.
TAKEN_OUT = {"duckdb": "to_arrow_table", "ibis": "to_pyarrow", "spark": "toArrow"}


def state_of(release: Any, kind: str) -> dict[str, Any]:
    """Return what a pickle of a release holds.

    It holds the job without its source and hierarchies (a hierarchy lists values that no released row may show), the
    facts, the released rows (as an Arrow table where the kind that came in lives in an engine), cost and bound, the
    certificate, and what a report shows. It holds no plan, no row types, no path but those that the job was given.

    The annotation does not name `Release`, for it stands above this module. `kind` is that of the table that came in.
    InputError is raised if the release was closed before its rows were asked for.
    """
    table = release.table
    if kind in TAKEN_OUT and hasattr(table, TAKEN_OUT[kind]):
        table = getattr(table, TAKEN_OUT[kind])()
    policy = dataclasses.replace(release.job.policy, hierarchies=())
    job = dataclasses.replace(release.job, policy=policy, source=None)
    state = {"job": job, "facts": release.facts, "table": table, **{name: getattr(release, name) for name in KEPT}}
    with contextlib.suppress(PolicyError):  # a policy that no file could say has no report
        state["_report_facts"] = release._report_facts
    return state


def no_engine() -> InputError:
    """Return the error of what needs the engine of a release that came out of a pickle."""
    return InputError(
        "a release that comes out of a pickle holds its rows and facts, but no engine that writes them: write files "
        "where it is made, or write release.table"
    )
