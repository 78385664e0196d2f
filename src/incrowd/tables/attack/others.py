"""Another release beside the one that is attacked: both read in the same codes, and what they say together.

People are counted by the original where it is at hand: of everybody who has a key, the rows of both releases that
cover it and lie in a pairing of all rows are theirs as far as anybody can tell, and so are the sensitive values there.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError, count_of
from incrowd.tables.attack.composition import ShownClasses, joint_crowds
from incrowd.tables.attack.domains import column_domain
from incrowd.tables.row_numbers import row_numbers
from incrowd.tables.usefulness.coded_tables import coded_rows

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import ibis.expr.types as ir
    from numpy.typing import NDArray

    from incrowd.tables.attack.composition import Joint
    from incrowd.tables.attack.persons import Both
    from incrowd.tables.attack.terms import Asked
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.values import Int8, Int32, Int64

__all__ = ["Beside", "composed", "read_beside", "shared_columns"]


@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """Two releases in the same codes.

    Attributes
    ----------
    first, second : ShownClasses
        Over the shared quasi-identifiers, then the shared columns that no release changes.
    ups : tuple of (h + 1, d) int32
    keys : int
        How many of the columns are quasi-identifiers.
    sensitive : tuple of int
        Which columns are sensitive.
    people : (p, keys) int32, or None
        The keys in the original, by the values' codes; -1 where the releases show no such value.
    people_rows : (p,) int64, or None
    people_there : (p, keys) int32, or None
        The keys of the same people in the other original (None: they are the same).
    own : (p, sensitive) int32, or None
        Their sensitive values in the original, where people are told apart.
    """

    first: ShownClasses
    second: ShownClasses
    ups: tuple[Int32, ...]
    keys: int
    sensitive: tuple[int, ...]
    people: Int32 | None = None
    people_rows: Int64 | None = None
    people_there: Int32 | None = None
    own: Int32 | None = None


def read_beside(
    engine: Engine,
    releases: Sequence[tuple[ir.Table, Mapping[str, str]]],
    asked: Asked,
    sensitive: Sequence[str],
    original: tuple[ir.Table, Mapping[str, str]] | None = None,
    persons: Both | None = None,
) -> Beside:
    """Return two releases in the same codes.

    Each release, and `original` too, is a pair: a table, and the engine's name of each column by the user's. `asked` is
    the policy of the first; its hierarchies and star are taken for both. `sensitive` are the columns whose values must
    not be learned. The original counts people; `persons` counts those who are known to be in both, over
    `shared_columns`, in the place of everybody in the original.

    InputError is raised if the tables share no quasi-identifier, or the other one shows what the hierarchies do not
    explain. It takes one GROUP BY a table; what is kept grows with the classes, told apart by the shared kept columns.
    """
    keys, kept = shared_columns([columns for _, columns in releases], asked)
    judged = tuple(len(keys) + kept.index(name) for name in sensitive if name in kept)
    names = [*keys, *kept]
    tables = [_grouped(engine, rows, [columns[name] for name in names]) for rows, columns in releases]
    people = None if original is None else _grouped(engine, original[0], [original[1][name] for name in keys])
    if persons is not None:
        people = _grouped(engine, persons.rows, list(persons.rows.columns))
    levels = [np.zeros(codes.shape, np.int8) for codes, _, _ in tables]
    nodes = [np.zeros(codes.shape, np.int32) for codes, _, _ in tables]
    sides = 1 if persons is None else 2
    found = None if people is None else np.full(people[0].shape, -1, np.int32)
    ups = []
    for j, name in enumerate(names):
        texts = [table[2][j] for table in tables]
        plain = name not in asked.hierarchies and name not in asked.fitted and name not in asked.domains
        if people is not None and j < len(keys) and plain:
            texts += people[2][j :: len(keys)][:sides]  # values that neither release shows
        both = tuple(dict.fromkeys(text for some in texts for text in some))
        up, place, value = _coded(name, both, asked, key=j < len(keys))
        ups.append(up)
        for side, (codes, _, known) in enumerate(tables):
            at = [place[text] for text in known[j]]
            levels[side][:, j] = np.array([level for level, _ in at], np.int8)[codes[:, j]]
            nodes[side][:, j] = np.array([node for _, node in at], np.int32)[codes[:, j]]
        if found is not None and people is not None:
            coded = [j + len(keys) * side for side in range(sides)] if j < len(keys) else []
            if persons is not None and j in judged:
                coded = [sides * len(keys) + judged.index(j)]
            for column in coded:
                code = np.array([value.get(text, -1) for text in people[2][column]], np.int32)
                found[:, column] = code[people[0][:, column]]
    first, second = (
        _classes(levels[side], nodes[side], tables[side][1]) for side in (0, 1)
    )  # labels that stand for the same are one
    if found is None or people is None:
        return Beside(first, second, tuple(ups), len(keys), judged)
    m = len(keys)
    there, own = (None, None) if persons is None else (found[:, m : 2 * m], found[:, 2 * m :])
    return Beside(first, second, tuple(ups), m, judged, found[:, :m], people[1], there, own)


def shared_columns(columns: Sequence[Iterable[str]], asked: Asked) -> tuple[list[str], list[str]]:
    """Return the quasi-identifiers that two releases share, and the shared columns that neither changes.

    `columns` are those of either release. InputError is raised if they share no quasi-identifier.
    """
    shared = [name for name in columns[0] if name in set(columns[1])]
    keys = [name for name in asked.names if name in shared]
    if not keys:
        raise InputError("the other release shares no quasi-identifier with this one; columns go by their names")
    return keys, [name for name in shared if name not in asked.names]


def composed(beside: Beside, k: int, *, same_people: bool, stop: Callable[[], bool]) -> tuple[dict[str, Any], Int64]:
    """Return what two releases say together, and for each class of the first the joint crowd.

    `k` is what a crowd should have, `same_people` says whether both hold the same people, and `stop` is asked between
    pieces of work. InputError is raised if the same people are in tables of different length.

    The facts are ``same_people``, ``possible``, ``joint_crowd`` and ``back`` {min, median}, ``below_k`` (rows of the
    first), ``complete``, and with an original ``people`` {rows, least, median, below_k, sensitive_known,
    sensitive_known_alone}. The crowds are (t,) int64.
    """
    first, second = beside.first, beside.second
    rows = [int(one.counts.sum()) for one in (first, second)]
    if same_people and rows[0] != rows[1]:
        raise InputError(
            f"the releases have {rows[0]:,} and {count_of(rows[1], 'row')}, so they do not hold the same people; leave "
            "out --same-people"
        )
    joint = joint_crowds(first, second, beside.ups, same_people=same_people, stop=stop)
    told: dict[str, Any] = {
        "same_people": same_people,
        "possible": joint.possible,
        "rows": rows[1],
        "joint_crowd": _spread(joint.first, first.counts),
        "back": _spread(joint.second, second.counts),
        "below_k": int(first.counts[joint.first < k].sum()),
        "complete": joint.complete,
        "people": None,
    }
    if beside.people is not None and joint.possible and joint.complete:
        told["people"] = _people(beside, joint, k)
    return told, joint.first


def _people(beside: Beside, joint: Joint, k: int) -> dict[str, Any]:
    """Return how many rows of either release are somebody's as far as can be told, over everybody in the original."""
    assert beside.people is not None and beside.people_rows is not None
    first, second, keys = beside.first, beside.second, beside.keys
    parts_a, parts_b = _parts(joint, first.counts.size, second.counts.size)
    columns = [np.concatenate((parts_a, parts_b))]
    columns += [np.concatenate((first.nodes[:, j], second.nodes[:, j])) for j in range(keys, len(beside.ups))]
    _, label = row_numbers(columns, first.counts.size + second.counts.size)
    whose_a, at_a = _covers(beside, first, beside.people)
    whose_b, at_b = _covers(beside, second, beside.people if beside.people_there is None else beside.people_there)
    labels = int(label.max(initial=-1)) + 1
    tag_a = whose_a * labels + label[at_a]
    tag_b = whose_b * labels + label[first.counts.size + at_b]
    both_a, both_b = np.isin(tag_a, tag_b), np.isin(tag_b, tag_a)
    people = len(beside.people_rows)
    crowd = np.zeros(people, np.int64)
    np.add.at(crowd, whose_a[both_a], first.counts[at_a[both_a]])
    back = np.zeros(people, np.int64)
    np.add.at(back, whose_b[both_b], second.counts[at_b[both_b]])
    here = crowd > 0  # of somebody who is in both
    known, alone, wrong = (np.zeros(people, np.bool_) for _ in range(3))
    for place, j in enumerate(beside.sensitive):
        left, value = _one_value(whose_a[both_a], first.nodes[at_a[both_a], j], people)
        known |= left
        alone |= _one_value(whose_a, first.nodes[at_a, j], people)[0]
        if beside.own is not None:
            wrong |= left & (value != beside.own[:, place])
    rows = beside.people_rows
    least = np.minimum(crowd, back)
    told = (
        {} if beside.own is None else {"sensitive_wrong": int(rows[here & wrong].sum()) if beside.sensitive else None}
    )
    return {
        "rows": int(rows[here].sum()),
        "crowd": _spread(least[here], rows[here]),
        "below_k": int(rows[here & (least < k)].sum()),
        "sensitive_known": int(rows[here & known].sum()) if beside.sensitive else None,
        "sensitive_known_alone": int(rows[here & alone].sum()) if beside.sensitive else None,
        **told,
    }


