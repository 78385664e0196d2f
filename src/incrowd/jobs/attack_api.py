"""The public function for attacks: a release or its file in, what it gives away out."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.jobs.attack import attack as attack_job
from incrowd.policy.job_of import beside, job_of
from incrowd.policy.python_calls import from_python
from incrowd.progress import Event, Watch
from incrowd.results.facts_file import read_facts
from incrowd.results.release import Release

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path
    from typing import Unpack

    from incrowd.policy.job import Job, Policy
    from incrowd.policy.keywords import Keywords
    from incrowd.results.attack import Attack

__all__ = ["attack"]


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
    limit = settings.get("time_limit")
    if isinstance(release, Release):
        job = beside(release.job if policy is None else job_of(policy), settings)
        facts, release = release.facts if facts is None else facts, release.table
    else:
        job = beside(job_of(policy), settings)
    tables = [one.table if isinstance(one, Release) else one for one in others]
    return attack_job(
        release, job, facts=None if facts is None else read_facts(facts), knows=knows, domains=domains,
        original=original, same_order=same_order, others=tables, same_people=same_people, person=person,
        others_originals=others_originals, time_limit=limit, watch=Watch(on_event=on_event),
    )  # fmt: skip
