"""Another release beside the one that is attacked: both read in the same codes, and what they say together.

People are counted by the original where it is at hand: of everybody who has a key, the rows of both releases that
cover it and lie in a pairing of all rows are theirs as far as anybody can tell, and so are the sensitive values there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from scipy.sparse import csr_array

from incrowd.errors import InputError, count_of
from incrowd.kernels.crowds import meet
from incrowd.tables.attack.classes import covering
from incrowd.tables.attack.domains import column_domain
from incrowd.tables.classes_by_vector import ClassesByVector
from incrowd.tables.coded import coded, coded_alike
from incrowd.tables.row_numbers import added_up, row_numbers

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    import ibis.expr.types as ir
    from numpy.typing import NDArray

    from incrowd.tables.attack.values import Asked
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Opened
    from incrowd.tables.values import Int8, Int32, Int64


class People(NamedTuple):
    """Whose rows are counted, by the values' codes; -1 where the releases show no such value.

    `here`, `there`: (p, keys) int32, their keys in the first original and in the other (the same where it is not at
    hand). `rows`: (p,) int64. `own`: (p, sensitive) int32, or None, their sensitive values in the first, where people
    are told apart. `both`: of those, ``in_both`` and ``changed``.
    """

    here: Int32
    there: Int32
    rows: Int64
    own: Int32 | None
    both: Mapping[str, int]


@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """Two releases in the same codes.

    `first`, `second`: over the shared quasi-identifiers, then the shared columns that no release changes. `ups`: tuple
    of (h + 1, d) int32. `keys`: how many of the columns are quasi-identifiers. `sensitive`: which columns are
    sensitive.
    """

    first: ShownClasses
    second: ShownClasses
    ups: tuple[Int32, ...]
    keys: int
    sensitive: tuple[int, ...]
    people: People | None


def read_beside(
    engine: Engine,
    releases: Sequence[Opened],
    asked: Asked,
    sensitive: Sequence[str],
    originals: Sequence[Opened] = (),
    person: str | None = None,
) -> Beside:
    """Return two releases in the same codes.

    `asked` is the policy of the first; its hierarchies and star are taken for both. `sensitive` are the columns whose
    values must not be learned. The first of the originals counts people; with both of them and the column that names
    people, once each, those who are in both are counted in the place of everybody in the first. InputError is raised if
    the tables share no quasi-identifier, or the other one shows what the hierarchies do not explain. It takes one GROUP
    BY over the releases and one over the original, or `_people_in_both`; what is kept grows with the classes, told
    apart by the shared kept columns.
    """
    shared = [name for name in releases[0].names if name in releases[1].names]
    keys = [name for name in asked.names if name in shared]
    if not keys:
        raise InputError("the other release shares no quasi-identifier with this one; columns go by their names")
    kept, m = [name for name in shared if name not in asked.names], len(keys)
    names = [*keys, *kept]
    judged = tuple(names.index(name) for name in sensitive if name in kept)
    of, both = [*range(m)] if originals else [], dict[str, int]()  # which column each of the people's is of
    with engine.guard("counting the classes of a release"):
        tables, texts = coded_alike(engine, [(one.data, [one.ids[name] for name in names]) for one in releases])
        held, counts, spelled = np.zeros((0, 0), np.int32), np.zeros(0, np.int64), list[tuple[str | None, ...]]()
        if person is not None:
            of += [*range(m), *judged]
            rows, both = _people_in_both(engine, originals, person, keys, kept, [names[j] for j in judged])
            held, counts, spelled = coded(engine, rows, rows.columns)
        elif originals:
            held, counts, spelled = coded(engine, originals[0].data, [originals[0].ids[name] for name in keys])
    levels, nodes = ([np.zeros(codes.shape, kind) for codes, _ in tables] for kind in (np.int8, np.int32))
    found = np.full(held.shape, -1, np.int32)
    ups = []
    for j, (name, labels) in enumerate(zip(names, texts, strict=True)):
        theirs = [c for c, column in enumerate(of) if column == j]
        values, place = labels, {label: (0, i) for i, label in enumerate(labels)}
        up = np.arange(len(labels), dtype=np.int32)[None, :]
        if j < m:
            plain = name not in asked.hierarchies and name not in asked.domains
            more = [text for c in theirs for text in spelled[c] if plain]  # values that neither release shows
            domain = column_domain(name, list(dict.fromkeys((*labels, *more))), asked)
            values, place, up = domain.values, domain.places(asked.star), domain.ups()
        ups.append(up)
        at = np.array([place[text] for text in labels], np.int32).reshape(-1, 2)
        for side, (codes, _) in enumerate(tables):
            levels[side][:, j] = at[codes[:, j], 0]
            nodes[side][:, j] = up[at[:, 0], at[:, 1]][codes[:, j]]
        code = {value: i for i, value in enumerate(values)}
        for c in theirs:
            found[:, c] = np.array([code.get(text, -1) for text in spelled[c]], np.int32)[held[:, c]]
    first, second = (
        _classes(levels[side], nodes[side], tables[side][1]) for side in (0, 1)
    )  # labels that stand for the same are one
    people = None
    if originals:
        here, there, own = np.split(found, [m, 2 * m], axis=1)
        people = People(here, here if person is None else there, counts, None if person is None else own, both)
    return Beside(first, second, tuple(ups), m, judged, people)


def composed(beside: Beside, k: int, *, same_people: bool, stop: Callable[[], bool]) -> dict[str, Any]:
    """Return what two releases say together.

    `k` is what a crowd should have, `same_people` says whether both hold the same people, and `stop` is asked between
    pieces of work. InputError is raised if the same people are in tables of different length. The facts are
    ``same_people``, ``possible``, ``joint_crowd`` and ``back`` {min, median}, ``below_k`` (rows of the first),
    ``complete``, and with an original ``people`` {rows, least, median, below_k, sensitive_known,
    sensitive_known_alone}.
    """
    first, second = beside.first, beside.second
    rows = [int(one.counts.sum()) for one in (first, second)]
    if same_people and rows[0] != rows[1]:
        raise InputError(
            f"the releases have {rows[0]:,} and {count_of(rows[1], 'row')}, so they do not hold the same people; leave "
            "out same_people"
        )
    joint = joint_classes(first, second, beside.ups, same_people=same_people, stop=stop)
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
        told["people"] = _counted(beside, beside.people, joint, k)
    return told


def _counted(beside: Beside, people: People, joint: Joint, k: int) -> dict[str, Any]:
    """Return how many rows of either release are somebody's as far as can be told, over the people."""
    first, second, keys = beside.first, beside.second, beside.keys
    columns = [np.concatenate(joint.parts)]
    columns += [np.concatenate((first.nodes[:, j], second.nodes[:, j])) for j in range(keys, len(beside.ups))]
    _, label = row_numbers(columns, first.counts.size + second.counts.size)
    (whose_a, at_a), (whose_b, at_b) = (
        _covered(held, beside.ups[:keys], shown) for held, shown in ((people.here, first), (people.there, second))
    )
    labels = int(label.max(initial=-1)) + 1
    tag_a = whose_a * labels + label[at_a]
    tag_b = whose_b * labels + label[first.counts.size + at_b]
    both_a, both_b = np.isin(tag_a, tag_b), np.isin(tag_b, tag_a)
    rows, many = people.rows, people.rows.size
    crowd = added_up(whose_a[both_a], first.counts[at_a[both_a]], many)
    back = added_up(whose_b[both_b], second.counts[at_b[both_b]], many)
    here = crowd > 0  # of somebody who is in both
    known, alone, wrong = (np.zeros(many, np.bool_) for _ in range(3))
    for place, j in enumerate(beside.sensitive):
        left, value = _one_value(whose_a[both_a], first.nodes[at_a[both_a], j], many)
        known |= left
        alone |= _one_value(whose_a, first.nodes[at_a, j], many)[0]
        if people.own is not None:
            wrong |= left & (value != people.own[:, place])
    least = np.minimum(crowd, back)
    learned = {"sensitive_known": known, "sensitive_known_alone": alone}
    learned |= {} if people.own is None else {"sensitive_wrong": wrong}
    return {
        "rows": int(rows[here].sum()),
        "crowd": _spread(least[here], rows[here]),
        "below_k": int(rows[here & (least < k)].sum()),
        **{name: int(rows[here & of].sum()) if beside.sensitive else None for name, of in learned.items()},
        **people.both,
    }


