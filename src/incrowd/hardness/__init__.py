"""The papers' reductions as instance generators: hard instances with a known optimum, whose answers map back.

A *construction* is a frozen object of its parameters, one file a reduction with its theorem and proof; it draws its
source problem or takes one of the reader's own, solves it by itself, and gives an `Instance`: table or network, policy,
threshold, answer, and the way back from a release to a solution of the source problem. A *chain* is a step to another
source problem and the construction that takes that one.

``construction``  what every construction and every chain shares
``sources``       the source problems: drawn, read from JSON, solved exactly
``questions``     what a solution of a source problem is
``values``        instances and tables
``back``          folders, and from a folder and a release to the source problem's answer

>>> from incrowd.hardness import instance
>>> made = instance("set-cover", size=6)
>>> made.threshold == made.optimum, made.yes
(True, True)
"""

from __future__ import annotations

from typing import Any

from incrowd import registry
from incrowd.errors import PolicyError, did_you_mean
from incrowd.hardness.back import Answer, answer_of, back, example, made_from, write
from incrowd.hardness.construction import Construction
from incrowd.hardness.values import Instance, Table

__all__ = ["Answer", "Construction", "Instance", "Table", "answer_of", "back", "example", "instance", "write"]


def instance(name: str, source: Any = None, **parameters: Any) -> Instance:
    """Return a hard instance by the construction's registered name, as `incrowd list instances` names them.

    `source` is a source problem of one's own in place of a drawn one: a JSON file that holds it, a folder that `write`
    wrote or an `Instance` (for a construction that takes one), or the problem itself (such as a
    `incrowd.hardness.sources.Graph`). `parameters` are ``size``, ``seed``, ``no`` and the construction's own; beside a
    source its own alone, and ``solve``; with each ``goal``, where the source problem has a number to be asked for.
    Unless ``solve`` is False, the source problem is solved exactly, without a time limit: the time can grow
    exponentially with its size.

    PolicyError is raised for an unknown name or parameter, an impossible size, a no-instance that does not exist, or a
    source that lacks what the construction demands; InputError if a file or folder cannot be read, or holds no such
    source.
    """
    kind: type[Construction] = registry.load("instances", name)
    known = kind.takes()
    for parameter in parameters:
        if parameter not in known:
            raise PolicyError(
                f"instance {name!r} has no parameter {parameter!r}{did_you_mean(parameter, known)}; it takes "
                f"{', '.join(known)}"
            )
    if source is None:
        return kind(**parameters).build()
    for parameter in parameters:
        if parameter not in kind.kept and parameter != "solve":
            beside = ", ".join(kind.kept)
            raise PolicyError(
                f"{parameter} chooses a source problem, and one is given; beside a source {name!r} takes "
                f"{beside + ' and ' if beside else ''}solve"
            )
    return made_from(kind(**parameters), source, parameters)
