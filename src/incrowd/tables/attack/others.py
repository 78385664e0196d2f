"""Another release beside the one that is attacked: both read in the same codes, and what they say together.

People are counted by the original where it is at hand: of everybody who has a key, the rows of both releases that
cover it and lie in a pairing of all rows are theirs as far as anybody can tell, and so are the sensitive values there.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import reduce
from operator import or_
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.errors import InputError, count_of
from incrowd.kernels.crowds import meet
from incrowd.tables.attack.domains import column_domain
from incrowd.tables.classes_by_vector import ClassesByVector
from incrowd.tables.coded import coded
from incrowd.tables.row_numbers import added_up, row_numbers, runs

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    import ibis.expr.types as ir
    from numpy.typing import NDArray

    from incrowd.tables.attack.values import Asked
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.values import Int8, Int32, Int64


@dataclass(frozen=True, slots=True, eq=False)
class Beside:
    """Two releases in the same codes.

    `first`, `second`: over the shared quasi-identifiers, then the shared columns that no release changes. `ups`: tuple
    of (h + 1, d) int32. `keys`: how many of the columns are quasi-identifiers. `sensitive`: which columns are
    sensitive. `people`: (p, keys) int32, or None, the keys in the original, by the values' codes; -1 where the releases
    show no such value. `people_rows`: (p,) int64, or None. `people_there`: (p, keys) int32, or None, the keys of the
    same people in the other original (None: they are the same). `own`: (p, sensitive) int32, or None, their sensitive
    values in the original, where people are told apart.
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
    `shared_columns`, in the place of everybody in the original. InputError is raised if the tables share no
    quasi-identifier, or the other one shows what the hierarchies do not explain. It takes one GROUP BY a table; what is
    kept grows with the classes, told apart by the shared kept columns.
    """
    keys, kept = shared_columns([columns for _, columns in releases], asked)
    judged = tuple(len(keys) + kept.index(name) for name in sensitive if name in kept)
    names = [*keys, *kept]
    with engine.guard("counting the classes of a release"):
        tables = [coded(engine, rows, [columns[name] for name in names]) for rows, columns in releases]
        people = None if original is None else coded(engine, original[0], [original[1][name] for name in keys])
        if persons is not None:
            people = coded(engine, persons.rows, list(persons.rows.columns))
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
            mine = [j + len(keys) * side for side in range(sides)] if j < len(keys) else []
            if persons is not None and j in judged:
                mine = [sides * len(keys) + judged.index(j)]
            for column in mine:
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
        told["people"] = _people(beside, joint, k)
    return told


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
    crowd = added_up(whose_a[both_a], first.counts[at_a[both_a]], people)
    back = added_up(whose_b[both_b], second.counts[at_b[both_b]], people)
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
    met = joint_classes(persons, classes, beside.ups[:keys], same_people=False)
    # a key is one instance, and the people whose key it covers
    of_key = np.zeros(met.keys, np.int64)
    of_key[met.b_key] = met.b_class
    whose, where = known[met.a_class], of_key[met.a_key]
    which, place = runs(start[where], np.diff(start)[where])
    return whose[which].astype(np.int64), of_instance[place].astype(np.int64)


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


def _classes(levels: Int8, nodes: Int32, counts: Int64) -> ShownClasses:
    first, which = row_numbers([*levels.T, *nodes.T], len(counts))
    rows = added_up(which, counts, len(first))
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
    lines = [(one,) for one in values] if domain.fitted is None else domain.fitted.shown
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
    belong with. `complete`: False where it was stopped before the end; the crowds are those of rows that fit then, or
    0. `keys`: how many keys there are. `a_class`, `a_key`, `b_class`, `b_key`: (e,) int32, class and key of each edge,
    on either side. Classes of either release that stand at the same key fit. `parts`: (classes + keys + classes,) int32
    or None, strong components: classes at one key may belong together where theirs are equal (None: wherever they fit).
    """

    possible: bool
    first: Int64
    second: Int64
    complete: bool
    keys: int
    a_class: Int32
    a_key: Int32
    b_class: Int32
    b_key: Int32
    parts: Int32 | None


