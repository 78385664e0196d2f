"""An instance of a source problem of one's own: from a file, a folder, another instance, or the problem itself."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, PolicyError
from incrowd.hardness.back.document import described, read_folder
from incrowd.hardness.problems.text import bytes_of, text_of
from incrowd.hardness.reduction import Reduction
from incrowd.hardness.values import Instance

if TYPE_CHECKING:
    from collections.abc import Collection

__all__ = ["made_from"]


def made_from(construction: Reduction, source: Any, chosen: Collection[str] = ()) -> Instance:
    """Return the instance that a construction makes of a source, which is as of `incrowd.hardness.instance`.

    `chosen` are the parameters that were chosen for it. InputError is raised if a file or folder cannot be read, or
    holds no such source, and PolicyError if the source lacks what the construction demands.
    """
    if isinstance(source, (str, os.PathLike)):
        path = Path(source)
        if _is_folder(path):
            if type(construction).over is Reduction.over:
                holds = "," if construction.problem is None else f" ({construction.problem.holds}),"
                raise PolicyError(f"the source of {construction.name!r} must be a file{holds} not a folder")
            source = read_folder(path, solve=construction.solve)
        elif construction.problem is None:
            return construction.of(None)
        else:
            given = construction.problem.read(text_of(bytes_of(path, "source"), "the source"))
            return described(construction.of(given.source), construction, given.labels)
    if isinstance(source, Instance):
        if source.parameters is None:
            raise PolicyError("an instance as a source must come from `incrowd.hardness.instance`")
        own = [name for name in chosen if name != "solve"]
        if own:
            raise PolicyError(f"leave out {' and '.join(own)}: the instance that is the source has its own")
        return described(construction.over(source), construction, {}, source)
    if construction.problem is None:
        return construction.of(source)
    problem = construction.problem
    try:
        source = problem.unpack(problem.pack(source))
    except (AttributeError, TypeError, InputError):
        raise PolicyError(
            f"the source of {construction.name!r} must be {problem.holds}, or what that stands for"
        ) from None
    return described(construction.of(source), construction, {})


def _is_folder(path: Path) -> bool:
    try:
        return path.is_dir()
    except (OSError, ValueError):
        return False
