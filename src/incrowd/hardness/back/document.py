"""``source.json``: what an instance was made from, so that it can be made again without being solved."""

from __future__ import annotations

import dataclasses
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from incrowd import registry
from incrowd.errors import InputError, PolicyError
from incrowd.hardness.problems.problem import Given, Problem, bad, labels_of
from incrowd.hardness.problems.text import bytes_of, text_of
from incrowd.strict_json import read_json

if TYPE_CHECKING:
    from pathlib import Path

    from incrowd.hardness.problems.problem import Labels
    from incrowd.hardness.reduction import Reduction
    from incrowd.hardness.values import Instance

__all__ = ["INSTANCE", "NAME", "again", "described", "document", "read_folder"]

NAME = "source.json"
FORMAT = 1
DEEPEST = 4  # instances made of instances


class _InstanceProblem(Problem):
    name = "instance"
    holds = "a folder that `incrowd instance` wrote"

    def read(self, text: str) -> Given:
        """Return the instance that a document describes."""
        return Given(again(read_json(text)), {})

    def pack(self, source: Instance) -> dict[str, Any]:
        """Return the instance's own document."""
        return document(source)

    def unpack(self, held: Any) -> Instance:
        """Return the instance that a document describes, not solved."""
        return again(held)

    def counts(self, source: Instance) -> dict[str, int]:
        """Return nothing: the labels stand in the instance's own document."""
        return {}


INSTANCE = _InstanceProblem()


def described(made: Instance, construction: Reduction, labels: Labels, inner: Instance | None = None) -> Instance:
    """Return an instance that knows what it was made from.

    `made` is the instance as the construction made it. `labels` hold the names of the source's parts, and are empty
    where they are numbers. `inner` is what it was made of, where its source is an instance.
    """
    if inner is not None:  # which has the parameters
        return dataclasses.replace(made, labels=inner.labels, parameters={}, problem=INSTANCE, origin=inner)
    parameters = {name: getattr(construction, name) for name in construction.kept}
    if "goal" in parameters:
        parameters["goal"] = made.goal
    return dataclasses.replace(made, labels=labels, parameters=parameters, problem=construction.problem)


def document(made: Instance) -> dict[str, Any]:
    """Return what ``source.json`` holds: format, construction, parameters, source, labels.

    `made` is an instance as `described` gives it.
    """
    parameters = {
        name: str(value) if isinstance(value, Fraction) else value for name, value in (made.parameters or {}).items()
    }
    held: dict[str, Any] = {"format": FORMAT, "construction": made.name, "parameters": parameters}
    if made.problem is not None:
        held |= {"problem": made.problem.name, "source": made.problem.pack(made.origin or made.source)}
        held["labels"] = {kind: list(names) for kind, names in made.labels.items()}
    return held


def again(held: Any, *, solve: bool = False, depth: int = 0) -> Instance:
    """Return the instance that ``source.json`` describes, made anew.

    `held` is as read from JSON; InputError or PolicyError is raised if it describes no instance. `solve` solves the
    source problem too; otherwise the answer stays open. `depth` says how many instances it is the source of.
    """
    if not isinstance(held, dict) or held.get("format") != FORMAT or type(held.get("format")) is not int:
        bad(f"format must be {FORMAT}")
    name, parameters = held.get("construction"), held.get("parameters")
    if not isinstance(name, str) or name not in registry.names("instances"):
        bad("construction must be one of `incrowd list instances`")
    kind: type[Reduction] = registry.load("instances", name)
    nested = held.get("problem") == INSTANCE.name
    kept = () if nested else kind.kept
    if not isinstance(parameters, dict) or set(parameters) != set(kept):
        bad("parameters must be " + (", ".join(kept) or "none"))
    if depth >= DEEPEST:
        bad(f"more than {DEEPEST} instances are made of one another")
    if kind.problem is None:
        return described(kind(**parameters).build(), kind(**parameters), {})
    construction = kind(**parameters, solve=solve)
    if nested:
        inner = again(held.get("source"), solve=solve, depth=depth + 1)
        return described(construction.over(inner), construction, {}, inner)
    if held.get("problem") != kind.problem.name:
        bad(f"problem must be {kind.problem.name}")
    source = kind.problem.unpack(held.get("source"))
    labels = labels_of(held.get("labels"), kind.problem.counts(source))
    return described(construction.of(source), construction, labels)


def read_folder(folder: Path, *, solve: bool = False) -> Instance:
    """Return the instance of a folder that `incrowd.hardness.files.write` wrote, made anew.

    `solve` solves the source problem too; otherwise the answer stays open. InputError is raised if it is no such
    folder, or ``source.json`` describes no instance.
    """
    if not folder.is_dir():
        raise InputError(
            f"there is no folder {folder.name!r}" if not folder.exists() else f"{folder.name!r} is no folder"
        )
    if not (folder / NAME).is_file():
        raise InputError(
            f"folder {folder.name!r} holds no {NAME}; `incrowd instance` writes one since it knows the way back"
        )
    try:
        held = read_json(text_of(bytes_of(folder / NAME, "file"), NAME))
    except (ValueError, RecursionError):
        raise InputError(f"{NAME} of folder {folder.name!r} is no JSON that `incrowd instance` wrote") from None
    try:
        return again(held, solve=solve)
    except PolicyError as error:
        raise InputError(f"{NAME} of folder {folder.name!r} does not fit: {error}") from None
