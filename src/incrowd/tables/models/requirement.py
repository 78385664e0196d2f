"""A model bound to a table: what the models about sensitive values share.

Cells become integers here and nowhere else; what is bound holds counts and codes alone.
"""

from __future__ import annotations

import dataclasses
from abc import ABC, abstractmethod
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

import numpy as np

from incrowd.errors import PolicyError
from incrowd.settings import clean, fraction_text, settings_of
from incrowd.tables.count_rules import CountRule, Family, LinearRows
from incrowd.tables.row_numbers import added_up

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from incrowd.tables.protocols import Requirement
    from incrowd.tables.values import Domain, Int32, Int64

DENSE = 1 << 22  # groups times values up to which counts are laid out in a full table
SAFE = 1 << 62
MARGIN = 1e-9  # of floating-point results: far above the error of a few operations, or of a sum of logarithms


def wide(largest: int) -> type:
    """Return the number type that holds every integer up to a bound: int64, else Python's own.

    `largest` is the bound, on absolute values.
    """
    return np.int64 if largest < SAFE else object


def at_most(tops: NDArray[Any], bottoms: NDArray[Any], limit: Fraction) -> NDArray[np.bool_]:
    """Return where ``tops <= limit * bottoms``, exactly: whole numbers of at least 0, both of shape (c,)."""
    up, down = limit.numerator, limit.denominator
    kind = wide(max(up * int(bottoms.max(initial=0)), down * int(tops.max(initial=0))))
    found: NDArray[np.bool_] = tops.astype(kind, copy=False) * down <= bottoms.astype(kind, copy=False) * up
    return found.astype(np.bool_, copy=False)


def decided(above: NDArray[Any], scale: NDArray[Any], exact: Callable[[int], bool]) -> NDArray[np.bool_]:
    """Return which differences are above 0; near 0, where floating point does not tell, `exact` of the place says.

    `above`, (c,), holds the differences and `scale`, (c,), the size of the numbers they are differences of.
    """
    good: NDArray[np.bool_] = above > 0
    for place in np.flatnonzero(~(np.abs(above) > MARGIN * (1 + np.abs(scale)))):
        good[place] = exact(int(place))
    return good


def largest_ratio(tops: NDArray[Any], bottoms: NDArray[Any]) -> Fraction | None:
    """Return the largest of some fractions of whole numbers, exactly; None where there are none.

    `tops` are at least 0 and `bottoms` above 0, both of shape (c,).
    """
    if not tops.size:
        return None
    about = tops.astype(np.float64) / bottoms.astype(np.float64)
    near = about >= about.max() * (1 - 1e-9)  # far beyond the error of one division
    return max(Fraction(a, b) for a, b in {(int(a), int(b)) for a, b in zip(tops[near], bottoms[near], strict=True)})


@dataclass(frozen=True, slots=True, eq=False)
class Tally:
    """The values of one sensitive column, counted in each group.

    `group`, `value`: (e,) int64, sorted by group, then value; no pair twice. `rows`: (e,) int64, at least 1. `sizes`:
    (groups,) int64, rows of each group.
    """

    group: Int64
    value: Int64
    rows: Int64
    sizes: Int64

    @property
    def groups(self) -> int:
        """Number of groups, empty ones included."""
        return int(self.sizes.size)

    def largest(self) -> Int64:
        """Return the rows of the most frequent value of each group, shape (groups,)."""
        found = np.zeros(self.groups, np.int64)
        np.maximum.at(found, self.group, self.rows)
        return found

    def distinct(self) -> Int64:
        """Return the number of values in each group, shape (groups,)."""
        return np.bincount(self.group, minlength=self.groups).astype(np.int64)

    def sums(self, terms: NDArray[Any]) -> NDArray[Any]:
        """Add up one term per entry, `terms` (e,), in each group, shape (groups,); exact in the terms' type."""
        found = np.zeros(self.groups, terms.dtype)
        np.add.at(found, self.group, terms)
        return found

    def all_are(self, good: NDArray[np.bool_]) -> NDArray[np.bool_]:
        """Return which groups have good entries alone, shape (groups,)."""
        found = np.ones(self.groups, np.bool_)
        found[self.group[~good]] = False
        return found

    def begins(self) -> Int64:
        """Return where each group's entries begin, and the end, shape (groups + 1,)."""
        return np.searchsorted(self.group, np.arange(self.groups + 1)).astype(np.int64)


