"""The instances worth opening under requirements, and what their inner problems read."""

from __future__ import annotations

import dataclasses
from typing import TYPE_CHECKING, Any

import numpy as np

from incrowd.kernels.bounds import inner_classes as kernel
from incrowd.kernels.bounds.cheapest_valid import cheapest_valid
from incrowd.kernels.bounds.inner_classes import Lists, Metrics
from incrowd.progress import WithDeadline
from incrowd.tables.count_rules import Family
from incrowd.tables.solve.bounds.lagrangian import Stopped
from incrowd.tables.solve.shared.instances import Instances, list_instances
from incrowd.tables.solve.shared.requirement_check import kinds_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.progress import Fact, Watch
    from incrowd.tables.count_rules import CountRule
    from incrowd.tables.protocols import Requirement
    from incrowd.tables.solve.shared.problem_arrays import ProblemArrays
    from incrowd.tables.values import Int8, Int64, Problem

Float64 = np.ndarray[tuple[int, ...], np.dtype[np.float64]]
# Whether small classes are listed, the valid ones' rows per kind, and their sizes.
Small = tuple[bool, "NDArray[np.int16]", "Int64"]
NO_SMALL: Small = (False, np.zeros((0, 1), np.int16), np.zeros(0, np.int64))

CLOSE = (Family.TREE, Family.LINE, Family.TRANSPORT)
# What thresholds are above, and steps below, what a rule says in floating point.
ABOVE = 1e-13
# Values from which on only the equal distance is looked at: a metric has their square of distances.
MOST_VALUES = 512
UNKNOWN = 1e-12


class _Impatient(WithDeadline):
    """A watch that ends what tells it of its progress."""

    def report(self, stage: str, **facts: Fact) -> None:
        """Tell an event, unless it is time to stop."""
        if self.stopped:
            raise Stopped
        super().report(stage, **facts)


def rules_of(problem: Problem) -> list[tuple[int, CountRule]]:
    """Return the requirements' rules, each with the place of its requirement."""
    return [(place, rule) for place, asked in enumerate(problem.requirements) for rule in asked.count_rules()]


def instances_of(problem: Problem, *, watch: Watch, most_pairs: int) -> Instances:
    """List the undominated instances; row types differ in kinds too, and an instance's members are sorted by kind.

    Fully suppressed rows are judged, so at least one row is needed everywhere. At most `most_pairs` pairs of a type and
    an instance are held in memory, else TooManyInstances is raised; Stopped is raised when the watch said stop before
    the end. Time as `list_instances`, and O(pairs log pairs).
    """
    found = list_instances(problem, watch=_Impatient(watch, watch.deadline), most_pairs=most_pairs)
    judged = dataclasses.replace(found, needs=np.maximum(found.needs, 1))
    return by_kind(judged, kinds_of(problem).astype(np.int64))


def by_kind(instances: Instances, kinds: Int64) -> Instances:
    """Return the instances with their members sorted by kind, (t,) of each type; O(pairs log pairs)."""
    return dataclasses.replace(instances, members=kernel.by_kind(instances.begins, instances.members, kinds))


def laid_out(problem: Problem, instances: Instances, below: int, small: Small) -> Lists:
    """Return instances and rules as the kernels read them.

    Classes with fewer than `below` rows are looked at in whole numbers; `small` are those that `small_classes` lists.
    O(R pairs); memory 4 R bytes a pair.
    """
    placed = rules_of(problem)
    rules = [rule for _, rule in placed]
    kinds = kinds_of(problem).astype(np.int64)
    at = np.zeros((len(rules), instances.pairs), np.int32)
    first = np.zeros((len(rules), instances.size + 1), np.int64)
    share: list[Float64] = [np.zeros(0)]
    total: list[Int64] = [np.zeros(0, np.int64)]
    value: list[NDArray[np.int32]] = [np.zeros(0, np.int32)]
    slots = 0
    for r, (rule, part) in enumerate(zip(rules, shares_of(rules), strict=True)):
        at[r], first[r], which = kernel.slots(
            instances.begins, instances.members, kinds, rule.code, rule.values, slots
        )  # fmt: skip
        share.append(part[which])
        total.append(rule.totals[which])
        value.append(which)
        slots += which.size
    level, equal = levels_of(problem, placed)
    rows = np.array([rule.totals.sum() for rule in rules], np.int64)
    listed, vectors, sizes = small
    lists = Lists(
        begins=instances.begins, members=instances.members, counts=instances.counts, needs=instances.needs,
        kinds=kinds, rows=instances.rows,
        family=np.array([_family(rule) for rule in rules], np.int64),
        least=np.array([rule.least for rule in rules], np.int64), level=level, equal=equal,
        at=at, first=first, share=np.concatenate(share), total=np.concatenate(total), value=np.concatenate(value),
        n=int(rows.max(initial=1)), whole_below=below, listed=listed, vectors=vectors, sizes=sizes,
        large=np.zeros(instances.size, np.bool_),
    )  # fmt: skip
    largest = kernel.largest_classes(
        lists.begins, lists.members, lists.counts, lists.rows, lists.family, lists.least, equal, at, first, lists.share
    )
    return lists._replace(large=largest >= np.maximum(instances.needs, below))