def _covered(people: Int32, ups: Sequence[Int32], shown: ShownClasses) -> tuple[Int64, Int64]:
    """Return which people's keys are covered by which classes, pair by pair."""
    found = covering(people, ups, shown.levels[:, : len(ups)], shown.nodes[:, : len(ups)], MOST_EDGES)
    if found is None:
        raise MemoryError
    return found


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


def _classes(levels: Int8, nodes: Int32, counts: Int64) -> ShownClasses:
    first, which = row_numbers([*levels.T, *nodes.T], len(counts))
    rows = added_up(which, counts, len(first))
    return ShownClasses(np.ascontiguousarray(levels[first]), np.ascontiguousarray(nodes[first]), rows)


# Two releases of the same people, or of people of whom some are in both: whose row may be whose.
#
# A row of one release and a row of the other fit when no shown cell contradicts, level by level, and columns that no
# release changes agree. Where both hold the same people, every pairing of all rows that fit is possible and no other:
# the joint crowd of a row are those rows of the other release that share some perfect pairing with it. It is found
# between classes of equal rows, by one flow and the strong components of what it leaves (C1 to C3 of
# ``docs/papers/composition.md``), never between rows. Where only some people are in both, rows that fit are all that
# can be said.
#
# References
# ----------
# S. R. Ganta, S. P. Kasiviswanathan, A. Smith, "Composition attacks and auxiliary information in data privacy",
# KDD 2008.
# A. L. Dulmage, N. S. Mendelsohn, "Coverings of bipartite graphs", Canadian Journal of Mathematics 10, 1958.
PAIRS_AT_A_TIME = 2048  # pairs of level vectors between two questions whether to stop
MOST_EDGES = 1 << 28  # classes and keys that meet; more would not fit a common machine's memory


