"""A release held against its original, from the two tables alone."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, OurBug, PolicyError
from incrowd.jobs.check_certificate import columns_of, read_certificate, recheck, steps_of
from incrowd.jobs.large.choice import limit_engine_memory, memory_for_portions, most_types
from incrowd.jobs.large.streamed_check import prices_in_memory, recheck_lines
from incrowd.jobs.prepare import fit_policy
from incrowd.jobs.shares import memory_kept
from incrowd.policy.questions import complete
from incrowd.progress import Watch
from incrowd.proved import Asked
from incrowd.proved.check import Proved, proved_check
from incrowd.results.check import Violations
from incrowd.tables.column_counts import count_columns, with_values_alone
from incrowd.tables.engine.open import open_engine
from incrowd.tables.formats.base import bare
from incrowd.tables.hierarchy import Hierarchy, plain_spec
from incrowd.tables.range_columns import ranged_names
from incrowd.tables.read import label_of, open_source
from incrowd.tables.recoding import load_recoding
from incrowd.tables.roles import Reading
from incrowd.tables.verdict import HeldTo
from incrowd.tables.verify.hierarchies import changing, read_hierarchies
from incrowd.tables.verify.lines import PriceFile
from incrowd.tables.verify.recount import unreadable
from incrowd.tables.verify.release.other_columns import count_unchanged
from incrowd.tables.verify.second_reading import confirm_cells

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from incrowd.jobs.check_certificate import Rechecked
    from incrowd.jobs.prepare import FittedPolicy
    from incrowd.jobs.shares import MemoryShare
    from incrowd.policy.job import Job, Policy
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Opened
    from incrowd.tables.verdict import Violation


class _Ended(Exception):
    """The recount of a certificate was to end before it was through."""


TOO_MANY = "the program reads row types in memory, and there are more than memory holds or types_in_memory allows"
WRONG = "the release or its certificate was found wrong before"
# how a released CSV is read: exactly as `incrowd` writes it
AS_WRITTEN = Reading(header=True, delimiter=",", encoding="utf-8", strip=False)


def verify(
    original: Any,
    released: Any,
    job: Job,
    certificate: str | Path | Mapping[str, Any] | None = None,
    *,
    proved: bool = False,
    time_limit: float | None = None,
    watch: Watch | None = None,
    counted: tuple[Violation, ...] | None = None,
) -> Violations:
    """Recount a release from the original and the released table alone, and its certificate if there is one.

    Both tables are a path, frame or Arrow table: `original` is read as the policy says, `released` as `incrowd` writes
    it. The job's policy says what to hold the release to. `certificate` is what `Release.certificate` wrote. `proved`
    says whether the program whose correctness is machine-proved is asked too; only with a certificate. `time_limit` is
    in seconds that the recount of the certificate may take, and again that program. A wish of the watch to stop ends
    that recount as the time limit does. `counted` is what the recount of this release found before: it is not made
    again. The result has the violations; with a certificate also what was recounted of it, nothing where that was ended
    before. `IncrowdError` is raised if a table or the certificate cannot be read, or the question is above the limit
    stated in the message.
    """
    policy = complete(job.policy)
    if proved and certificate is None:
        raise PolicyError("proved recounts a certificate; name its file as certificate")
    if time_limit is not None and not time_limit >= 0:
        raise PolicyError(f"time_limit must be a number of at least 0, not {time_limit}")
    claims = None if certificate is None else read_certificate(certificate)
    recoding, watch = load_recoding(policy.recoding), watch or Watch()

    def ask() -> None:
        if watch.interrupted or watch.out_of_time:
            raise _Ended

    if claims is not None and recoding.no_certificate:
        raise PolicyError(recoding.no_certificate)
    with (
        memory_kept(job, watch, original, released) as memory,
        open_engine(job.engine, memory.engine, original, released) as engine,
    ):
        before, after, fitted = opened_pair(engine, original, released, job)
        limit_engine_memory(engine, memory)
        confirm_cells(engine, before, original, policy.reading)
        kept_columns(before.names, policy)
        if recoding.on_grid:
            fitted = _on_grid(engine, before, after, fitted, None if isinstance(claims, PriceFile) else claims)
        found = counted
        if found is None:
            found = recoding.recount_tables(
                engine, before, after, policy.roles, fitted.rules, text=fitted.text, star=fitted.star,
                room=lambda: memory_for_portions(engine, memory, watch),
            )  # fmt: skip
        notes = before.notes_on(policy.roles.kept(before.names))
        kept = count_unchanged(engine, after, policy.roles, quotable=before.quotable)
        rules = tuple(model.rule for model in policy.requirements)
        held = HeldTo(int(policy.k or 1), rules, policy.quasi_identifiers, kept)
        about: dict[str, Any] = {
            "certified": claims is not None, "notes": notes, "held": held,
            "judged": {model.rule: model.judged for model in policy.requirements},
            "names": (label_of(original), label_of(released)),
        }  # fmt: skip
        if claims is None:
            return Violations(found, **about)
        if gaps := fitted.star is None and _misses(engine, before, fitted):
            _refuse_proof(claims)
        watch.limit(time_limit)
        most = _most(job, fitted, engine, memory) if isinstance(claims, PriceFile) else 0
        again: Rechecked | None
        try:
            ask()
            if isinstance(claims, PriceFile):
                again = recheck_lines(engine, before, after, fitted, claims, most, ask)
            else:
                again = recheck(engine, before, after, fitted, claims, ask)
            if gaps:  # [H7]
                again = dataclasses.replace(again, lower_bound=Fraction(0), proven=False)
        except _Ended:
            again = None
        violations = found if again is None else (*found, *again.violations)
        said = None
        if proved:
            said = Proved(False, why=WRONG)
            if isinstance(claims, PriceFile) and not violations:  # its head is right, so these are the row types
                types = int(claims.head["row_types"])
                claims = prices_in_memory(claims, types) if types <= most else None
                said = Proved(False, why=TOO_MANY)
            if claims is not None and not isinstance(claims, PriceFile) and not violations:
                said = proved_check(engine, before, after, asked_of(fitted), claims, time_limit)
    if again is None:
        return Violations(violations, proven=False, proved=said, **about)
    return Violations(
        violations, cost=again.cost, lower_bound=again.lower_bound, proven=again.proven, question=again.question,
        k=again.k, requirements=again.requirements, proved=said, **about,
    )  # fmt: skip


def kept_columns(names: Sequence[str], policy: Policy) -> None:
    """Raise `OurBug` where the roles keep other columns than the policy's words say [R1]."""
    named, gone = {*policy.quasi_identifiers, *policy.sensitive}, set(policy.identifiers)
    kept = tuple(name for name in names if name in named or (policy.other == "keep" and name not in gone))
    if kept != tuple(policy.roles.kept(names)):
        raise OurBug("two readings of the roles keep other columns; nothing was verified. Please report this")


