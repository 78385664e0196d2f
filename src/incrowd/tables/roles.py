"""What each column is, and how a text table is read."""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from incrowd.errors import PolicyError, did_you_mean
from incrowd.settings import clean, setting, settings_of, short_repr

if TYPE_CHECKING:
    from collections.abc import Sequence


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """How a CSV table is read. CSV is text and never guessed at."""

    __repr__ = short_repr
    header: bool | None = setting(
        None, "whether the first line names the columns (default: it does, unless it looks like data)", "flag",
        off_option="--no-header",
    )  # fmt: skip
    columns: tuple[str, ...] = setting((), "names of all columns, in order", "list", metavar="a,b,c")
    delimiter: str | None = setting(None, "the character between fields (default: detected)", "text", metavar="C")
    encoding: str = setting("utf-8", "the file's encoding", "text", metavar="E")
    na: tuple[str, ...] = setting(
        (),
        "a text that stands for a missing value, beside the empty field",
        "list",
        metavar="TEXT",
        repeat=True,
    )
    strip: bool = setting(
        True,
        "strip blanks around fields",
        "flag",
        off_option="--no-strip",
        off_help="keep blanks around fields",
    )

    def __post_init__(self) -> None:
        for name, spec in settings_of(Reading).items():
            object.__setattr__(self, name, clean(spec, name, getattr(self, name)))
        if self.delimiter is not None:
            delimiter = {"\\t": "\t", "tab": "\t"}.get(self.delimiter, self.delimiter)
            if len(delimiter) != 1 or delimiter in '"\n\r':
                raise PolicyError(
                    f"delimiter must be one character (or 'tab'), and no quote or line break, not {self.delimiter!r}"
                )
            object.__setattr__(self, "delimiter", delimiter)
        doubled = [name for name, times in Counter(self.columns).items() if times > 1]
        if doubled:
            raise PolicyError(f"columns names {doubled[0]!r} twice: every column needs a name of its own")


@dataclass(frozen=True, slots=True, kw_only=True)
class Roles:
    """The role of every column.

    `quasi_identifiers`: columns an attacker may know; only these are changed. In the order the user gave. `sensitive`:
    what must not be learned; passes unchanged. `identifiers`: names, numbers...: never leave `read`. `other`: what
    happens to columns without a role. `numeric`: quasi-identifiers whose values are numbers (for measures).
    """

    quasi_identifiers: tuple[str, ...]
    sensitive: tuple[str, ...] = ()
    identifiers: tuple[str, ...] = ()
    other: Literal["keep", "drop"] = "keep"
    numeric: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        if not self.quasi_identifiers:
            raise PolicyError(
                "no quasi-identifiers are named: name as quasi_identifiers the columns an attacker may know, "
                "or name a policy"
            )
        seen: dict[str, str] = {}
        for role in ("quasi_identifiers", "sensitive", "identifiers"):
            for column in getattr(self, role):
                if column in seen:
                    where = f"twice in {role}" if seen[column] == role else f"in both {seen[column]} and {role}"
                    raise PolicyError(f"column {column!r} is {where}: give every column one role")
                seen[column] = role
        for column in self.numeric:
            if column not in self.quasi_identifiers:
                raise PolicyError(
                    f"numeric names {column!r}, which is no quasi-identifier"
                    f"{did_you_mean(column, self.quasi_identifiers)}: only their loss is measured"
                )

    def check(self, columns: Sequence[str], *, quotable: bool = True) -> None:
        """Refuse roles that name a column the table does not have.

        The PolicyError names the missing column and its role. `columns` are those of the table; `quotable` says whether
        its own names may be shown (not where they may be a person's data).
        """
        for role in ("quasi_identifiers", "sensitive", "identifiers"):
            for column in getattr(self, role):
                if column not in columns:
                    known = f"{did_you_mean(column, columns)}; it has {', '.join(columns)}" if quotable else ""
                    if quotable and len(columns) == 1:
                        known = f"; it has one column only, {columns[0]}: is the delimiter right?"
                    raise PolicyError(f"{role} names column {column!r}, which the table does not have{known}")

    def kept(self, columns: Sequence[str]) -> tuple[str, ...]:
        """Return the columns of the release, in the table's order."""
        named = {*self.quasi_identifiers, *self.sensitive}
        gone = set(self.identifiers)
        return tuple(c for c in columns if c in named or (self.other == "keep" and c not in gone))