def joint_classes(
    first: ShownClasses,
    second: ShownClasses,
    ups: Sequence[Int32],
    *,
    same_people: bool,
    stop: Callable[[], bool] = lambda: False,
) -> Joint:
    """Return for every class of two releases how many rows of the other one may belong with a row of it.

    Both releases are over the same columns. `ups` are (h + 1, d) int32 by column: the node of each value at each level;
    one line for a column that is never changed. `same_people` says whether both hold the same people, one row each.
    Else rows that fit are counted, and nothing is excluded for certain. `stop` is asked between pieces of work. Time
    grows with the classes times the other release's level vectors, for the flow times its phases. MemoryError is raised
    where more than 2^28 classes and keys meet.
    """
    heights = np.array([int(up.shape[0]) - 1 for up in ups])
    a = ClassesByVector.of(first.levels, first.nodes, ups)
    b = ClassesByVector.of(second.levels, second.nodes, ups)
    a_rows, b_rows = first.counts, second.counts
    keys, (a_class, a_key, b_class, b_key), whole = _keys(a, b, heights, stop)
    a_class, b_class = a.order.astype(np.int32)[a_class], b.order.astype(np.int32)[b_class]
    possible, parts = True, None
    if same_people:
        possible, whole = a_class.size > 0 and bool(a_rows.sum() == b_rows.sum()), whole and not stop()
        if whole and possible:
            possible, sent, got = _paired((a_class, a_key, a_rows), (b_class, b_key, b_rows), keys)
            whole = not stop()
            if whole and possible:
                parts = _strong_parts((a_class, a_key, sent), (b_class, b_key, got), a_rows.size, keys, b_rows.size)
    one, two = _crowds(a_rows, b_rows, a_class, a_key, b_class, b_key, keys, parts)
    return Joint(possible, one, two, whole, keys, a_class, a_key, b_class, b_key, parts)


def _paired(
    first: tuple[Int32, Int32, Int64], second: tuple[Int32, Int32, Int64], keys: int
) -> tuple[bool, Int64, Int64]:
    """Return whether all rows can be paired through the keys, and the rows along each edge of a largest pairing.

    Of either side class and key of each edge and the rows of each class; fewer than 2^31 rows in all.
    """
    from scipy.sparse import csr_array
    from scipy.sparse.csgraph import maximum_flow

    (a_class, a_keys, a_rows), (b_class, b_keys, b_rows) = first, second
    source = a_rows.size + keys + b_rows.size
    here, there = a_rows.size + a_keys.astype(np.int64), a_rows.size + b_keys.astype(np.int64)
    twos = a_rows.size + keys + b_class.astype(np.int64)
    ends = np.arange(a_rows.size), a_rows.size + keys + np.arange(b_rows.size)
    tails = np.concatenate((np.full(a_rows.size, source), a_class, there, ends[1]))
    heads = np.concatenate((ends[0], here, twos, np.full(b_rows.size, source + 1)))
    most = np.concatenate((a_rows, a_rows[a_class], b_rows[b_class], b_rows)).astype(np.int32)
    graph = csr_array((most, (tails, heads)), shape=(source + 2, source + 2))
    found = maximum_flow(graph, source, source + 1)
    sent, got = (np.asarray(found.flow[ends]).reshape(-1).astype(np.int64) for ends in ((a_class, here), (there, twos)))
    return int(found.flow_value) == int(a_rows.sum()), sent, got


def _strong_parts(
    first: tuple[Int32, Int32, Int64], second: tuple[Int32, Int32, Int64], a: int, keys: int, b: int
) -> Int32:
    """Return the strong component of every class of the first release, key and class of the second.

    Of either side class and key of each edge and the rows along it. Arcs lead from a class of the first to its keys and
    from a key to its classes of the second, and back where rows were sent.
    """
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    (a_class, a_keys, sent), (b_class, b_keys, got) = first, second
    ones, here, twos = a_class.astype(np.int64), a + a_keys.astype(np.int64), a + keys + b_class.astype(np.int64)
    there, back, home = a + b_keys.astype(np.int64), sent > 0, got > 0
    tails = np.concatenate((ones, there, here[back], twos[home]))
    heads = np.concatenate((here, twos, ones[back], there[home]))
    arcs = coo_array((np.ones(tails.size, np.bool_), (tails, heads)), shape=(a + keys + b,) * 2)
    parts: Int32 = connected_components(arcs, connection="strong")[1]
    return parts


def _keys(
    a: ClassesByVector, b: ClassesByVector, heights: NDArray[np.integer], stop: Callable[[], bool]
) -> tuple[int, tuple[Int32, Int32, Int32, Int32], bool]:
    """Return the keys at which classes meet, those that say most first, and whether all were found."""
    pairs = np.stack(np.meshgrid(np.arange(len(a.vectors)), np.arange(len(b.vectors)), indexing="ij"), -1)
    pairs = pairs.reshape(-1, 2).astype(np.int64)
    joint = np.maximum(a.vectors[pairs[:, 0]], b.vectors[pairs[:, 1]])
    pairs = pairs[np.argsort((joint / np.maximum(heights, 1)).sum(axis=1), kind="stable")]
    found: list[tuple[Int32, ...]] = []
    keys, met = 0, 0
    for at in range(0, len(pairs), PAIRS_AT_A_TIME):
        if stop():
            return keys, _joined(found), False
        some = np.ascontiguousarray(pairs[at : at + PAIRS_AT_A_TIME])
        keys, *edges = meet(some, a.vectors, b.vectors, a.offsets, a.nodes, b.nodes, a.start, b.start, keys)
        found.append(tuple(edges))
        met += edges[0].size + edges[2].size
        if met > MOST_EDGES:
            raise MemoryError
    return keys, _joined(found), True