def tally(group: NDArray[Any], value: NDArray[Any], rows: NDArray[Any], groups: int, values: int) -> Tally:
    """Count the values in each group; entries may come in any order, and pairs may repeat.

    `group`, `value` and `rows`, all (e,), give each entry's group, below `groups`, its value, below `values`, and its
    rows. This takes O(entries + groups * values) up to 4 million of the latter, else O(entries log entries).
    """
    key = np.asarray(group, np.int64) * values + np.asarray(value, np.int64)
    if groups * values <= DENSE:
        table = added_up(key, np.asarray(rows, np.int64), groups * values)
        keys = np.flatnonzero(table)
        counts = table[keys]
    else:
        keys, place = np.unique(key, return_inverse=True)
        counts = added_up(place, np.asarray(rows, np.int64), keys.size)
    owner = keys // values if values else keys
    return Tally(owner, keys - owner * values, counts, added_up(owner, counts, groups))


class Model(ABC):
    """A model of a policy; each is a frozen dataclass of its settings, the first of which is its threshold.

    A model that leaves out one of the abstract methods cannot be made; decorated with ``typing.final`` it is named by
    mypy already. `name`, `summary`: its word in a policy, and what it asks in one line.
    """

    __slots__ = ()
    name: ClassVar[str]
    summary: ClassVar[str]

    def __post_init__(self) -> None:
        self.cleaned()

    def cleaned(self) -> None:
        """Bring every setting into its one form, or refuse it."""
        for name, spec in settings_of(type(self)).items():
            value = getattr(self, name)
            if value is None and name in needed(type(self)):
                raise PolicyError(f"{self.name} needs {name}: {spec.help}")
            if spec.shape == "flag" and isinstance(value, str):  # a word of NAME key=value
                value = {"true": True, "false": False}.get(value, value)
            object.__setattr__(self, name, clean(spec, name, value) if spec.shape != "distance" else value)

    @property
    @abstractmethod
    def judged(self) -> tuple[str, ...]:
        """The sensitive columns it judges."""

    @property
    def rule(self) -> str:
        """Itself as it is written in a policy; a matrix, a tree and an order of values are only named."""
        # an order lists the column's values, which are no business of a message or a certificate
        said = (f"{k}={'given' if k == 'order' else _written(value)}" for k, value in given(self).items())
        return " ".join((self.name, *said))

    @abstractmethod
    def describe(self) -> str:
        """Return the requirement in words, settings only."""


class SensitiveModel(Model):
    """A model about sensitive values."""

    __slots__ = ()

    @property
    def judged(self) -> tuple[str, ...]:
        """The sensitive columns it judges."""
        return (self.column,)  # type: ignore[attr-defined]

    @classmethod
    def probes(cls, column: str, values: Sequence[str | None]) -> tuple[SensitiveModel, ...]:
        """Return the forms that an audit measures on a column with these values (None is NULL): here threshold 1."""
        del values
        return (cls(Fraction(1), column),)  # type: ignore[call-arg]

    @abstractmethod
    def bind(self, domain: Domain) -> Requirement:
        """Return the requirement on one table, whose sensitive values are `domain`.

        PolicyError is raised if the model cannot judge the column's values.
        """


def needed(kind: type[Any]) -> list[str]:
    """Return the settings that a model cannot do without."""
    return [field.name for field in dataclasses.fields(kind) if field.default is dataclasses.MISSING]


def given(model: Any) -> dict[str, Any]:
    """Return the settings of a model that are not what they are where nothing is said."""
    said = {field.name: (getattr(model, field.name), field.default) for field in dataclasses.fields(model)}
    return {name: value for name, (value, default) in said.items() if value is not None and value != default}