@dataclass(frozen=True, slots=True, eq=False)
class ShownClasses:
    """The classes of equal rows of a release, in codes that both releases share.

    `levels`: (t, m) int8, level of each cell; 0 throughout in columns that are never changed. `nodes`: (t, m) int32,
    node that the cell shows at its level. `counts`: (t,) int64, rows of each class, at least 1.
    """

    levels: Int8
    nodes: Int32
    counts: Int64


@dataclass(frozen=True, slots=True, eq=False)
class Joint:
    """Whose row may be whose.

    `possible`: for the same people: whether all rows can be paired at all. Where not, the crowds are those of rows that
    fit. `first`, `second`: (t,) int64, for each class of either release the rows of the other one that a row of it may
    belong with. `parts`: for each class of either release a number, (t,) int32: rows that fit may belong together where
    theirs are equal. `complete`: False where it was stopped before the end; the crowds are those of rows that fit then,
    or 0.
    """

    possible: bool
    first: Int64
    second: Int64
    parts: tuple[Int32, Int32]
    complete: bool


def joint_classes(
    first: ShownClasses, second: ShownClasses, ups: Sequence[Int32], *, same_people: bool, stop: Callable[[], bool]
) -> Joint:
    """Return for every class of two releases how many rows of the other one may belong with a row of it.

    Both releases are over the same columns. `ups` are (h + 1, d) int32 by column: the node of each value at each level;
    one line for a column that is never changed. `same_people` says whether both hold the same people, one row each.
    Else rows that fit are counted, and nothing is excluded for certain. `stop` is asked between pieces of work. Time
    grows with the classes times the other release's level vectors, for the flow times its phases. MemoryError is raised
    where more than 2^28 classes and keys meet.
    """
    a_rows, b_rows = first.counts, second.counts
    keys, (tails, heads), whole = _arcs(first, second, ups, stop)
    n, end = a_rows.size, a_rows.size + keys + b_rows.size
    possible, parts = True, np.zeros(end, np.int32)
    if same_people:
        possible, whole = tails.size > 0 and bool(a_rows.sum() == b_rows.sum()), whole and not stop()
        if whole and possible:
            found = _parts(tails, heads, end, a_rows, b_rows)
            possible, parts = found is not None, parts if found is None else found
    use = parts[tails] == parts[heads]
    arcs = csr_array((np.ones(int(use.sum()), np.int64), (tails[use], heads[use])), shape=(end, end))
    one = arcs @ (arcs @ np.concatenate((np.zeros(n + keys, np.int64), b_rows)))
    two = arcs.T @ (arcs.T @ np.concatenate((a_rows, np.zeros(end - n, np.int64))))
    return Joint(possible, one[:n], two[n + keys :], (parts[:n], parts[n + keys :]), whole)


def _parts(tails: Int32, heads: Int32, end: int, a_rows: Int64, b_rows: Int64) -> Int32 | None:
    """Return the strong component of each node, shape (end,); None where not all rows can be paired through the keys.

    The nodes and arcs are as of `_arcs`; there are fewer than 2^31 rows in all.
    """
    from scipy.sparse.csgraph import connected_components, maximum_flow

    total, ones, twos = int(a_rows.sum()), np.arange(a_rows.size), np.arange(end - b_rows.size, end)
    most = np.concatenate((np.full(tails.size, total), a_rows, b_rows)).astype(np.int32)
    tails = np.concatenate((tails, np.full(ones.size, end), twos))
    heads = np.concatenate((heads, ones, np.full(twos.size, end + 1)))
    graph = csr_array((most, (tails, heads)), shape=(end + 2, end + 2))
    found = maximum_flow(graph, end, end + 1)
    if int(found.flow_value) != total:
        return None
    both = (graph > 0) + (found.flow < 0)  # arcs lead back where rows were sent
    parts: Int32 = connected_components(both[:end, :end], connection="strong")[1]
    return parts