def _misses(engine: Engine, original: Opened, fitted: FittedPolicy) -> bool:
    """Return whether a quasi-identifier of the original misses a value."""
    missing = [column.isnull().any() for column in columns_of(engine, original, fitted)]
    with engine.guard("looking for missing values"):
        return any(engine.one(original.data.aggregate(**{f"m{j}": some for j, some in enumerate(missing)})).values())


def _refuse_proof(claims: Mapping[str, Any] | PriceFile) -> None:
    """Refuse a certificate that claims a proof where a NULL may be a star or a missing value [H7]."""
    head = claims.head if isinstance(claims, PriceFile) else claims
    if head.get("lower_bound_checked") != 0 or head.get("proof") != "solver":
        raise unreadable(
            "it claims a proof, and where stars are NULL and a quasi-identifier misses "
            "values there is none; suppressed=text tells the two apart"
        )


def _most(job: Job, fitted: FittedPolicy, engine: Engine, memory: MemoryShare) -> int:
    """Return how many row types may lie in this process."""
    if job.types_in_memory is not None:
        return job.types_in_memory
    heights = fitted.rules.heights().values()
    return most_types(engine, memory, sum(height + 1 for height in heights), len(heights))


def asked_of(fitted: FittedPolicy) -> Asked:
    """Return what the program that is proved is told of a policy."""
    policy = fitted.policy
    return Asked(
        roles=policy.roles, rules=fitted.rules, text=fitted.text, star=fitted.star, levels=fitted.recoding.plain,
        judged=fitted.judged,
    )  # fmt: skip


