"""Every exception that `incrowd` raises on purpose.

::

    IncrowdError                  something the caller can mend; the message says how
    ├── InputError                a table, file or option that cannot be used         (exit status 2)
    ├── PolicyError               a policy that contradicts itself or the table       (exit status 2)
    ├── SolverDeclined            a solver that will not start, with its reason       (exit status 2)
    ├── Infeasible                no release can meet the policy, or none was found   (exit status 3)
    └── OurBug                    the independent check refused our own release       (exit status 70)

No message ever holds a cell of the table: columns, counts, positions and settings only.
Time limits and interruptions are no errors: they are statuses of a result.
"""

from __future__ import annotations

import contextlib
import difflib
import functools
import math
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

__all__ = [
    "IncrowdError",
    "Infeasible",
    "InputError",
    "OurBug",
    "PolicyError",
    "SolverDeclined",
    "about",
    "an",
    "and_",
    "count_of",
    "did_you_mean",
    "place_of",
    "raise_alone",
    "refuse_on",
]

PLURALS = {"class": "classes", "entry": "entries", "person": "people"}


class IncrowdError(Exception):
    """Base of all errors raised on purpose; its text is one sentence for people."""

    exit_status = 2


class InputError(IncrowdError):
    """A table, file or option that cannot be used as given."""


class PolicyError(IncrowdError):
    """A policy that contradicts itself or does not fit the table."""


class SolverDeclined(IncrowdError):
    """A solver that does not start on this problem.

    Parameters
    ----------
    solver, reason : str
        As the attributes.

    Attributes
    ----------
    solver : str
        Name of the solver.
    reason : str
        Why it declines.
    """

    def __init__(self, solver: str, reason: str) -> None:
        super().__init__(f"solver {solver!r} declines: {reason}")
        self.solver = solver
        self.reason = reason

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self.solver, self.reason)


class Infeasible(IncrowdError):
    """No release meets the policy, or none was found.

    Parameters
    ----------
    message : str
        One sentence for people.
    requirement : str
        As the attribute.
    proven : bool
        As the attribute.

    Attributes
    ----------
    requirement : str
        The requirement that fails, as the user wrote it (for example ``"k=5"``).
    proven : bool
        True when no release at all can meet it, False when none was found.
    """

    exit_status = 3

    def __init__(self, message: str, *, requirement: str, proven: bool) -> None:
        super().__init__(message)
        self.requirement = requirement
        self.proven = proven

    def __reduce__(self) -> tuple[Any, ...]:
        again = functools.partial(type(self), requirement=self.requirement, proven=self.proven)
        return again, self.args


class OurBug(IncrowdError):
    """The independent check refused what we made; nothing was written."""

    exit_status = 70


def raise_alone(error: IncrowdError) -> NoReturn:
    """Raise an error without the one before it, whose own words may quote a cell."""
    try:
        raise error from None
    finally:
        error.__context__ = None


@contextlib.contextmanager
def refuse_on(said: str, *kinds: type[Exception]) -> Iterator[None]:
    """Raise an InputError with a sentence where an error of these kinds is raised in the block, whose own words go."""
    try:
        yield
    except kinds:
        raise_alone(InputError(said))


def did_you_mean(word: str, known: Iterable[str]) -> str:
    """Return ``" (did you mean 'x'?)"`` for a near miss among `known`, else an empty text.

    It begins with a blank and is to be put after the wrong word in a message.
    """
    names = list(known)
    near = [name for name in names if name.casefold() == word.casefold()] or difflib.get_close_matches(word, names, n=1)
    return f" (did you mean {near[0]!r}?)" if near else ""


def count_of(number: int, noun: str) -> str:
    """Return a number with its noun, as in ``1 row`` or ``1,234 rows``.

    `noun` is in the singular; the plural is formed with s, or as `PLURALS` has it.
    """
    return f"{number:,} {noun if number == 1 else PLURALS.get(noun, f'{noun}s')}"


def and_(names: Sequence[str]) -> str:
    """Return names as people list them: ``a``, ``a and b`` or ``a, b and c``."""
    return " and ".join(filter(None, (", ".join(names[:-1]), *names[-1:])))


def about(number: int) -> str:
    """Return a count in a few digits; it may have more of them than a float holds, or than Python writes out."""
    if number < 1_000_000:
        return f"{number:,}"
    return f"{number:.1e}" if number < 10**300 else f"10^{int(math.log10(number))}"


def an(word: str) -> str:
    """Return a word with its article: ``a list``, ``an int``.

    The first letter decides: a, e, i, o, u take ``an``.
    """
    return f"an {word}" if word[:1].lower() in "aeiou" else f"a {word}"


def place_of(error: BaseException) -> str:
    """Return the kind of an error and where it came from, without its text, which may quote the table."""
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    where = f" in {Path(trace.tb_frame.f_code.co_filename).name}, line {trace.tb_lineno}" if trace else ""
    return f"{type(error).__name__}{where}"
