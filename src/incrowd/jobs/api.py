"""The public functions: settings as keywords in, a job done, a result out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.jobs.anonymize import anonymize as anonymize_job
from incrowd.jobs.audit import audit as audit_job
from incrowd.jobs.check import rows_and_policy
from incrowd.jobs.estimate import estimate as estimate_job
from incrowd.jobs.kernel import kernel as kernel_job
from incrowd.jobs.several.ledger import warn_of_earlier
from incrowd.jobs.tradeoff import tradeoff as tradeoff_job
from incrowd.jobs.usefulness import usefulness as usefulness_job
from incrowd.jobs.verify import verify as verify_job
from incrowd.policy.job_of import beside, job_of, job_on
from incrowd.policy.python_calls import from_python
from incrowd.progress import Event, StoppedBy, Watch
from incrowd.results.check import Violations

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping
    from pathlib import Path
    from threading import Event as Stop
    from typing import Unpack

    from incrowd.policy.job import Job, Policy
    from incrowd.policy.keywords import CheckKeywords, Keywords
    from incrowd.results.audit import AuditResult
    from incrowd.results.estimate import Estimate
    from incrowd.results.kernel import Kernel
    from incrowd.results.release import Release
    from incrowd.results.tradeoff import Tradeoff
    from incrowd.results.usefulness import Usefulness

__all__ = ["anonymize", "audit", "estimate", "kernel", "tradeoff", "usefulness", "verify"]


@from_python
def anonymize(
    data: Any = None, policy: Policy | Job | str | Path | None = None, *, people: str | None = None,
    on_event: Callable[[Event], None] | None = None, stop: Stop | None = None, **settings: Unpack[Keywords],
) -> Release:  # fmt: skip
    """Release a table: every row looks like at least k-1 others, at the least loss found.

    Parameters
    ----------
    data : path, pandas or polars frame, Arrow table, list of dicts
        The table. Left out, the policy's own source is read.
    policy : Policy, Job or path of a policy file, optional
        What to start from.
    people : str, optional
        Whose data it is, in your own words: earlier releases of these people in the ledger (``incrowd ledger``) are
        warned of, by the logger ``incrowd``, before the search.
    on_event : callable, optional
        Called with every `incrowd.progress.Event`: progress in names and counts. What it raises ends the call.
    stop : threading.Event, optional
        Once set, by another thread or by `on_event`, the search ends with the best release so far.
    **settings
        Every setting of the command line by its name with underscores: ``quasi_identifiers``, ``sensitive``, ``k``,
        ``mask``, ``weights``, ``solver``, ``time_limit``, ``output``, ... A table or a list joins the policy's (None
        takes that away); any other stands in place of the policy's.

    Returns
    -------
    Release
        Verified; ``release.table`` is the kind of table that came in.

    Raises
    ------
    PolicyError, InputError
        Wrong use or bad input, in one sentence.
    Infeasible
        No release can meet the policy, or none was found.
    SolverDeclined
        The named solver does not take this problem.

    Examples
    --------
    >>> import pyarrow as pa, incrowd
    >>> table = pa.table({"age": [31, 31, 47, 52], "sex": ["f", "f", "m", "m"]})
    >>> release = incrowd.anonymize(table, quasi_identifiers=["age", "sex"], k=2)
    >>> release.cost, release.optimal
    (2, True)
    """
    job = job_on(data, policy, settings)
    if people is not None:
        warn_of_earlier(people, job)
    return anonymize_job(job, StoppedBy(Watch(on_event=on_event), stop))


@from_python
def audit(
    data: Any = None, policy: Policy | Job | str | Path | None = None, *,
    on_event: Callable[[Event], None] | None = None, **settings: Unpack[Keywords],
) -> AuditResult:  # fmt: skip
    """Say how risky a table is as it is: its classes, the risks, and which columns give people away.

    Parameters
    ----------
    data : path, pandas or polars frame, Arrow table, list of dicts
        The table. Left out, the policy's own source is read.
    policy : Policy, Job or path of a policy file, optional
    on_event : callable, optional
        Called with every `incrowd.progress.Event`.
    **settings
        As for `anonymize`: ``quasi_identifiers`` (without them every column that is no identifier and not
        sensitive), ``sensitive``, ``identifiers``, ``k``, ``outliers``, ``star``, ...

    Returns
    -------
    AuditResult
        ``ok`` is False where the table does not meet ``k``; names and numbers, no cell.

    Raises
    ------
    PolicyError, InputError
        Wrong use or bad input, in one sentence.

    Examples
    --------
    >>> import pyarrow as pa, incrowd
    >>> table = pa.table({"age": [31, 31, 47, 52], "sex": ["f", "f", "m", "m"]})
    >>> found = incrowd.audit(table, quasi_identifiers=["age", "sex"], k=2)
    >>> found.k, found.unique_rows, found.risks["marketer"], found.ok
    (1, 2, 0.75, False)
    """
    return audit_job(job_on(data, policy, settings), Watch(on_event=on_event))


@from_python
def estimate(
    data: Any = None, policy: Policy | Job | str | Path | None = None, *,
    on_event: Callable[[Event], None] | None = None, **settings: Unpack[Keywords],
) -> Estimate:  # fmt: skip
    """Say what releasing a table would take: it is read and compressed, and nothing is released.

    Parameters
    ----------
    data : path, pandas or polars frame, Arrow table, list of dicts
        The table. Left out, the policy's own source is read.
    policy : Policy, Job or path of a policy file, optional
    on_event : callable, optional
        Called with every `incrowd.progress.Event`.
    **settings
        As for `anonymize`.

    Returns
    -------
    Estimate
        With ``facts``, ``summary()`` and ``to_json()``: rows, row types, memory, disk, and seconds by stage.

    Raises
    ------
    PolicyError, InputError
        Wrong use or bad input, in one sentence; a ``memory`` that the job cannot keep.
    SolverDeclined
        The named solver does not take this problem.

    Examples
    --------
    >>> import pyarrow as pa, incrowd
    >>> table = pa.table({"age": [31, 31, 47, 52], "sex": ["f", "f", "m", "m"]})
    >>> found = incrowd.estimate(table, quasi_identifiers=["age", "sex"], k=2)
    >>> found.facts["rows"], found.facts["row_types"]
    (4, 3)
    """
    return estimate_job(job_on(data, policy, settings), Watch(on_event=on_event))


@from_python
def kernel(
    data: Any = None,
    policy: Policy | Job | str | Path | None = None,
    *,
    on_event: Callable[[Event], None] | None = None,
    **settings: Unpack[Keywords],
) -> Kernel:
    """Take equal rows out of a table that change nothing about the least cost of a k-anonymous release.

    Of every row type at most 2 k^2 2^m copies stay (m quasi-identifiers; with hierarchies the number of level vectors
    for 2^m), so that the kernel's size no longer depends on the number of rows. A release of the kernel, made by
    whatever means, leads back to one of the table at the same cost.

    Parameters
    ----------
    data : path, pandas or polars frame, Arrow table, list of dicts
        The table. Left out, the policy's own source is read.
    policy : Policy, Job or path of a policy file, optional
        For k-anonymity alone, by levels, under a mask that allows rows as they are.
    on_event : callable, optional
        Called with every `incrowd.progress.Event`.
    **settings
        As for `anonymize`.

    Returns
    -------
    Kernel
        With ``table``, ``facts`` (sizes before and after) and ``back(released)``.

    Raises
    ------
    PolicyError, InputError
        Wrong use or bad input, in one sentence; a policy that has no kernel.

    References
    ----------
    .. [1] J. Blocki, R. Williams, "Resolving the Complexity of Some Data Privacy Problems", Algorithm 1.

    Examples
    --------
    >>> import pyarrow as pa, incrowd
    >>> table = pa.table({"age": [31] * 90 + [47], "sex": ["f"] * 91})
    >>> policy = {"quasi_identifiers": ["age", "sex"], "k": 2}
    >>> small = incrowd.kernel(table, **policy)
    >>> small.facts["rows_before"], small.facts["rows"], small.facts["most_copies"]
    (91, 33, 32)
    >>> release = incrowd.anonymize(small.table, **policy)
    >>> release.cost, small.back(release).num_rows, incrowd.verify(table, small.back(release), **policy)
    (2, 91, [])
    """
    return kernel_job(job_on(data, policy, settings), Watch(on_event=on_event))


@from_python
def tradeoff(
    data: Any = None,
    policy: Policy | Job | str | Path | None = None,
    *,
    ks: Iterable[int],
    ls: Iterable[Any] = (), ts: Iterable[Any] = (), solvers: Iterable[str] = ("auto",),
    costs: Iterable[str] = (), attack: bool = False,
    on_event: Callable[[Event], None] | None = None, stop: Stop | None = None,
    **settings: Unpack[Keywords],
) -> Tradeoff:  # fmt: skip
    """Say what a table loses for every k, and what any release must lose: people choose k by this curve.

    Parameters
    ----------
    data : path, pandas or polars frame, Arrow table, list of dicts
        The table. Left out, the policy's own source is read.
    policy : Policy, Job or path of a policy file, optional
        Its k is not needed.
    ks : iterable of int
    ls, ts : iterable of numbers, optional
        Thresholds for l and t in place of the policy's; every combination is solved.
    solvers, costs : iterable of str
        As for ``solver`` and ``cost``; every one is solved by.
    attack : bool
        Count what each release would give away, as it is and under every ``blunt``.
    on_event : callable, optional
        Called with every `incrowd.progress.Event`.
    stop : threading.Event, optional
        As for `anonymize`.
    **settings
        As for `anonymize`; ``time_limit`` is each point's.

    Returns
    -------
    Tradeoff
        With ``points``, ``table`` (Arrow), ``plot()`` (Altair) and ``report(path)``. Nothing is released.

    Raises
    ------
    PolicyError, InputError
        Wrong use or bad input, in one sentence.

    Examples
    --------
    >>> import pyarrow as pa, incrowd
    >>> table = pa.table({"age": [31, 31, 47, 52], "sex": ["f", "f", "m", "m"]})
    >>> found = incrowd.tradeoff(table, quasi_identifiers=["age", "sex"], ks=[1, 2, 4])
    >>> [(point["k"], point["cost"], point["lower_bound"]) for point in found.points]
    [(1, 0, 0), (2, 2, 2), (4, 8, 8)]
    """
    job = job_on(data, policy, settings)
    watch = StoppedBy(Watch(on_event=on_event), stop)
    return tradeoff_job(job, ks=ks, ls=ls, ts=ts, solvers=solvers, costs=costs, attack=attack, watch=watch)


@from_python
def verify(
    original: Any, released: Any, policy: Policy | Job | str | Path | None = None, *,
    certificate: str | Path | Mapping[str, Any] | None = None, proved: bool = False,
    **settings: Unpack[CheckKeywords],
) -> Violations:  # fmt: skip
    """Recount a release from the original and the released table alone.

    Parameters
    ----------
    original, released : path, frame or Arrow table
        In any row order; a `Release` is its rows, and brings its policy along.
    policy : Policy, Job or path of a policy file, optional
    certificate : path or mapping, optional
        What `Release.certificate` wrote: its cost and bound are recounted too.
    proved : bool
        Ask the program whose correctness is machine-proved too; its answer is ``proved`` of what is returned.
    **settings
        As for `anonymize`; ``time_limit`` is one on the recount of the certificate, and on that program.

    Returns
    -------
    list of Violation
        Empty when the release is good; with a certificate: ``cost``, ``lower_bound``, ``proven``, ``question``, ``k``.

    Raises
    ------
    PolicyError, InputError
        Wrong use, bad input, or a question above the stated limit.
    """
    released, policy = rows_and_policy(released, policy)
    job = beside(job_of(policy), settings)
    limit = job.time_limit if "time_limit" in settings else None  # that of a policy is for its search
    return Violations.of(verify_job(original, released, job, certificate, proved=proved, time_limit=limit))


@from_python
def usefulness(
    original: Any, released: Any, policy: Policy | Job | str | Path | None = None, *,
    target: str | None = None, queries: int = 1000, **settings: Unpack[Keywords],
) -> Usefulness:  # fmt: skip
    """Hold what analysts find in a release against what they find in its original.

    Parameters
    ----------
    original, released : path, frame or Arrow table
        In any row order; a `Release` is its rows, and brings its policy along.
    policy : Policy, Job or path of a policy file, optional
        That of the release: which columns changed, and by which hierarchies.
    target : str, optional
        A column that a model is to learn from the release (needs scikit-learn).
    queries : int
        Random counts that are asked, 1 to 1,000,000.
    **settings
        As for `anonymize`; ``time_limit`` is one on the questions, once both tables are read.

    Returns
    -------
    Usefulness
        Each figure beside what another sample of the same size would give.

    Raises
    ------
    PolicyError, InputError
        Wrong use, bad input, or a release that the policy does not explain.
    """
    released, policy = rows_and_policy(released, policy)
    job = beside(job_of(policy), settings)
    limit = job.time_limit if "time_limit" in settings else None  # that of a policy is for its search
    return usefulness_job(original, released, job, target=target, queries=queries, time_limit=limit)
