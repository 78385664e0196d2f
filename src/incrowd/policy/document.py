"""What a policy file holds, as plain values: settings by name, to and from tables of keys; unknown keys are refused.

Keys outside a table are the policy's own; ``[mask]``, ``[weights]``, ``[read]`` and ``[job]`` hold the rest. A key may
also stand outside its table. Paths are relative to the policy file. Nothing here knows the classes
`incrowd.policy.job.Policy` and `Job`: they come as values, and their fields say what is written.
"""

from __future__ import annotations

import dataclasses
import os
from fractions import Fraction
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.atomic_file import write_whole
from incrowd.errors import InputError, PolicyError, did_you_mean
from incrowd.policy.keys import ALIASES, APART, PATHS
from incrowd.settings import fraction_text, settings_of
from incrowd.tables.hierarchy import Hierarchy, HierarchyFile, Spec, as_spec, plain_spec
from incrowd.tables.models.distances import named_file
from incrowd.tables.models.parse import plain_model, words_of
from incrowd.tables.source_files import address_of, are_paths
from incrowd.tables.workload import plain_cost

if TYPE_CHECKING:
    from collections.abc import Callable


def flatten(document: dict[str, Any], file: str, known: list[str], of_table: dict[str, list[str]]) -> dict[str, Any]:
    """Return the settings of a document by name, whether they stand in their tables or outside.

    The document is what a policy file holds, and `file` its name, for messages. `known` has the keys that may stand
    outside every table, masks and weights among them, and `of_table` by the name of a table the keys that may stand in
    it. The values are as they are in the file, by the settings' own names. PolicyError is raised if a key is unknown or
    given twice, or what must be a table is none.
    """
    flat: dict[str, Any] = {}

    def put(name: str, value: Any, allowed: list[str], where: str) -> None:
        name = ALIASES.get(name, name)
        if name not in allowed:
            raise PolicyError(f"policy file {file!r}: there is no key {name!r}{where}{did_you_mean(name, allowed)}")
        if name in flat:
            raise PolicyError(f"policy file {file!r}: key {name!r} is given twice")
        flat[name] = value

    for name, value in document.items():
        if name in of_table:
            if not isinstance(value, dict):
                raise PolicyError(f"policy file {file!r}: {name!r} must be a table, written [{name}]")
            for inner, entry in value.items():
                put(inner, entry, of_table[name], f" in [{name}]")
        else:
            put(name, value, known, "")
    return flat


def from_folder(flat: dict[str, Any], folder: Path) -> dict[str, Any]:
    """Return settings whose files are named from a folder: that of the policy file that names them.

    `flat` has the settings by name, as `flatten` returns them; it is not changed. The result has paths of files from
    the working folder, and hierarchies as specifications. PolicyError is raised if what is given as a hierarchy is
    none.
    """
    placed = dict(flat)
    for name in PATHS:
        if isinstance(placed.get(name), str) and placed[name] != "-" and address_of(placed[name]) is None:
            placed[name] = folder / placed[name]
    if are_paths(placed.get("source")):
        placed["source"] = [one if address_of(one) else folder / one for one in placed["source"]]
    return with_files(placed, lambda file: folder / file)


def with_files(flat: dict[str, Any], named: Callable[[str | Path], Any]) -> dict[str, Any]:
    """Return settings with every file that they name named anew: of hierarchies, a workload, models and distances.

    `flat` is as of `from_folder`, and `named` gets each file as it stands there.
    """
    placed = dict(flat)
    if isinstance(placed.get("hierarchies"), dict):
        placed["hierarchies"] = {c: _hierarchy(spec, c, named) for c, spec in placed["hierarchies"].items()}
    if isinstance(placed.get("cost"), str):
        placed["cost"] = plain_cost(placed["cost"], named)
    asked = placed.get("require")
    if isinstance(asked, list):
        placed["require"] = [_model(one, named) for one in asked]
    elif isinstance(asked, (str, dict)):
        placed["require"] = _model(asked, named)
    kinds = placed.get("sensitive_distance")
    if isinstance(kinds, dict):
        placed["sensitive_distance"] = {column: _distance(kind, named) for column, kind in kinds.items()}
    return placed


def _hierarchy(value: Any, column: str, named: Callable[[str | Path], Any]) -> Spec:
    spec = as_spec(value, f"hierarchy of {column!r}")
    return dataclasses.replace(spec, path=Path(named(spec.path))) if isinstance(spec, HierarchyFile) else spec


def _model(asked: Any, named: Callable[[str | Path], Any]) -> Any:
    """Return what is asked of a model, in words or as a table, with its files named anew."""
    said = asked
    if isinstance(asked, str):
        try:
            name, settings = words_of(asked)
        except PolicyError:  # who reads the models says what is wrong with it
            return asked
        said = {"model": name, **settings} if "model" not in settings else {}
    if not isinstance(said, dict):
        return asked
    more: dict[str, Any] = {}
    if isinstance(said.get("hierarchy"), str):
        more["hierarchy"] = named(said["hierarchy"])
    if named_file(said.get("distance")) is not None:
        more["distance"] = _distance(said["distance"], named)
    return {**said, **more} if more else asked


def _distance(distance: Any, named: Callable[[str | Path], Any]) -> Any:
    found = named_file(distance)
    return distance if found is None else f"{found[0]}:{named(found[1])}"


