"""Joint crowds against every pairing of the rows, tried one by one."""

from __future__ import annotations

import itertools

import numpy as np

from incrowd.tables.attack.others import Joint, ShownClasses, joint_classes
from seeds import seeds

CHAIN = np.array([[0, 1, 2, 3], [0, 0, 1, 1], [0, 0, 0, 0]], np.int32)
STAR = np.array([[0, 1, 2], [0, 0, 0]], np.int32)
KEPT = np.array([[0, 1]], np.int32)


def rows_drawn(rng: np.random.Generator, ups: list[np.ndarray], n: int) -> list[tuple[int, ...]]:
    return [tuple(int(rng.integers(up.shape[1])) for up in ups) for _ in range(n)]


def released(
    rng: np.random.Generator, rows: list[tuple[int, ...]], ups: list[np.ndarray]
) -> list[tuple[tuple[int, int], ...]]:
    """Each cell as (level, node), at a random level."""
    out = []
    for row in rows:
        levels = [int(rng.integers(up.shape[0])) for up in ups]
        out.append(tuple((level, int(up[level, v])) for level, up, v in zip(levels, ups, row, strict=True)))
    return out


def classes(rows: list[tuple[tuple[int, int], ...]]) -> tuple[ShownClasses, list[int]]:
    kinds = sorted(set(rows))
    shown = np.array(kinds, np.int32).reshape(len(kinds), -1, 2)
    counts = np.array([rows.count(kind) for kind in kinds], np.int64)
    return ShownClasses(shown[:, :, 0].astype(np.int8), shown[:, :, 1], counts), [kinds.index(row) for row in rows]


def values(cell: tuple[int, int], up: np.ndarray) -> set[int]:
    return set(np.flatnonzero(up[cell[0]] == cell[1]).tolist())


def fit(one: tuple, other: tuple, ups: list[np.ndarray]) -> bool:
    """Some value of each column is shown by both cells."""
    return all(values(x, up) & values(y, up) for x, y, up in zip(one, other, ups, strict=True))


def by_trying(first: list, second: list, ups: list[np.ndarray]) -> tuple[bool, list[set[int]]]:
    """Every perfect pairing of the rows: who is somebody's partner in one."""
    partners: list[set[int]] = [set() for _ in first]
    ok = [[fit(x, y, ups) for y in second] for x in first]
    some = False
    for order in itertools.permutations(range(len(second))):
        if all(ok[i][j] for i, j in enumerate(order)):
            some = True
            for i, j in enumerate(order):
                partners[i].add(j)
    return some, partners


def partners_found(joint: Joint, a: int, b: int, keys: int) -> set[tuple[int, int]]:
    out = set()
    for x in range(keys):
        for i in joint.a_class[joint.key_a[x] : joint.key_a[x + 1]].tolist():
            for j in joint.b_class[joint.key_b[x] : joint.key_b[x + 1]].tolist():
                if joint.parts is None or joint.parts[i] == joint.parts[a + keys + j]:
                    assert (i, j) not in out, "no two classes share two keys"
                    out.add((i, j))
    return out


@seeds(4000)
def test_joint_crowds_are_those_of_all_perfect_pairings(seed):
    rng = np.random.default_rng(seed)
    ups = [[CHAIN, STAR, KEPT], [STAR, STAR], [CHAIN], [STAR, CHAIN, STAR]][seed % 4]
    rows = rows_drawn(rng, ups, int(rng.integers(1, 7)))
    first = released(rng, rows, ups)
    others = rows if seed % 5 else rows_drawn(rng, ups, len(rows))  # some that are not the same people
    second = [released(rng, others, ups)[i] for i in rng.permutation(len(rows))]
    (one, of_first), (two, of_second) = classes(first), classes(second)
    joint = joint_classes(one, two, ups, same_people=True)
    possible, partners = by_trying(first, second, ups)
    assert joint.complete
    assert joint.possible == possible
    assert possible or seed % 5 == 0
    if not possible:
        return
    assert [int(joint.first[c]) for c in of_first] == [len(found) for found in partners]
    back = [sum(j in found for found in partners) for j in range(len(second))]
    assert [int(joint.second[c]) for c in of_second] == back
    pairs = {(of_first[i], of_second[j]) for i, found in enumerate(partners) for j in found}
    assert partners_found(joint, one.counts.size, two.counts.size, joint.key_a.size - 1) == pairs


@seeds(500)
def test_rows_that_fit_are_counted_where_only_some_people_are_in_both(seed):
    rng = np.random.default_rng(seed)
    ups = [[CHAIN, STAR], [STAR, KEPT]][seed % 2]
    first = released(rng, rows_drawn(rng, ups, int(rng.integers(1, 9))), ups)
    second = released(rng, rows_drawn(rng, ups, int(rng.integers(1, 9))), ups)
    (one, of_first), (two, of_second) = classes(first), classes(second)
    joint = joint_classes(one, two, ups, same_people=False)
    assert [int(joint.first[c]) for c in of_first] == [sum(fit(x, y, ups) for y in second) for x in first]
    assert [int(joint.second[c]) for c in of_second] == [sum(fit(x, y, ups) for x in first) for y in second]


def test_a_stopped_run_says_so():
    rows = [((0, 0),), ((1, 0),)]
    shown, _ = classes(rows)
    assert not joint_classes(shown, shown, [STAR], same_people=True, stop=lambda: True).complete
