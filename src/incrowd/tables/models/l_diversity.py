"""l-diversity: the sensitive values of every group stay uncertain."""

from __future__ import annotations

import dataclasses
import decimal
import itertools
import math
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, Literal, final

import numpy as np

from incrowd.errors import InputError, PolicyError
from incrowd.settings import fraction_text, setting
from incrowd.tables.count_rules import CountRule, Family, LinearRows
from incrowd.tables.models.requirement import (
    ColumnRequirement,
    Distinct,
    LargestShare,
    Recursive,
    SensitiveModel,
    Tally,
    decided,
)
from incrowd.tables.row_numbers import added_up

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from incrowd.tables.protocols import Requirement
    from incrowd.tables.values import Domain, Int32, Int64

Kind = Literal["frequency", "distinct", "entropy", "recursive", "joint"]


@final
@dataclass(frozen=True, slots=True)
class LDiversity(SensitiveModel):
    """Every group has at least l well-represented sensitive values.

    Parameters
    ----------
    l : number
        At least 1; a fraction is allowed for the kinds ``"frequency"`` and ``"entropy"``.
    column : str
        The sensitive column (all kinds but ``"joint"``).
    kind : {"frequency", "distinct", "entropy", "recursive", "joint"}
        - frequency [1]_: no value in more than 1/l of a group;
        - distinct: at least l values in a group (NULL is one);
        - entropy [2]_: the entropy of the values in a group is at least log l;
        - recursive [2]_: with r1 >= r2 >= ... the rows of the values of a group, r1 < c (r_l + r_(l+1) + ...);
        - joint [3]_: every row lies in l rows of its group that differ pairwise in every one of `columns`.
    c : number, optional
        Above 0; for ``kind="recursive"``.
    columns : tuple of str, optional
        The sensitive columns, for ``kind="joint"``.

    Raises
    ------
    PolicyError
        For settings out of range, or that do not go together.

    Notes
    -----
    All kinds are closed under union, and all are decided exactly: entropies by integer powers wherever intervals
    of floating-point numbers do not settle it. Linear in the values per group; the joint kind is a matching per
    group for two columns and a search with a limit from three columns on.

    References
    ----------
    .. [1] H. Liang, H. Yuan, "On the Complexity of t-Closeness Anonymization and Related Problems", DASFAA 2013.
    .. [2] A. Machanavajjhala, D. Kifer, J. Gehrke, M. Venkitasubramaniam, "l-Diversity: Privacy Beyond
       k-Anonymity", ACM TKDD 1(1), 2007.
    .. [3] J. Blocki, R. Williams, "Resolving the Complexity of Some Data Privacy Problems", ICALP 2010,
       Definition 1.
    """

    l: Fraction = setting(  # noqa: E741
        dataclasses.MISSING, "how many sensitive values a class needs", "fraction", least=1, metavar="X"
    )
    column: str | None = setting(None, "the sensitive column", "text")
    kind: Kind = setting(
        "frequency", "what counts as diverse", "choice",
        choices=("frequency", "distinct", "entropy", "recursive", "joint"),
    )  # fmt: skip
    c: Fraction | None = setting(None, "factor of the recursive kind", "fraction", above=0)
    columns: tuple[str, ...] = setting((), "the sensitive columns of the joint kind", "list")

    name = "l-diversity"
    cites = ("MachanavajjhalaGehrkeKiferVenkitasubramaniam2006",)
    summary = "at least l well-represented sensitive values in every class"

    def __post_init__(self) -> None:
        self.cleaned()
        if self.kind not in ("frequency", "entropy") and self.l.denominator != 1:
            raise PolicyError(f"l must be a whole number for kind={self.kind!r}, not {fraction_text(self.l)}")
        if (self.kind == "recursive") != (self.c is not None):
            raise PolicyError("c belongs to kind='recursive', and that kind needs it: l-diversity l=3 c=2 for example")
        if self.kind == "joint":
            if self.column is not None or not self.columns:
                raise PolicyError("kind='joint' names its sensitive columns with columns=[...], not with column")
            if len(set(self.columns)) < len(self.columns):
                raise PolicyError("columns of l-diversity names a column twice: name each once")
        elif self.column is None or self.columns:
            raise PolicyError(
                f"l-diversity with kind={self.kind!r} needs column: say which sensitive column it is about"
            )

    @property
    def judged(self) -> tuple[str, ...]:
        """The sensitive columns it judges."""
        return self.columns if self.column is None else (self.column,)

    def describe(self) -> str:
        """Return the requirement in words."""
        l, where = fraction_text(self.l), ", ".join(self.judged)  # noqa: E741
        words = {
            "frequency": f"no value in more than {1 / self.l} of a class",
            "distinct": f"at least {l} values in every class",
            "entropy": f"entropy of every class at least log {l}",
            "recursive": f"most frequent value below {'' if self.c is None else fraction_text(self.c)} times all but "
            f"the {int(self.l) - 1} most frequent",
            "joint": f"every row in {l} rows of its class that differ in all of them",
        }
        return f"l-diversity of {where} with l={l}, {self.kind}: {words[self.kind]}"

    @classmethod
    def probes(cls, column: str, values: Sequence[str | None]) -> tuple[LDiversity, ...]:
        """Return the forms that an audit measures on a column with these values."""
        one = Fraction(1)
        kinds: tuple[Kind, ...] = ("frequency", "distinct", "entropy")
        return (*(cls(one, column, kind) for kind in kinds), cls(one, column, "recursive", c=one))

    def bind(self, domain: Domain) -> Requirement:
        """Return the requirement on one table."""
        if self.kind == "joint" and len(self.columns) > 1:
            return JointlyDiverse.on(self, domain)
        parts = LargestShare.parts(self, domain)
        if self.kind == "frequency":
            return LargestShare(limit=1 / self.l, diversity=True, **parts)
        if self.kind == "entropy":
            return EntropyDiverse(l=self.l, **parts)
        if self.kind == "recursive":
            assert self.c is not None
            return Recursive(l=int(self.l), c=self.c, **parts)
        return Distinct(least=int(self.l), **parts)