def shares_of(rules: Sequence[CountRule]) -> list[Float64]:
    """Return by rule the share of each value: what a class may have of it, or for closeness what the table has."""
    return [
        rule.totals / rule.totals.sum() if rule.family in CLOSE
        else np.minimum(rule.share * (1 + ABOVE), 1.0) if rule.family == Family.SHARES
        else np.zeros(rule.values)
        for rule in rules
    ]  # fmt: skip


def levels_of(problem: Problem, placed: Sequence[tuple[int, CountRule]]) -> tuple[Float64, Float64]:
    """Return the rules' thresholds, at least the true ones, and those of the equal distance that they imply."""
    level = np.array([rule.level * (1 + ABOVE) + 1e-15 for _, rule in placed])
    near = [_least_distance(problem, place, rule) for place, rule in placed]
    return level, np.array([min(most / least, 2.0) for most, least in zip(level.tolist(), near, strict=True)])


def cheapest_rows(problem: Problem, encoded: ProblemArrays, vectors: Int8) -> Int64:
    """Return what a row of each type costs at least in an instance that may hold a valid class, shape (t,).

    `vectors` are the patterns of the mask. O(p t).
    """
    placed = rules_of(problem)
    rules, kinds = [rule for _, rule in placed], kinds_of(problem)
    values = np.array([rule.code[kinds] for rule in rules], np.int64).reshape(len(rules), encoded.t)
    _, equal = levels_of(problem, placed)
    best = encoded.row_costs(np.array(problem.top, np.int8))
    cheapest_valid(
        encoded.table, encoded.start, encoded.heights, vectors, encoded.costs, encoded.counts, problem.k, values,
        np.concatenate(([0], np.cumsum([rule.values for rule in rules]))).astype(np.int64),
        np.array([_family(rule) for rule in rules], np.int64), np.array([rule.least for rule in rules], np.int64),
        equal, _joined(shares_of(rules)), best,
    )  # fmt: skip
    return best


def with_a_class(problem: Problem, instances: Instances, below: int, small: Small) -> Instances:
    """Return the instances that hold a valid class, as far as a recount with the same `below` can tell.

    Where small classes are not listed, sizes that closeness rules out are not looked at one by one. `instances` are as
    `instances_of` lists them, and classes with fewer than `below` rows are looked at one by one; `small` are those
    that `small_classes` lists.
    """
    lists = laid_out(problem, instances, 1, NO_SMALL)
    keep = lists.large
    if below > 1 and not small[0]:
        apart = np.full_like(lists.equal, 2.0)
        most = kernel.largest_classes(
            lists.begins, lists.members, lists.counts, lists.rows, lists.family, lists.least, apart, lists.at,
            lists.first, lists.share,
        )  # fmt: skip
        keep = most >= instances.needs
    return instances.only(keep)


def metrics_of(problem: Problem) -> Metrics:
    """Return the rules' distances as the kernels read them."""
    rules = [rule for _, rule in rules_of(problem)]
    close = [rule.family in CLOSE for rule in rules]
    none = np.zeros(0)
    share = [part if c else none for part, c in zip(shares_of(rules), close, strict=True)]
    length = [
        np.append(rule.length, 0.0) * (1 - ABOVE) if rule.family == Family.LINE else np.zeros(part.size)
        for rule, part in zip(rules, share, strict=True)
    ]
    node = [rule.node.reshape(-1).astype(np.int64) for rule in rules]
    distance = [rule.distance.reshape(-1) * (1 - ABOVE) for rule in rules]
    return Metrics(
        value_at=_begins(share), share=_joined(share), length=_joined(length),
        node_at=_begins(node), node=_joined(node).astype(np.int64),
        distance_at=_begins(distance), distance=_joined(distance),
    )  # fmt: skip


def distances(rule: CountRule) -> Float64:
    """Return the distances between all v values of a rule of closeness, at most the true ones, shape (v, v)."""
    if rule.family == Family.TREE:
        apart = np.zeros((rule.values, rule.values))
        for nodes in rule.node:
            apart += nodes[:, None] != nodes[None, :]
        return np.asarray(apart / max(len(rule.node), 1) * (1 - ABOVE), np.float64)
    if rule.family == Family.LINE:
        place = np.concatenate(([0.0], np.cumsum(rule.length)))
        return np.asarray(np.abs(place[:, None] - place[None, :]) * (1 - ABOVE), np.float64)
    return np.asarray(rule.distance * (1 - ABOVE), np.float64)


def _least_distance(problem: Problem, place: int, rule: CountRule) -> float:
    """Return the least distance between two different values, at most the true one (tiny: it is not known, or 0)."""
    if rule.family not in CLOSE or rule.values < 2:
        return UNKNOWN
    if _is_equal(rule):
        return 1.0
    if rule.family == Family.LINE:
        if np.unique(rule.code).size < problem_values(problem, place):
            return UNKNOWN  # two values at one place
        return max(float(rule.length.min()) * (1 - ABOVE), UNKNOWN)
    if rule.values > MOST_VALUES:
        return UNKNOWN
    return max(float((distances(rule) + np.eye(rule.values)).min()), UNKNOWN)


