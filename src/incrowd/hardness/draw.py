"""What the generators share: named instances looked up, random ones drawn until they have the answer wanted."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeVar

import numpy as np

from incrowd.errors import PolicyError, did_you_mean
from incrowd.settings import setting

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["even", "goal_setting", "named_setting", "refuse_unknown", "until"]

T = TypeVar("T")
DRAWS = 200


def named_setting(names: Mapping[str, object]) -> str | None:
    """Return the field of a parameter ``named``: a small named source problem in place of a random one.

    Parameters
    ----------
    names : mapping of str to object
        The named source problems.

    Returns
    -------
    dataclass field
        None by default: a random problem. Its type is that of the value it holds, for the class that uses it.
    """
    found: str | None = setting(
        None, f"a named one in place of a random one: {', '.join(names)}", "name", metavar="NAME"
    )
    return found


def goal_setting(what: str, otherwise: str) -> int | None:
    """Return the field of a parameter ``goal``: the number that is asked of the source problem.

    Parameters
    ----------
    what : str
        What the number says.
    otherwise : str
        What it is where none is given.

    Returns
    -------
    dataclass field
        None by default. Its type is that of the value it holds, for the class that uses it.
    """
    found: int | None = setting(None, f"{what} (default: {otherwise})", "integer", least=0, metavar="N")
    return found


def refuse_unknown(named: str | None, names: Mapping[str, object]) -> None:
    """Refuse a name that is not among the named ones.

    Parameters
    ----------
    named : str or None
        The name; None is accepted.
    names : mapping of str to object
        The named source problems.

    Raises
    ------
    PolicyError
        With the nearest name and all of them.
    """
    if named is not None and named not in names:
        raise PolicyError(f"named must be one of {', '.join(names)}, not {named!r}{did_you_mean(named, names)}")


def even(size: int, why: str) -> None:
    """Refuse an odd size.

    Parameters
    ----------
    size : int
    why : str
        The reason, in words that end the message.

    Raises
    ------
    PolicyError
        With the reason.
    """
    if size % 2:
        raise PolicyError(f"size must be even, not {size}: {why}")


def until(seed: int, draw: Callable[[np.random.Generator], T], fits: Callable[[T], bool], what: str) -> T:
    """Return the first of up to 200 draws that fits.

    Parameters
    ----------
    seed : int
        Of the generator that all draws share.
    draw : callable of a numpy Generator
        Makes one source problem.
    fits : callable
        Whether a problem has the answer asked for; where it solves the problem, this takes the time.
    what : str
        What is looked for, as the message names it.

    Raises
    ------
    PolicyError
        If none does.
    """
    rng = np.random.default_rng(seed)
    for _ in range(DRAWS):
        made = draw(rng)
        if fits(made):
            return made
    raise PolicyError(f"none of {DRAWS} draws is {what} at this size; choose another size or seed")