# Entropy l-diversity, decided exactly.
#
# A group of N rows with c_1, c_2, ... rows a value has entropy log N - sum(c_i log c_i) / N. It is at least log l, for
# l = p/q, exactly if q^N N^N >= p^N c_1^c_1 c_2^c_2 ...: a question about whole numbers.

POWERS = 4000  # rows up to which the powers themselves are compared at once
DIGITS = 60  # of the logarithms


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class EntropyDiverse(ColumnRequirement):
    """The entropy of every group is at least log l. `l`: at least 1."""

    l: Fraction  # noqa: E741
    by_cuts: ClassVar[bool] = True

    def judge(self, counted: Tally) -> NDArray[np.bool_]:
        """Return which groups meet it, shape (groups,); where floating point does not tell, `enough_entropy` does."""
        size = counted.sizes.astype(np.float64)
        whole = size * np.log(np.maximum(size, 1))
        spent = counted.sums(counted.rows * np.log(counted.rows.astype(np.float64)))
        above = np.where(size > 0, whole - spent - size * math.log(self.l), 1.0)
        begins = counted.begins()
        return decided(
            above,
            whole + size * (1 + math.log(self.l)),
            lambda g: enough_entropy(counted.rows[begins[g] : begins[g + 1]].tolist(), self.l),
        )

    def reach(self, counted: Tally) -> float | None:
        """Return the greatest l that every group meets: exp of the least entropy, to the nearest float or so."""
        shown = counted.sizes > 0
        if not shown.any():
            return None
        if self._uniform(counted) is not None:
            return self._uniform(counted)
        size = counted.sizes[shown].astype(np.float64)
        spent = counted.sums(counted.rows * np.log(counted.rows.astype(np.float64)))[shown]
        return float(np.exp((np.log(size) - spent / size).min()))

    def count_rules(self) -> tuple[CountRule, ...]:
        """Return itself in floating point."""
        return self.on_counts(Family.ENTROPY, level=math.log(self.l))

    def cut_against(self, counts: Int64) -> LinearRows:
        """Return a row that holds for every group that meets it, and not for one with these counts, shape (v,).

        A group with shares p meets it where H(p) >= log l. For every distribution q, - sum p_v log q_v >= H(p) (Gibbs),
        so every group has to satisfy sum c_v (-log q_v) >= N log l. A group that fails, with shares p, is cut off by q
        near p: (1 - e) p, the rest on values it has not, with e so small that H(p) - log(1 - e) < log l.
        """
        least = math.log(self.l)
        share = counts / counts.sum()
        held = share > 0
        reached = -float((share[held] * np.log(share[held])).sum())
        # Half of what the group lacks may be spent on the values that it has not.
        spare = -math.expm1(-(least - reached) / 2) if not held.all() else 0.0
        shares = np.where(held, share * (1 - spare), spare / max(int((~held).sum()), 1))
        return LinearRows.of(self.code, np.log(shares)[None, :], [least])

    def _uniform(self, counted: Tally) -> float | None:
        """Return the number of values where every group has all its values equally often."""
        least = np.full(counted.groups, np.iinfo(np.int64).max, np.int64)
        np.minimum.at(least, counted.group, counted.rows)
        shown = counted.sizes > 0
        return float(counted.distinct()[shown].min()) if (least == counted.largest())[shown].all() else None