def _covers(beside: Beside, shown: ShownClasses, people: Int32) -> tuple[Int64, Int64]:
    """Return which people's keys are covered by which classes, pair by pair."""
    keys = beside.keys
    known = np.flatnonzero((people >= 0).all(axis=1))
    instances, which = row_numbers([*shown.levels[:, :keys].T, *shown.nodes[:, :keys].T], shown.counts.size)
    of_instance = np.argsort(which, kind="stable")
    start = np.concatenate(([0], np.cumsum(np.bincount(which, minlength=len(instances)))))
    persons = ShownClasses(
        np.zeros((known.size, keys), np.int8), np.ascontiguousarray(people[known]), np.ones(known.size, np.int64)
    )
    classes = ShownClasses(
        np.ascontiguousarray(shown.levels[instances, :keys]), np.ascontiguousarray(shown.nodes[instances, :keys]),
        np.ones(len(instances), np.int64),
    )  # fmt: skip
    met = joint_crowds(persons, classes, beside.ups[:keys], same_people=False)
    # a key is one instance, and the people whose key it covers
    instance = np.repeat(np.arange(met.key_b.size - 1), np.diff(met.key_b))
    of_key = np.zeros(met.key_b.size - 1, np.int64)
    of_key[instance] = met.b_class
    key = np.repeat(np.arange(met.key_a.size - 1), np.diff(met.key_a))
    whose, where = known[met.a_class], of_key[key]
    lengths = (start[1:] - start[:-1])[where]
    out = np.repeat(whose, lengths)
    offset = np.arange(lengths.sum()) - np.repeat(np.cumsum(lengths) - lengths, lengths)
    return out.astype(np.int64), of_instance[np.repeat(start[:-1][where], lengths) + offset].astype(np.int64)


