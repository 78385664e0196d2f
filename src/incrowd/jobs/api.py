"""The public functions: settings as keywords in, a job done, a result out."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.jobs.anonymize import anonymize as anonymize_job
from incrowd.jobs.attack import attack as attack_job
from incrowd.jobs.audit import audit as audit_job
from incrowd.jobs.estimate import estimate as estimate_job
from incrowd.jobs.ledger import warn_of_earlier
from incrowd.jobs.reductions import kernel as kernel_job
from incrowd.jobs.tradeoff import tradeoff as tradeoff_job
from incrowd.jobs.usefulness import usefulness as usefulness_job
from incrowd.jobs.verify import verify as verify_job
from incrowd.policy.python_calls import beside, from_python, job_of, job_on
from incrowd.progress import Event, StoppedBy, Watch
from incrowd.results.attack import read_facts
from incrowd.results.release import Release

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence
    from threading import Event as Stop
    from typing import Unpack

    from incrowd.policy.job import Job, Policy
    from incrowd.policy.keywords import CheckKeywords, Keywords
    from incrowd.results.attack import Attack
    from incrowd.results.audit import AuditResult
    from incrowd.results.check import Violations
    from incrowd.results.estimate import Estimate
    from incrowd.results.kernel import Kernel
    from incrowd.results.tradeoff import Tradeoff
    from incrowd.results.usefulness import Usefulness


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
    released, job, limit = _held_to(released, policy, settings)
    file = policy if isinstance(policy, (str, Path)) else None
    return verify_job(
        original, released, job, certificate, proved=proved, time_limit=limit, file=file, given=settings.keys()
    )


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
    released, job, limit = _held_to(released, policy, settings)
    return usefulness_job(original, released, job, target=target, queries=queries, time_limit=limit)


# The public function for attacks: a release or its file in, what it gives away out.
@from_python
def attack(
    release: Any, policy: Policy | Job | str | Path | None = None, *,
    facts: str | Path | Mapping[str, Any] | None = None, knows: Sequence[str] = (),
    domains: Mapping[str, Any] | None = None, original: Any = None, same_order: bool = False,
    others: Sequence[Any] = (), same_people: bool = False,
    person: str | None = None, others_originals: Sequence[Any] = (),
    on_event: Callable[[Event], None] | None = None, **settings: Unpack[Keywords],
) -> Attack:  # fmt: skip
    """Say what a release gives away to somebody who knows how it was made.

    Parameters
    ----------
    release : Release, path, frame or Arrow table
        A `Release` brings its policy and what it says of itself along; only its rows and these are reasoned from.
    policy : Policy, Job or path of a policy file, optional
        That the release was made under.
    facts : path or mapping, optional
        What was published: ``release.facts``, or the file that holds the answer of ``incrowd anonymize --json``.
        Without it the release is taken for one of the least cost, and what follows is *claimed*.
    knows : sequence of str
        What the attacker is taken to know: ``policy``, ``bound``, ``cost``, ``settled``, ``solver``. Default: all.
    domains : mapping of str to path or sequence of str, optional
        By column all values that are possible; without it, or a hierarchy that lists them, values are excluded and
        never determined.
    original : path, frame or Arrow table, optional
        Counts the inferences that are wrong; it changes none.
    same_order : bool
        Whether the rows of release and original have the same order.
    others : sequence of Release, path, frame or Arrow table
        Other releases, each held against this one: who may be whom.
    same_people : bool
        Whether they hold the same people as this one, one row each.
    person : str, optional
        Column of the originals that names people, once each: of those who are in both it is counted exactly what two
        releases leave of them. Needs `original` and `others_originals`.
    others_originals : sequence of path, frame or Arrow table
        The originals of the other releases, in their order.
    on_event : callable, optional
        Called with every `incrowd.progress.Event`.
    **settings
        As for `anonymize`; ``time_limit`` is one on the rules, once the release is read.

    Returns
    -------
    Attack
        With ``facts``, ``summary()`` and ``to_json()``: names and numbers, no cell.

    Raises
    ------
    PolicyError, InputError
        Wrong use, bad input, or a release that the policy does not explain.

    Examples
    --------
    >>> import pyarrow as pa, incrowd
    >>> table = pa.table({"age": [31, 31, 31, 47, 52], "sex": ["f", "f", "m", "m", "f"]})
    >>> release = incrowd.anonymize(table, quasi_identifiers=["age", "sex"], k=2)
    >>> found = incrowd.attack(release, domains={"sex": ["f", "m"]})
    >>> found.premises["settled"], found.excluded_cells
    ('proven', 3)
    """
    if facts is None and isinstance(release, Release):
        facts = release.facts
    release, job, limit = _held_to(release, policy, settings)
    tables = [one.table if isinstance(one, Release) else one for one in others]
    return attack_job(
        release, job, facts=None if facts is None else read_facts(facts), knows=knows, domains=domains,
        original=original, same_order=same_order, others=tables, same_people=same_people, person=person,
        others_originals=others_originals, time_limit=limit, watch=Watch(on_event=on_event),
    )  # fmt: skip


def _held_to(released: Any, policy: Any, settings: Mapping[str, Any]) -> tuple[Any, Job, float | None]:
    """Return the rows of a release, the job that they are held to, and the limit on that; a policy's is for its search.

    A `Release` brings its policy along, where no other is named.
    """
    if isinstance(released, Release):
        released, policy = released.table, released.job if policy is None else policy
    job = beside(job_of(policy), settings)
    return released, job, job.time_limit if "time_limit" in settings else None