def _joined(found: Sequence[tuple[Int32, ...]]) -> tuple[Int32, Int32, Int32, Int32]:
    """Return the edges of all pieces, side by side."""
    none = np.zeros(0, np.int32)
    one, two, three, four = (np.concatenate([none, *(edges[c] for edges in found)]) for c in range(4))
    return one, two, three, four


def _crowds(
    a: Int64, b: Int64, a_class: Int32, a_keys: Int32, b_class: Int32, b_keys: Int32, keys: int, parts: Int32 | None
) -> tuple[Int64, Int64]:
    """Return the rows of the other release that may belong with a row of each class."""
    use_a, use_b = np.ones(a_class.size, np.bool_), np.ones(b_class.size, np.bool_)
    if parts is not None:
        here = parts[a.size : a.size + keys]
        use_a = parts[a_class] == here[a_keys]
        use_b = parts[a.size + keys + b_class.astype(np.int64)] == here[b_keys]
    found = []
    one, two = (a, a_class, a_keys, use_a), (b, b_class, b_keys, use_b)
    for (mine, my_class, my_keys, my_use), (other, its_class, its_keys, its_use) in ((one, two), (two, one)):
        rows = added_up(its_keys[its_use], other[its_class[its_use]], keys)
        found.append(added_up(my_class[my_use], rows[my_keys[my_use]], mine.size))
    return found[0], found[1]


# Who is in two tables at once, by a column that names people: their keys in either one, and what they are like.
@dataclass(frozen=True, slots=True, eq=False)
class Both:
    """The people of two tables.

    `rows`: a row for everybody who is in both: ``a0``, ``a1``, ... their key in the first, ``b0``, ... in the second,
    ``s0``, ... their sensitive values in the first. `people`: how many they are. `changed`: of how many of them a
    column that no release changes differs between the tables.
    """

    rows: ir.Table
    people: int
    changed: int


def people_in_both(
    engine: Engine,
    tables: Sequence[tuple[ir.Table, Mapping[str, str]]],
    person: str,
    keys: Sequence[str],
    kept: Sequence[str],
    sensitive: Sequence[str],
) -> Both:
    """Return who is in two tables.

    The engine holds both tables, which are two originals, each with the engine's name of each column by the user's.
    `person` is the column that names people, once each. `keys` are shared quasi-identifiers, `kept` shared columns that
    no release changes, and `sensitive` those of them that are sensitive. InputError is raised if a column is missing,
    or names somebody twice. It takes one GROUP BY a table and one join; people without a name are in neither.
    """
    sides = []
    for number, (rows, columns) in enumerate(tables):
        which = "original" if number == 0 else "original of the other release"
        for name in (person, *keys):
            if name not in columns:
                raise InputError(f"the {which} has no column {name!r}; people are told apart and held together by it")
        held = [name for name in kept if name in columns]
        with engine.guard("counting people"):
            short = {"who": engine.text(rows[columns[person]])}
            short |= {f"k{j}": engine.text(rows[columns[name]]) for j, name in enumerate(keys)}
            short |= {f"c{kept.index(name)}": engine.text(rows[columns[name]]) for name in held}
            one = rows.select(**short).filter(lambda table: table.who.notnull())
            times = one.group_by("who").aggregate(n=lambda table: table.count().cast("int64"))
            twice = int(
                engine.fetch(times.filter(times.n > 1).aggregate(n=lambda table: table.count()))["n"][0].as_py()
            )
        if twice:
            raise InputError(
                f"{person!r} names {count_of(twice, 'person')} in several rows of the {which}; people are "
                "counted where each has one row"
            )
        sides.append((one, {name: f"c{kept.index(name)}" for name in held}))
    (first, own), (second, other) = sides
    left = first.rename({f"a_{name}": name for name in first.columns})
    right = second.rename({f"b_{name}": name for name in second.columns})
    joined = left.inner_join(right, left.a_who == right.b_who)
    chosen = {f"a{j}": joined[f"a_k{j}"] for j in range(len(keys))}
    chosen |= {f"b{j}": joined[f"b_k{j}"] for j in range(len(keys))}
    chosen |= {f"s{j}": joined[f"a_{own[name]}"] for j, name in enumerate(sensitive) if name in own}
    both = [(joined[f"a_{own[name]}"], joined[f"b_{other[name]}"]) for name in kept if name in own and name in other]
    differ = reduce(or_, (~a.identical_to(b) for a, b in both)) if both else joined.a_who.isnull()
    with engine.guard("counting people"):
        told = joined.aggregate(n=joined.count().cast("int64"), changed=differ.sum().cast("int64"))
        counted = engine.fetch(told)
    changed = counted["changed"][0].as_py()
    return Both(joined.select(**chosen), int(counted["n"][0].as_py()), int(changed or 0))
