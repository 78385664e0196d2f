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

    It is a dataclass field whose default None stands for a random problem. Its type is that of the value it holds, for
    the class that uses it.
    """
    found: str | None = setting(
        None, f"a named one in place of a random one: {', '.join(names)}", "name", metavar="NAME"
    )
    return found


def goal_setting(what: str, otherwise: str) -> int | None:
    """Return the field of a parameter ``goal``: the number that is asked of the source problem.

    `what` tells what the number says, and `otherwise` what it is where none is given. The dataclass field is None by
    default. Its type is that of the value it holds, for the class that uses it.
    """
    found: int | None = setting(None, f"{what} (default: {otherwise})", "integer", least=0, metavar="N")
    return found


def refuse_unknown(named: str | None, names: Mapping[str, object]) -> None:
    """Refuse a name that is not among the named ones.

    None is accepted. The PolicyError gives the nearest name and all of them.
    """
    if named is not None and named not in names:
        raise PolicyError(f"named must be one of {', '.join(names)}, not {named!r}{did_you_mean(named, names)}")


def even(size: int, why: str) -> None:
    """Refuse an odd size with a PolicyError whose message ends in the words of the reason, `why`."""
    if size % 2:
        raise PolicyError(f"size must be even, not {size}: {why}")


def until(seed: int, draw: Callable[[np.random.Generator], T], fits: Callable[[T], bool], what: str) -> T:
    """Return the first of up to 200 draws that fits.

    All draws share one generator. `draw` makes one source problem, and `fits` says whether it has the answer asked for;
    where it solves the problem, this takes the time. PolicyError is raised if none fits; the message names what is
    looked for as `what` does.
    """
    rng = np.random.default_rng(seed)
    for _ in range(DRAWS):
        made = draw(rng)
        if fits(made):
            return made
    raise PolicyError(f"none of {DRAWS} draws is {what} at this size; choose another size or seed")