def document_of(policy: Any, job: Any, folder: Path, *, memory: bool = False) -> dict[str, Any]:
    """Return a policy, and the job it belongs to where there is one, as a document of plain values, as TOML takes them.

    What is written of the policy is what differs from the defaults, and always k and the quasi-identifiers. Without a
    job the document is the policy's alone. Files are named from `folder`. Hierarchies that live in memory alone are
    refused, or with `memory` stand there as their lines and costs, which no TOML holds.
    """
    usual = type(policy)()

    def near(file: str | Path) -> str:
        return _relative(Path(file), folder)

    document: dict[str, Any] = {}
    for name in settings_of(type(policy)):
        value = getattr(policy, name)
        if name not in APART and (value != getattr(usual, name) or (name == "k" and value)):
            document[name] = plain_value(value)
    if "cost" in document:
        document["cost"] = plain_cost(policy.cost, near)
    if policy.require:
        document["require"] = [plain_model(model) for model in policy.require]
    if policy.sensitive_distance:
        document["sensitive_distance"] = {column: _distance(kind, near) for column, kind in policy.sensitive_distance}
    tables = {
        "mask": policy.mask.to_dict(),
        "weights": {column: fraction_text(number) for column, number in policy.weights},
        "hierarchies": {
            column: _plain_hierarchy(spec, column, near, memory=memory) for column, spec in policy.hierarchies
        },
        "read": _differs(policy.reading),
        "job": {} if job is None else _differs(job),
    }
    for name in PATHS:
        value = getattr(job, name, None)
        if isinstance(value, (str, Path)):
            tables["job"][name] = "-" if value == "-" else address_of(value) or near(value)
    if job is not None and are_paths(job.source):
        tables["job"]["source"] = [address_of(one) or near(one) for one in job.source]
    return document | {name: table for name, table in tables.items() if table}


def _plain_hierarchy(spec: Spec, column: str, named: Callable[[str | Path], Any], *, memory: bool = False) -> Any:
    if memory and isinstance(spec, Hierarchy):
        levels, nodes = spec.level_costs, spec.node_costs
        return spec.lines, {"level_costs": levels, "node_costs": None if nodes is None else dict(nodes)}
    plain = plain_spec(_hierarchy(spec, column, named), column)
    return plain["file"] if isinstance(spec, HierarchyFile) and len(plain) == 1 else plain


def _relative(path: Path, folder: Path) -> str:
    try:
        return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()
    except ValueError:  # another drive, or no name that a file can have
        return path.absolute().as_posix()


def _differs(value: Any) -> dict[str, Any]:
    default = type(value)()
    return {
        f.name: plain_value(getattr(value, f.name))
        for f in dataclasses.fields(value)
        if "setting" in f.metadata and f.name not in PATHS and getattr(value, f.name) != getattr(default, f.name)
    }


def plain_value(value: Any) -> Any:
    """Return a setting's value as TOML takes it: exact numbers in the plainest way, tuples as lists."""
    if isinstance(value, Fraction):
        return fraction_text(value)
    return list(value) if isinstance(value, tuple) else value


# Policy file: TOML read, with a sentence for every file that is none, and a policy or a job written as TOML.
def read_document(path: Path) -> dict[str, Any]:
    """Return what a TOML file holds, which is read whole into memory.

    InputError is raised if the file cannot be read or is no TOML.
    """
    import tomllib  # here, for most commands read no policy file

    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except FileNotFoundError:
        raise InputError(
            f"there is no policy file {path.name!r}; `incrowd init TABLE` writes one to start from"
        ) from None
    except UnicodeDecodeError:
        raise InputError(f"policy file {path.name!r} is not UTF-8; save it as UTF-8") from None
    except OSError as error:
        raise InputError(f"policy file {path.name!r} cannot be read: {error.strerror}") from None
    except tomllib.TOMLDecodeError as error:
        raise InputError(f"policy file {path.name!r} is not valid TOML: {error}") from None
    except (ValueError, RecursionError):
        raise InputError(
            f"policy file {path.name!r} cannot be read: a number is too long, or tables are nested too deep"
        ) from None


def to_toml(policy: Any, job: Any, folder: Path) -> str:
    """Return a policy, and the job it belongs to where there is one, as TOML.

    Where `job` is None it is the policy alone. Files are named relative to `folder`.
    """
    import tomli_w

    return tomli_w.dumps(document_of(policy, job, folder))


def save(policy: Any, job: Any, path: Path) -> None:
    """Write a policy, and the job it belongs to, whole or not at all; a source that is no file is left out.

    Where `job` is None it is the policy alone. Files are named relative to the folder of `path`. InputError is raised
    if it cannot be written.
    """
    write_whole(path, to_toml(policy, job, path.parent))


def save_asked(job: Any, path: Path) -> None:
    """Write what a job asks of a release, by which it is verified: its policy, and how its cells are written."""
    save(job.policy, type(job)(spreadsheet_safe=job.spreadsheet_safe), path)


def shareable(policy: Any) -> str:
    """Return a policy as TOML for a reader elsewhere: files by their base names.

    The TOML names no folder of this machine among the files of hierarchies and of a workload.
    """
    specs = tuple(
        (column, _hierarchy(spec, column, lambda file: Path(file).name)) for column, spec in policy.hierarchies
    )
    cost = plain_cost(policy.cost)
    return to_toml(dataclasses.replace(policy, hierarchies=specs, cost=cost), None, Path())
