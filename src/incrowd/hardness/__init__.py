"""The papers' reductions as instance generators: hard instances with a known optimum, whose answers map back.

One reduction a file. A *construction* is a frozen object of its parameters; it draws its source problem, takes a named
one or one of the reader's own, solves it by itself, and gives an `Instance`: table or network, policy, threshold,
answer, and the way back from a release to a solution of the source problem.

``reduction``  what every construction shares
``values``     instances and tables
``sources``    the source problems, drawn or named, and their exact answers
``problems``   the reader's own source problems, from files
``questions``  what a solution of a source problem is
``links``      steps from one source problem to another
``chains``     constructions made of others
``back``       from a folder and a release to the source problem's answer

>>> from incrowd.hardness import instance
>>> made = instance("set-cover", size=6)
>>> made.threshold == made.optimum, made.yes
(True, True)
"""

from __future__ import annotations

from typing import Any

from incrowd import registry
from incrowd.errors import PolicyError, did_you_mean
from incrowd.hardness.back import Answer, answer_of, back, described, made_from, write
from incrowd.hardness.reduction import Reduction
from incrowd.hardness.values import Instance, Table
from incrowd.settings import settings_of

__all__ = ["Answer", "Instance", "Reduction", "Table", "answer_of", "back", "instance", "write"]


def instance(name: str, source: Any = None, **parameters: Any) -> Instance:
    """Return a hard instance by the construction's registered name, as `incrowd list instances` names them.

    `source` is a source problem of one's own in place of a drawn one: a file that holds it, a folder that `write` wrote
    or an `Instance` (for a construction that takes one), or the problem itself (such as a
    `incrowd.hardness.sources.graphs.Graph`). `parameters` are ``size``, ``seed``, ``no`` and the construction's own;
    beside a source its own alone, and ``solve``. Unless ``solve`` is False, the source problem is solved exactly,
    without a time limit: the time can grow exponentially with its size.

    PolicyError is raised for an unknown name or parameter, an impossible size, a no-instance that does not exist, or a
    source that lacks what the construction demands; InputError if a file or folder cannot be read, or holds no such
    source.
    """
    kind: type[Reduction] = registry.load("instances", name)
    known = settings_of(kind)
    for parameter in parameters:
        if parameter not in known:
            raise PolicyError(
                f"instance {name!r} has no parameter {parameter!r}{did_you_mean(parameter, known)}; it takes "
                f"{', '.join(known)}"
            )
    if source is not None:
        for parameter in parameters:
            if parameter not in kind.kept and parameter != "solve":
                beside = ", ".join(kind.kept)
                raise PolicyError(
                    f"{parameter} chooses a source problem, and one is given; beside a source {name!r} takes "
                    f"{beside + ' and ' if beside else ''}solve"
                )
        return made_from(kind(**parameters), source, parameters)
    construction = kind(**parameters)
    if not construction.solve:
        raise PolicyError("a drawn source problem is solved while it is drawn; solve=False needs one's own")
    return described(construction.build(), construction, {})