def enough_entropy(counts: Sequence[int], l: Fraction) -> bool:  # noqa: E741
    """Return whether values with so many rows have an entropy of at least log l, exactly.

    There is at least one value, each has at least 1 row, and `l` is above 0. Dividing all counts by their common
    divisor changes nothing. The powers themselves are compared; in large groups where logarithms do not tell.
    """
    common = math.gcd(*counts)
    counts = [count // common for count in counts]
    size, p, q = sum(counts), l.numerator, l.denominator
    if size > POWERS:
        with decimal.localcontext(prec=DIGITS):
            powers = [(q * size, size), (p, -size), *((count, -count) for count in counts)]
            terms = [decimal.Decimal(base).ln() * power for base, power in powers]
            total, most = sum(terms, decimal.Decimal(0)), sum(map(abs, terms), decimal.Decimal(0))
            if abs(total) > most.scaleb(10 - DIGITS):  # far above the error of rounding, also of a million terms
                return total > 0
    return bool((q * size) ** size >= p**size * math.prod(count**count for count in counts))


# Joint l-diversity: l rows of a class that differ pairwise in every sensitive column.
#
# Rows matter by their combinations of values alone. For two columns such rows are a matching between the values of the
# one and of the other; from three columns on the question is hard in l and is searched with a limit.
STEPS = 200_000  # of one search
STATED = 32  # combinations up to which it is stated in linear rows: they are about the square of that


@dataclass(frozen=True, slots=True, eq=False, kw_only=True)
class JointlyDiverse(ColumnRequirement):
    """Every row lies in l rows of its class that differ pairwise in every one of the columns.

    `code`: (c,) int32, number of the combination of each kind in the judged columns. `combinations`: (d, s) int32,
    values of each combination. `totals`: (d,) int64, rows of the table with each combination. InputError is raised
    where a group cannot be decided within the limit (three columns and more).
    """

    l: int  # noqa: E741
    combinations: Int32

    @classmethod
    def on(cls, model: LDiversity, domain: Domain) -> JointlyDiverse:
        """Return the requirement of a model of two or more columns on one table."""
        codes = domain.sensitive.codes[:, [domain.column(name) for name in model.columns]]
        combinations, code = np.unique(codes, axis=0, return_inverse=True)
        of_kind = code.reshape(-1).astype(np.int32)
        totals = added_up(of_kind, domain.counts, len(combinations))
        return cls(model=model, l=int(model.l), code=of_kind, combinations=combinations, totals=totals)

    def judge(self, counted: Tally) -> NDArray[np.bool_]:
        """Return which groups meet it, shape (groups,)."""
        return np.array([not some or _all_in(some, self.l, self._limit) for some in self._members(counted)], np.bool_)

    def reach(self, counted: Tally) -> int | None:
        """Return the greatest l that every group meets (None: there is no group)."""
        members = [some for some in self._members(counted) if some]
        if not members:
            return None
        l = min(len({row[0] for row in some}) for some in members)  # noqa: E741
        while not all(_all_in(some, l, self._limit) for some in members):
            l -= 1  # noqa: E741
        return l

    def linear_rows(self) -> LinearRows | None:
        """Return rows that name l - 1 companions of every combination that a group has (None: combinations are many).

        p_c is 1 where the group has combination c, and z_cd where d is one of its companions; both are 0 or 1::

            c_c <= C_c p_c        sum_d z_cd >= (l - 1) p_c        z_cd <= c_d
            sum of z_cd over the d with value v in column j <= p_c

        for c and d that differ in every column. So the d with z_cd = 1 are there, and differ pairwise in every column.
        """
        d = len(self.combinations)
        if d > STATED:
            return None
        one, other = np.nonzero((self.combinations[:, None, :] != self.combinations[None, :, :]).all(axis=2))
        each, none, pairs = np.eye(d), np.zeros((d, d)), np.eye(one.size)
        rows = [(each, -each * self.totals, 0 * each[:, one]), (none, (self.l - 1) * each, -each[:, one])]
        rows.append((-each[other], 0 * each[other], pairs))
        for column in self.combinations.T:
            alike, which = np.unique(one * (int(column.max()) + 1) + column[other], return_inverse=True)
            present = -each[alike // (int(column.max()) + 1)]
            rows.append((0 * present, present, np.equal.outer(np.arange(alike.size), which.reshape(-1))))
        counts, present, companions = (np.concatenate(part) for part in zip(*rows, strict=True))
        extra = np.concatenate((present, companions), axis=1)
        return LinearRows.of(self.code, counts, np.zeros(len(counts)), extra, binary=True)

    def count_rules(self) -> tuple[CountRule, ...]:
        """Return that every column has l values: less than is asked for, which no rule on counts says."""
        rules = []
        for values in self.combinations.T:
            _, place = np.unique(values, return_inverse=True)
            code = place.reshape(-1)[self.code].astype(np.int32)
            totals = np.bincount(code).astype(np.int64)
            rules.append(CountRule(family=Family.DISTINCT, code=code, totals=totals, least=self.l, exact=False))
        return tuple(rules)

    def _members(self, counted: Tally) -> list[list[tuple[int, ...]]]:
        """Return the combinations of each group, each once."""
        rows = [tuple(row) for row in self.combinations[counted.value].tolist()]
        return [rows[a:b] for a, b in itertools.pairwise(counted.begins())]

    def _limit(self) -> InputError:
        return InputError(
            f"{self.describe()}: not decided within {STEPS} steps of search, for this is hard from three columns on; "
            "lower l or name two columns at a time"
        )


def _all_in(members: Sequence[tuple[int, ...]], l: int, limit: Any) -> bool:  # noqa: E741
    """Return whether every combination lies in l of them that differ pairwise in every column."""
    width = len(members[0])
    if min(len({row[j] for row in members}) for j in range(width)) < l:
        return False
    # any set of l + s - 1 works for every row: at most s of it meet the row in some column
    if _apart_greedily(members) >= l + width - 1:
        return True
    for row in members:
        free = [other for other in members if all(a != b for a, b in zip(row, other, strict=True))]
        if most_apart(free, l - 1, limit) < l - 1:
            return False
    return True


def _apart_greedily(members: Sequence[tuple[int, ...]]) -> int:
    taken: list[set[int]] = [set() for _ in members[0]]
    found = 0
    for row in members:
        if all(value not in used for value, used in zip(row, taken, strict=True)):
            found += 1
            for value, used in zip(row, taken, strict=True):
                used.add(value)
    return found


def most_apart(members: Sequence[tuple[int, ...]], enough: int, limit: Any) -> int:
    """Count the most combinations, at most `enough`, of which any two differ in every column.

    `members` are different combinations, all of the same length. For two columns this is a bipartite matching, for more
    a search that may take exponential time and is limited. Where it takes too long, the error that ``limit()`` returns
    is raised.
    """
    if enough <= 0 or not members:
        return 0
    if len(members[0]) == 2:
        return min(_matching(members), enough)
    steps = 0
    best = 0

    def search(left: list[tuple[int, ...]], size: int) -> None:
        nonlocal steps, best
        best = max(best, size)
        steps += 1
        if steps > STEPS:
            raise limit()
        if not left or best >= enough:
            return
        distinct = [{row[j] for row in left} for j in range(len(left[0]))]
        most = min(len(values) for values in distinct)
        if size + most <= best:
            return
        # branch on the rarest value of the tightest column: one of its rows is taken, or none
        j = min(range(len(distinct)), key=lambda j: len(distinct[j]))
        times = {value: sum(row[j] == value for row in left) for value in distinct[j]}
        value = min(times, key=lambda v: (times[v], v))
        for row in left:
            if row[j] == value:
                apart = [other for other in left if all(a != b for a, b in zip(row, other, strict=True))]
                search(apart, size + 1)
                if best >= enough:
                    return
        search([row for row in left if row[j] != value], size)

    search(list(members), 0)
    return min(best, enough)


def _matching(edges: Sequence[tuple[int, ...]]) -> int:
    """Return the size of a largest matching between the values of two columns (augmenting paths, breadth first)."""
    beside: dict[int, list[int]] = {}
    for a, b in edges:
        beside.setdefault(a, []).append(b)
    partner: dict[int, int] = {}
    taken: dict[int, int] = {}
    for start in beside:
        came: dict[int, int] = {}
        reached, end = [start], None
        for a in reached:
            fresh = [b for b in beside[a] if b not in came]
            came |= dict.fromkeys(fresh, a)
            end = next((b for b in fresh if b not in partner), None)
            if end is not None:
                break
            reached += [partner[b] for b in fresh]
        while end is not None:
            a = came[end]
            partner[end], taken[a], end = a, end, taken.get(a)
    return len(taken)