def _on_grid(
    engine: Engine, before: Opened, after: Opened, fitted: FittedPolicy, claims: Mapping[str, Any] | None
) -> FittedPolicy:
    """Return the policy fitted to the ranges that the release shows, on the grid of the policy or the certificate."""
    rules, names = fitted.rules, ranged_names(fitted.policy)
    if not names:  # [G1]
        raise PolicyError("recoding=grid needs a numeric quasi-identifier without a hierarchy: name it as numeric")
    if not rules.steps and claims is not None:
        told = steps_of(claims)
        if len(told) != len(names):
            raise InputError("the certificate is about other ranged columns than the policy: make it with this policy")
        rules = dataclasses.replace(rules, steps=dict(zip(names, told, strict=True)))
    rules = fitted.recoding.released_rules(engine, before, after, fitted.policy.roles, rules, fitted.star)
    # of the values of ranged columns too, for costs that look at them
    policy, held = fitted.policy, dict(rules.hierarchies)
    counts = count_columns(engine, before, policy.cost, policy.quasi_identifiers, held, numeric=policy.numeric)
    return dataclasses.replace(fitted, rules=dataclasses.replace(rules, counts=counts), hierarchies=held, counts=counts)


def opened_pair(engine: Engine, original: Any, released: Any, job: Job) -> tuple[Opened, Opened, FittedPolicy]:
    """Return an original and its release opened, and the policy fitted to the original.

    Both tables are a path, frame or Arrow table: `original` is read as the policy says, `released` as `incrowd` writes
    it. The job has the policy, and says whether the release was written safe for spreadsheets. `IncrowdError` is raised
    if a table cannot be read, or the policy does not fit the original.
    """
    before = open_source(engine, original, job.policy.reading)
    after = open_source(engine, released, AS_WRITTEN)
    if job.spreadsheet_safe:
        rows, names = bare(engine, after.data, after.names)
        after = dataclasses.replace(after, data=rows, names=tuple(names))
    job.policy.roles.check(before.names, quotable=before.quotable)
    return before, after, read_again(engine, before, job.policy, fit_policy(engine, before, job.policy))


def read_again(engine: Engine, original: Opened, policy: Policy, fitted: FittedPolicy) -> FittedPolicy:
    """Return a fitted policy whose hierarchies, and the columns that may change, the check has read by itself."""
    names, alone = policy.quasi_identifiers, dict(with_values_alone(policy.cost, policy.quasi_identifiers, ()))
    specs: dict[str, Any] = dict.fromkeys(alone, False)
    ranged = ranged_names(policy)
    if policy.other_hierarchies == "auto":
        specs |= {name: True for name in names if name not in ranged}
    for name, spec in policy.hierarchies:
        specs[name] = list(spec.lines) if isinstance(spec, Hierarchy) else plain_spec(spec, name)
    held = read_hierarchies(
        engine, original, specs, fitted.hierarchies, star=fitted.star, complete=policy.complete_hierarchies,
        cost=policy.cost, encoding=policy.reading.encoding,
    )  # fmt: skip
    tops = [2 if name in ranged else held[name].height if name in held else 1 for name in names]
    changed = changing(policy.mask.to_dict(), names, tops)
    text = () if fitted.star is None else tuple(name for name, on in zip(names, changed, strict=True) if on)
    counts = count_columns(engine, original, policy.cost, names, held, numeric=policy.numeric)
    rules = dataclasses.replace(fitted.rules, hierarchies=held, counts=counts)
    return dataclasses.replace(fitted, hierarchies=held, text=text, counts=counts, rules=rules)
