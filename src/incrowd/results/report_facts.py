"""Everything that the report of a release shows, computed when it is first asked for."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError
from incrowd.policy.document import shareable
from incrowd.report.facts.release import details_of, queries_within, rough
from incrowd.results.usefulness import Usefulness
from incrowd.tables.hierarchy import Dates, Intervals, Prefix
from incrowd.tables.read import label_of
from incrowd.tables.usefulness.coded_tables import coded_release
from incrowd.tables.usefulness.figures import figures_of, refuse_questions
from incrowd.version import __version__

if TYPE_CHECKING:
    from collections.abc import Mapping

    from incrowd.policy.job import Job
    from incrowd.tables.hierarchy import Spec
    from incrowd.tables.table import Expanded
    from incrowd.tables.usefulness.coded_tables import CodedTables
    from incrowd.tables.values import Problem


def report_facts(job: Job, expanded: Expanded, problem: Problem, facts: Mapping[str, Any]) -> dict[str, Any]:
    """Return the facts of a release with what a report shows beside them.

    The engine of `expanded` is still open, and `facts` are as `incrowd.report.facts.release.facts_of` returns them.
    What is returned holds the facts, `details_of` them, ``files``, ``level_names`` by column and ``usefulness``
    (rounded, without models; None where the table is too small, or it is too large or its ranges too wide to ask by the
    way).
    """
    files = {name: _base_name(getattr(job, name)) for name in ("source", "output", "certificate")}
    found = None
    if queries_within(problem.types.t, facts["rows"]):
        with contextlib.suppress(InputError):  # ranges too wide to look through: no reason to have no report
            tables = _coded(expanded, facts, None)
            labels = sum(column.leaves.size for column in tables.columns)
            queries = queries_within(max(problem.types.t, labels), facts["rows"])
            if queries:
                found = rough(figures_of(tables, seed=facts["seed"] or 0, queries=queries, models=False))
    return {
        **facts,
        **details_of(expanded, problem, facts),
        "files": {**files, "policy": shareable(job.policy)},
        "level_names": {column: level_names(spec) for column, spec in job.policy.hierarchies},
        "usefulness": found,
    }


def usefulness_of(
    job: Job, expanded: Expanded, facts: Mapping[str, Any], *, target: str | None, queries: int
) -> Usefulness:
    """Return what analysts would find in a release, held against its original.

    The engine of `expanded` is still open, and the facts are those of the release. `target` is the column that a model
    is to predict, and `queries` is the number of random counts. InputError or PolicyError is raised if the target is no
    column of the release, or cannot be learned, or if the counts are no number from 1 to a million.
    """
    refuse_questions(target, queries)
    if target is not None and target not in [column.name for column in expanded.table.columns]:
        raise InputError(f"column {target!r}, named as the target, is not in the release")
    tables = _coded(expanded, facts, target)
    source = "the original" if job.source is None else label_of(job.source).strip("'")
    found = figures_of(tables, seed=facts["seed"] or 0, queries=queries, target=target)
    return Usefulness({"original": source, "release": "the release", **found, "version": __version__})


def level_names(spec: Spec) -> list[str]:
    """Return what the levels 1, 2, ... of a hierarchy are called, as far as its settings say.

    Intervals, dates and prefixes have names for their levels; files and trees have none.
    """
    plain = spec.plain()[spec.word] if isinstance(spec, (Intervals, Dates, Prefix)) else []
    said = {Intervals: "steps of {}", Dates: "{}", Prefix: "{} characters"}.get(type(spec), "{}")
    return [said.format(one) for one in plain]


def _coded(expanded: Expanded, facts: Mapping[str, Any], target: str | None) -> CodedTables:
    judged = {column for line in facts["requirements"] for column in line["columns"]}
    asked = [*expanded.table.roles.sensitive, *judged, *([] if target is None else [target])]
    return coded_release(expanded, asked, ranges=facts.get("recoding") == "ranges")


def _base_name(file: Any) -> str | None:
    return Path(file).name if isinstance(file, (str, Path)) and file != "-" else None
