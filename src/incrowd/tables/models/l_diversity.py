"""l-diversity: the sensitive values of every group stay uncertain."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Literal, final

from incrowd.errors import PolicyError
from incrowd.settings import fraction_text, setting
from incrowd.tables.models.entropy import EntropyDiverse
from incrowd.tables.models.joint import JointlyDiverse
from incrowd.tables.models.requirement import SensitiveModel
from incrowd.tables.models.value_counts import Distinct, LargestShare, Recursive

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.protocols import Requirement
    from incrowd.tables.values import Domain

__all__ = ["LDiversity"]

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
    c: Fraction | None = setting(None, "factor of the recursive kind", "fraction")
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
        if self.c is not None and self.c <= 0:
            raise PolicyError(f"c must be a number above 0, not {fraction_text(self.c)}")
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
            return JointlyDiverse.on(self, self.columns, int(self.l), domain)
        column = self if self.kind != "joint" else dataclasses.replace(
            self, kind="distinct", column=self.columns[0], columns=()
        )  # fmt: skip
        parts = LargestShare.parts(column, domain) | {"model": self}
        if self.kind == "frequency":
            return LargestShare(limit=1 / self.l, diversity=True, **parts)
        if self.kind == "entropy":
            return EntropyDiverse(l=self.l, **parts)
        if self.kind == "recursive":
            assert self.c is not None
            return Recursive(l=int(self.l), c=self.c, **parts)
        return Distinct(least=int(self.l), **parts)