def _arcs(
    first: ShownClasses, second: ShownClasses, ups: Sequence[Int32], stop: Callable[[], bool]
) -> tuple[int, tuple[Int32, Int32], bool]:
    """Return at how many keys classes meet, arcs from classes over keys to classes, and whether all were found.

    Nodes are the classes of the first release, the keys, those that say most first, and the classes of the second.
    """
    a, b = (ClassesByVector.of(one.levels, one.nodes, ups) for one in (first, second))
    heights = np.array([max(len(up) - 1, 1) for up in ups])
    pairs = np.indices((len(a.vectors), len(b.vectors)), np.int64).reshape(2, -1).T
    joint = np.maximum(a.vectors[pairs[:, 0]], b.vectors[pairs[:, 1]])
    pairs = pairs[np.argsort((joint / heights).sum(axis=1), kind="stable")]
    found = [(np.zeros(0, np.int32),) * 4]
    keys, met, whole = 0, 0, True
    for at in range(0, len(pairs), PAIRS_AT_A_TIME):
        if stop():
            whole = False
            break
        some = np.ascontiguousarray(pairs[at : at + PAIRS_AT_A_TIME])
        keys, *edges = meet(some, a.vectors, b.vectors, a.offsets, a.nodes, b.nodes, a.start, b.start, keys)
        found.append(tuple(edges))
        met += edges[0].size + edges[2].size
        if met > MOST_EDGES:
            raise MemoryError
    a_class, a_key, b_class, b_key = (np.concatenate(part) for part in zip(*found, strict=True))
    n, (ones, twos) = first.counts.size, (one.order.astype(np.int32) for one in (a, b))
    tails = np.concatenate((ones[a_class], n + b_key))
    return keys, (tails, np.concatenate((n + a_key, n + keys + twos[b_class]))), whole


# Who is in two tables at once, by a column that names people.
def _people_in_both(
    engine: Engine, tables: Sequence[Opened], person: str, keys: Sequence[str], kept: Sequence[str],
    sensitive: Sequence[str],
) -> tuple[ir.Table, dict[str, int]]:  # fmt: skip
    """Return a row for everybody who is in two tables, how many they are, and of how many a kept column differs.

    The rows hold their keys in the first table, their keys in the second, and their sensitive values in the first. Both
    tables are originals. `person` is the column that names people, once each. `keys` are shared quasi-identifiers,
    `kept` shared columns that no release changes, and `sensitive` those of them that are sensitive. InputError is
    raised if a column is missing, or names somebody twice. It takes one GROUP BY a table and one join; people without a
    name are in neither.
    """
    sides = []
    for side, which, table in zip("ab", ("original", "original of the other release"), tables, strict=True):
        for name in (person, *keys):
            if name not in table.names:
                raise InputError(f"the {which} has no column {name!r}; people are told apart and held together by it")
        short = {f"{side}": person, **{f"{side}{j}": name for j, name in enumerate(keys)}}
        short |= {f"{side}c{j}": name for j, name in enumerate(kept) if name in table.names}
        one = table.data.select(**{label: engine.text(table.data[table.ids[name]]) for label, name in short.items()})
        one = one.filter(one[side].notnull())
        with engine.guard("counting people"):
            times = one.group_by(side).aggregate(n=lambda table: table.count())
            twice = int(engine.one(times.filter(times.n > 1).aggregate(n=lambda table: table.count()))["n"])
        if twice:
            raise InputError(
                f"{person!r} names {count_of(twice, 'person')} in several rows of the {which}; people are "
                "counted where each has one row"
            )
        sides.append(one)
    joined = sides[0].inner_join(sides[1], sides[0]["a"] == sides[1]["b"])
    held = [(f"ac{j}", f"bc{j}") for j in range(len(kept))]
    both = [(joined[a], joined[b]) for a, b in held if a in joined.columns and b in joined.columns]
    differ = reduce(or_, (~a.identical_to(b) for a, b in both), joined["a"].isnull())
    with engine.guard("counting people"):
        told = engine.one(joined.aggregate(n=joined.count(), changed=differ.sum()))
    chosen = [
        *(f"{side}{j}" for side in "ab" for j in range(len(keys))),
        *(f"ac{kept.index(name)}" for name in sensitive),
    ]
    return joined.select(chosen), {"in_both": int(told["n"]), "changed": int(told["changed"] or 0)}
