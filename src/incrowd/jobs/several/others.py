"""Other releases beside the one that is attacked: opened, read in the same codes, and told together."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import PolicyError
from incrowd.tables.attack.others import composed, read_beside, shared_columns
from incrowd.tables.attack.persons import people_in_both
from incrowd.tables.read import label_of, open_source

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from incrowd.policy.job import Policy
    from incrowd.progress import Watch
    from incrowd.tables.attack.terms import Asked
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Opened

__all__ = ["composition", "refuse_uncounted"]


def composition(
    engine: Engine,
    opened: Opened,
    others: Sequence[Any],
    policy: Policy,
    asked: Asked,
    *,
    same_people: bool,
    original: Any,
    open_other: Callable[[Any], Opened],
    watch: Watch,
    person: str | None = None,
    originals: Sequence[Any] = (),
) -> dict[str, Any]:
    """Return what a release and others say together.

    `opened` is the release. Each of `others`, a path, frame or Arrow table that `open_other` opens, is held against it
    by itself. `asked` is the policy as an attacker holds it. `same_people` says whether all hold the same people, one
    row each. `original`, a path, frame, Arrow table or None, counts people. The watch says when to stop.

    `person` is the column of the originals that names people: those who are in both are counted, one by one. It needs
    `originals`, the originals of the others in their order.

    In the result ``joint_crowd``, ``below_k`` and ``sensitive_known`` are the least over the others, and ``others`` has
    each by itself. `InputError` is raised if a table cannot be read, or they share no quasi-identifier.
    """
    people = None
    if original is not None:
        before = open_source(engine, original, policy.reading)
        policy.roles.check(before.names, quotable=before.quotable)
        people = (before.data, _columns(before))
    k = int(policy.k or 1)
    lines = []
    for number, other in enumerate(others):
        second = open_other(other)
        tables = [(one.data, _columns(one)) for one in (opened, second)]
        both = None
        if person is not None and people is not None:
            after = open_source(engine, originals[number], policy.reading)
            keys, kept = shared_columns([columns for _, columns in tables], asked)
            judged = [name for name in policy.all_sensitive if name in kept]
            both = people_in_both(engine, [people, (after.data, _columns(after))], person, keys, kept, judged)
        beside = read_beside(engine, tables, asked, policy.all_sensitive, people, both)
        told, _ = composed(beside, k, same_people=same_people, stop=lambda: watch.stopped)
        if both is not None and told["people"] is not None:
            told["people"] |= {"in_both": both.people, "changed": both.changed}
        lines.append({"release": label_of(other).strip("'"), **told})
    told_of = [line["people"] for line in lines if line["people"] is not None]
    known = [one["sensitive_known"] for one in told_of if one["sensitive_known"] is not None]
    worst = min(lines, key=lambda line: (line["joint_crowd"]["min"], line["joint_crowd"]["median"]))
    return {
        "joint_crowd": worst["joint_crowd"],
        "below_k": int(np.max([line["below_k"] for line in lines])),
        "sensitive_known": max(known) if known else None,
        "others": lines,
    }


def refuse_uncounted(person: str | None, original: Any, others: Sequence[Any], originals: Sequence[Any]) -> None:
    """Refuse a column of people without the tables to count them in, and these without it.

    `original` is a path, frame, Arrow table or None; `others` and `originals` are the other releases, and their
    originals. `PolicyError` is raised if one is missing.
    """
    if person is None and originals:
        raise PolicyError("others_originals says who is in the other release: name the column of people with person")
    if person is not None and (original is None or not others or len(originals) != len(others)):
        raise PolicyError(
            "person counts who is in both tables: name original, and for each of others its own original with "
            "others_originals"
        )


def _columns(opened: Opened) -> dict[str, str]:
    return {name: f"c{i}" for i, name in enumerate(opened.names)}