def _written(value: Any) -> str:
    if isinstance(value, Fraction):
        return str(fraction_text(value))
    if isinstance(value, bool):
        return str(value).lower()
    if isinstance(value, tuple):
        return ",".join(value) if all(isinstance(part, str) for part in value) else "given"
    return str(value)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class ColumnRequirement(ABC):
    """A model bound to one sensitive column: a subclass says what a group must meet, and what makes it fast.

    `judge` and `reach` are needed. The rest says "nothing known" unless a subclass knows better: `count_rules` for the
    search, the matching and bounds by prices, `linear_rows` or `cut_against` (with ``by_cuts = True``) for integer
    programs. `code`: (c,) int32, value of each kind in the column. `totals`: (d,) int64, rows of the table with each
    value.
    """

    model: Any
    code: Int32
    totals: Int64
    closed_under_union: ClassVar[bool] = True
    by_cuts: ClassVar[bool] = False

    @classmethod
    def parts(cls, model: Any, domain: Domain) -> dict[str, Any]:
        """Return what every requirement on one column is made of: the fields `model`, `code` and `totals`."""
        j = domain.column(model.judged[0])
        code = np.ascontiguousarray(domain.sensitive.codes[:, j])
        totals = added_up(code, domain.counts, domain.sensitive.sizes[j])
        return {"model": model, "code": code, "totals": totals}

    @property
    def n(self) -> int:
        """Rows of the table."""
        return int(self.totals.sum())

    @property
    def rule(self) -> str:
        """The model as it is written in a policy."""
        return str(self.model.rule)

    @property
    def judged(self) -> tuple[str, ...]:
        """The sensitive columns it judges."""
        return tuple(self.model.judged)

    def describe(self) -> str:
        """Return the requirement in words, settings only."""
        return str(self.model.describe())

    def tally(self, group: NDArray[Any], kind: NDArray[Any], count: NDArray[Any], groups: int) -> Tally:
        """Count the column's values in each group; see `incrowd.tables.protocols.Requirement.meets`."""
        return tally(group, self.code[kind], count, groups, self.totals.size)

    def meets(self, group: NDArray[Any], kind: NDArray[Any], count: NDArray[Any], groups: int) -> NDArray[np.bool_]:
        """Return which groups meet it, shape (groups,); see `incrowd.tables.protocols.Requirement`."""
        return self.judge(self.tally(group, kind, count, groups))

    @abstractmethod
    def judge(self, counted: Tally) -> NDArray[np.bool_]:
        """Return which groups of a tally meet it, shape (groups,); groups without rows do."""

    def reached(self, group: NDArray[Any], kind: NDArray[Any], count: NDArray[Any], groups: int) -> Any:
        """Return the strictest threshold that every group meets (None: there is no group)."""
        return self.reach(self.tally(group, kind, count, groups))

    @abstractmethod
    def reach(self, counted: Tally) -> Any:
        """Return the strictest threshold that every group of a tally meets (None: there is no group)."""

    def linear_rows(self) -> LinearRows | None:
        """Return linear rows that say exactly what it asks for, or None: they are not known, or not finitely many.

        Here c_v <= share_v N for every value v, where shares are all that it asks for.
        """
        rules = self.count_rules()
        if len(rules) != 1 or not rules[0].exact or rules[0].family != Family.SHARES:
            return None
        return LinearRows.of(self.code, np.eye(self.totals.size), -rules[0].share)

    def count_rules(self) -> tuple[CountRule, ...]:
        """Return rules on the rows per value that every group that meets it meets (none: nothing is known)."""
        return ()

    def on_counts(self, family: Family, **settings: Any) -> tuple[CountRule, ...]:
        """Return one rule on the rows per value, of a family with its settings."""
        return (CountRule(family=family, code=self.code, totals=self.totals, **settings),)

    def cut_against(self, counts: Int64) -> LinearRows:
        """Return a row that holds for every group that meets it, and not for one with these counts, shape (v,)."""
        raise NotImplementedError(f"{self.describe()} has no cuts")

    def counts_of(self, kind: NDArray[Any], rows: NDArray[Any]) -> Int64:
        """Return the rows of each value in one group, shape (v,).

        `kind` and `rows`, both (e,), are kinds of sensitive values, and the rows of the group that have them.
        """
        return added_up(self.code[kind], rows, self.totals.size)


