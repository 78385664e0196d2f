"""The files that a policy names: each must lie in the policy's folder, so that one from elsewhere reads no other."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import PolicyError
from incrowd.policy.document import from_folder
from incrowd.policy.job import flat_settings
from incrowd.policy.toml import read_document
from incrowd.tables.hierarchy import HierarchyFile
from incrowd.tables.models.distance_file import named_file
from incrowd.tables.workload import WORD

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["files_named", "missing_files"]


def files_named(policy: Path) -> list[str]:
    """Return the files that a policy file names, from its folder, each once.

    Raise `PolicyError` if it is no policy, or names a file out of its folder, and `InputError` if it is no TOML.
    """
    flat = flat_settings(read_document(policy), policy.name)
    folder = policy.parent.resolve()
    found = []
    for path in _paths(from_folder(flat, folder)):
        inside = path.is_relative_to(folder) and ".." not in path.parts and path.resolve().is_relative_to(folder)
        if not inside:
            raise PolicyError(
                "the policy names a file out of its own folder, which the app does not read; put the file beside the "
                "policy and name it without a folder"
            )
        found.append(path.relative_to(folder).as_posix())
    return list(dict.fromkeys(found))


def missing_files(policy: Path) -> list[str]:
    """Return those of the files that a policy names that are not there.

    Raise `PolicyError` or `InputError` as `files_named` does.
    """
    return [name for name in files_named(policy) if not (policy.parent / name).is_file()]


def _paths(flat: Mapping[str, Any]) -> Iterator[Path]:
    given = flat.get("hierarchies")
    for spec in given.values() if isinstance(given, dict) else ():
        if isinstance(spec, HierarchyFile):
            yield spec.path
    word, _, file = str(flat.get("cost", "")).partition(":")
    if word == WORD and file:
        yield Path(file)
    asked = flat.get("require")
    for model in asked if isinstance(asked, list) else [asked]:
        if isinstance(model, dict):
            if isinstance(model.get("hierarchy"), (str, Path)):
                yield Path(model["hierarchy"])
            yield from _of_distance(model.get("distance"))
    kinds = flat.get("sensitive_distance")
    for kind in kinds.values() if isinstance(kinds, dict) else ():
        yield from _of_distance(kind)


def _of_distance(distance: Any) -> Iterator[Path]:
    named = named_file(distance)
    if named is not None:
        yield Path(named[1])