def _parts(joint: Joint, a: int, b: int) -> tuple[Int64, Int64]:
    if joint.parts is None:
        return np.zeros(a, np.int64), np.zeros(b, np.int64)
    return joint.parts[:a].astype(np.int64), joint.parts[joint.parts.size - b :].astype(np.int64)


def _one_value(whose: Int64, values: Int32, people: int) -> tuple[NDArray[np.bool_], Int64]:
    """Return of whom all rows show the same value, and which."""
    low = np.full(people, np.iinfo(np.int32).max, np.int64)
    high = np.full(people, -1, np.int64)
    np.minimum.at(low, whose, values)
    np.maximum.at(high, whose, values)
    return np.asarray(low == high), low


def _spread(crowds: Int64, rows: Int64) -> dict[str, int | None]:
    """Return the least crowd and the median over rows."""
    if not rows.sum():
        return {"min": None, "median": None}
    order = np.argsort(crowds, kind="stable")
    half = int(np.searchsorted(np.cumsum(rows[order]), (int(rows.sum()) + 1) // 2))
    return {"min": int(crowds.min()), "median": int(crowds[order][half])}


def _grouped(
    engine: Engine, rows: ir.Table, columns: Sequence[str]
) -> tuple[Int32, Int64, list[tuple[str | None, ...]]]:
    """Return the different rows in some columns as codes, their numbers, and the texts by code."""
    with engine.guard("counting the classes of a release"):
        short = {f"q{j}": engine.text(rows[column]) for j, column in enumerate(columns)}
        grouped = rows.select(**short).group_by(list(short)).aggregate(n=lambda r: r.count().cast("int64"))
        return coded_rows(engine.fetch(grouped), list(short))


def _classes(levels: Int8, nodes: Int32, counts: Int64) -> ShownClasses:
    first, which = row_numbers([*levels.T, *nodes.T], len(counts))
    rows = np.zeros(len(first), np.int64)
    np.add.at(rows, which, counts)
    return ShownClasses(np.ascontiguousarray(levels[first]), np.ascontiguousarray(nodes[first]), rows)


def _coded(
    name: str, labels: Sequence[str | None], asked: Asked, *, key: bool
) -> tuple[Int32, dict[str | None, tuple[int, int]], dict[str | None, int]]:
    """Return the nodes of a column's values at every level, the place of every label, and the code of every value."""
    if not key:
        value = {label: i for i, label in enumerate(labels)}
        return np.arange(len(labels), dtype=np.int32)[None, :], {one: (0, i) for one, i in value.items()}, value
    domain = column_domain(
        name, labels, star=asked.star, spec=asked.hierarchies.get(name), fitted=asked.fitted.get(name),
        domain=asked.domains.get(name), complete=asked.complete, encoding=asked.encoding,
    )  # fmt: skip
    values = domain.values or (None,)
    lines = [(one,) for one in values] if domain.fitted is None else domain.fitted.shown()
    height = 1 if domain.fitted is None else domain.fitted.height  # lines end below the star
    up = np.zeros((height + 1, len(lines)), np.int32)
    place: dict[str | None, tuple[int, int]] = {}
    for level in range(height):
        number: dict[str | None, int] = {}
        for i, line in enumerate(lines):
            up[level, i] = number.setdefault(line[level], len(number))
            place.setdefault(line[level], (level, int(up[level, i])))
    place[asked.star] = (height, 0)
    return up, place, {line[0]: i for i, line in enumerate(lines)}