# Requirements on how often values occur in a group: largest share, distinct and recursive, bound to a table.
@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class LargestShare(ColumnRequirement):
    """No value has more than a share of a group's rows: largest <= limit * size.

    `limit`: above 0 and at most 1. `diversity`: whether what is reached is given as l = 1 / share.
    """

    limit: Fraction
    diversity: bool = False

    def judge(self, counted: Tally) -> NDArray[np.bool_]:
        """Return which groups meet it, shape (groups,)."""
        return at_most(counted.largest(), counted.sizes, self.limit)

    def reach(self, counted: Tally) -> Fraction | None:
        """Return the least share (as a diversity: the greatest l) that every group meets."""
        shown = counted.sizes > 0
        worst = largest_ratio(counted.largest()[shown], counted.sizes[shown])
        return 1 / worst if worst is not None and self.diversity else worst

    def count_rules(self) -> tuple[CountRule, ...]:
        """Return the share of every value."""
        return self.on_counts(Family.SHARES, share=np.full(self.totals.size, float(self.limit)), limit=self.limit)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Distinct(ColumnRequirement):
    """Every group has at least `least` different values. `least`: from 1."""

    least: int

    def judge(self, counted: Tally) -> NDArray[np.bool_]:
        """Return which groups meet it, shape (groups,)."""
        met: NDArray[np.bool_] = (counted.distinct() >= self.least) | (counted.sizes == 0)
        return met

    def reach(self, counted: Tally) -> int | None:
        """Return the fewest values of any group."""
        shown = counted.distinct()[counted.sizes > 0]
        return int(shown.min()) if shown.size else None

    def linear_rows(self) -> LinearRows:
        """Return z_v <= c_v for every value v, z_v 0 or 1, and sum z_v >= least u."""
        values = self.totals.size
        counts = np.concatenate((-np.eye(values), np.zeros((1, values))))
        extra = np.concatenate((np.eye(values), -np.ones((1, values))))
        opened = np.concatenate((np.zeros(values), [self.least]))
        return LinearRows.of(self.code, counts, np.zeros(values + 1), extra, opened=opened, binary=True)

    def count_rules(self) -> tuple[CountRule, ...]:
        """Return how many values a group needs."""
        return self.on_counts(Family.DISTINCT, least=self.least)


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class Recursive(ColumnRequirement):
    """With r1 >= r2 >= ... the rows of a group's values: r1 < c (r_l + r_(l+1) + ...). `l`: from 1. `c`: above 0."""

    l: int  # noqa: E741
    c: Fraction
    by_cuts: ClassVar[bool] = True

    def judge(self, counted: Tally) -> NDArray[np.bool_]:
        """Return which groups meet it, shape (groups,)."""
        met: NDArray[np.bool_] = (self._greatest(counted) >= self.l) | (counted.sizes == 0)
        return met

    def reach(self, counted: Tally) -> int | None:
        """Return the greatest l that every group meets with this c (0: not even l=1; None: there is no group)."""
        found = self._greatest(counted)[counted.sizes > 0]
        return int(found.min()) if found.size else None

    def _greatest(self, counted: Tally) -> Int64:
        """Return the greatest l that each group meets with this c, shape (groups,): what is left falls with l."""
        rows, begins = counted.rows[np.lexsort((-counted.rows, counted.group))], counted.begins()
        total = np.cumsum(rows)
        left = total[begins[counted.group + 1] - 1] - total + rows
        below = ~at_most(left, rows[begins[counted.group]], 1 / self.c)
        return added_up(counted.group, below.astype(np.int64), counted.groups)

    def count_rules(self) -> tuple[CountRule, ...]:
        """Return itself in floating point."""
        return self.on_counts(Family.RECURSIVE, least=self.l, level=float(self.c), strict=self._strict())

    def cut_against(self, counts: Int64) -> LinearRows:
        """Return a row that holds for every group that meets it, and not for one with these counts, shape (v,).

        The right side is c (N - the l - 1 largest), so for every value v and every set T of l - 1 values a group has
        c_v + c sum_(u in T) c_u < c N. With c = a / b all is whole, so the slack is at least 1, and at least N / n. A
        group that fails is cut off by its largest values.
        """
        order = np.argsort(-counts, kind="stable")
        row = np.zeros(counts.size)
        row[order[0]] += 1
        row[order[: self.l - 1]] += float(self.c)
        return LinearRows.of(self.code, row[None, :], [self._strict() - float(self.c)])

    def _strict(self) -> float:
        """Return the slack that each row of a class has at least, be it all rows of the table."""
        return 1 / (self.c.denominator * self.n)