def column_of(problem: Problem, place: int) -> NDArray[np.int32]:
    """Return the value of each kind in the column that a requirement judges, shape (kinds,).

    `place` is that of the requirement among the problem's, from 0.
    """
    assert problem.sensitive is not None
    (name,) = problem.requirements[place].judged
    return problem.sensitive.codes[:, problem.sensitive.names.index(name)]


def problem_values(problem: Problem, place: int) -> int:
    """Return how many values there are in the column that a requirement judges."""
    return int(np.unique(column_of(problem, place)).size)


def _is_equal(rule: CountRule) -> bool:
    return rule.family == Family.TREE and len(rule.node) == 1 and np.unique(rule.node[0]).size == rule.values


def _family(rule: CountRule) -> int:
    return kernel.EQUAL if _is_equal(rule) else int(rule.family)


def _begins(parts: Sequence[NDArray[Any]]) -> Int64:
    return np.concatenate(([0], np.cumsum([part.size for part in parts]))).astype(np.int64)


def _joined(parts: Sequence[NDArray[Any]]) -> Float64:
    return np.concatenate([np.zeros(0), *parts]).astype(np.float64)


# The classes of few rows, one by one: every count of rows per kind that meets the requirements.

# Counts of rows per kind that are listed at most.
LISTED = 1 << 15


def listed_below(problem: Problem, below: int) -> bool:
    """Return whether the classes with fewer than `below` rows are few enough to be listed."""
    return 0 < possible_classes(problem, below) <= LISTED


def small_classes(problem: Problem, below: int) -> Small:
    """Return whether classes of fewer than `below` rows are listed, and the valid ones as `valid_classes` does."""
    if not listed_below(problem, below):
        return NO_SMALL
    return True, *valid_classes(problem, below)


def possible_classes(problem: Problem, below: int) -> int:
    """Return how many counts of rows per kind a class of 1 to `below` - 1 rows can have; above `LISTED` any number.

    This takes O(kinds * below), and only as long as there are few.
    """
    ways = [1] + [0] * (below - 1)
    for rows in _rows_of_kinds(problem).tolist():
        sums = [0, *np.cumsum(np.array(ways, object)).tolist()]
        ways = [sums[v + 1] - sums[max(v - rows, 0)] for v in range(below)]
        if sum(ways) - 1 > LISTED:
            break
    return int(sum(ways)) - 1


def valid_classes(problem: Problem, below: int) -> tuple[NDArray[np.int16], Int64]:
    """Return the rows per kind of every valid class of fewer than `below` rows, shape (c, kinds), and their sizes.

    `listed_below` must hold for `below`. Sorted by size. O(kinds * `LISTED`), and one question to every requirement. An
    instance that another one dominates is left out, since its class may join the other's. Where two classes that meet a
    requirement need not meet it together, the joined class need not meet it: such a requirement is asked by its largest
    shares alone, which joining keeps.
    """
    held = _rows_of_kinds(problem)
    made = np.zeros((1, 0), np.int64)
    for rows in held.tolist():
        left = below - 1 - made.sum(axis=1)
        more = [np.arange(min(rows, int(l)) + 1) for l in left]  # noqa: E741
        again = np.repeat(np.arange(len(made)), [part.size for part in more])
        made = np.column_stack((made[again], np.concatenate(more)))
    made = made[made.sum(axis=1) > 0]
    class_, kind = np.nonzero(made)
    fit = np.ones(len(made), np.bool_)
    for requirement in problem.requirements:
        if requirement.closed_under_union:
            fit &= requirement.meets(class_, kind, made[class_, kind], len(made))
        else:
            fit &= _keep_shares(requirement, made)
    sizes = made[fit].sum(axis=1)
    order = np.argsort(sizes, kind="stable")
    return np.ascontiguousarray(made[fit][order], np.int16), np.ascontiguousarray(sizes[order], np.int64)


def _keep_shares(requirement: Requirement, made: Int64) -> NDArray[np.bool_]:
    """Return which counts of rows per kind keep a requirement's largest shares, shape (c,)."""
    fit = np.ones(len(made), np.bool_)
    for rule in requirement.count_rules():
        if rule.family == Family.SHARES:
            of_value = (rule.code[:, None] == np.arange(rule.values)).astype(np.int64)
            held = made @ of_value
            (share,) = shares_of([rule])
            fit &= (held <= np.floor(share * made.sum(axis=1)[:, None])).all(axis=1)
    return fit


def _rows_of_kinds(problem: Problem) -> Int64:
    """Return the table's rows of every kind, shape (kinds,)."""
    count = 1 if problem.sensitive is None else len(problem.sensitive.codes)
    return np.bincount(kinds_of(problem), weights=problem.types.counts, minlength=count).astype(np.int64)
