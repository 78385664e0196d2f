"""Policy file: a `Job` to and from TOML.

Keys outside a table are the policy's own; ``[mask]``, ``[weights]``, ``[read]`` and ``[job]`` hold the rest. Every
key is the name of the command line's option with underscores, and may also stand outside its table.
Paths are relative to the policy file.
"""

from __future__ import annotations

import dataclasses
import os
import tomllib
from fractions import Fraction
from pathlib import Path
from typing import Any

import tomli_w

from incrowd.atomic_file import write_whole
from incrowd.errors import InputError, PolicyError, did_you_mean
from incrowd.policy.job import ALIASES, Job, Policy, known_settings
from incrowd.settings import fraction_text, settings_of
from incrowd.tables.hierarchy import HierarchyFile, Spec, as_spec, plain_spec
from incrowd.tables.models.parse import plain_model
from incrowd.tables.roles import Reading

__all__ = ["load", "save", "shareable", "to_toml"]

TABLES = ("mask", "weights", "hierarchies", "read", "job")
APART = ("weights", "hierarchies", "require", "sensitive_distance")  # of the policy's own keys: tables
PATHS = ("source", "output", "certificate", "report")


def load(path: Path) -> Job:
    """Return the job written in a TOML file.

    Raises
    ------
    InputError
        If the file cannot be read or is no TOML.
    PolicyError
        If a key is unknown, given twice or has a bad value.
    """
    try:
        document = tomllib.loads(path.read_text(encoding="utf-8"))
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
    flat = _flatten(document, path.name)
    for name in PATHS:
        if isinstance(flat.get(name), str) and flat[name] != "-":
            flat[name] = path.parent / flat[name]
    try:
        if isinstance(flat.get("hierarchies"), dict):
            flat["hierarchies"] = {c: _beside(path.parent, c, spec) for c, spec in flat["hierarchies"].items()}
        _trees_beside(path.parent, flat)
        return Job().replace(**flat)
    except PolicyError as error:
        raise PolicyError(f"policy file {path.name!r}: {error}") from None


def _beside(folder: Path, column: str, value: Any) -> Spec:
    """Return a hierarchy whose file is named from the policy file's folder."""
    spec = as_spec(value, f"hierarchy of {column!r}")
    return dataclasses.replace(spec, path=folder / spec.path) if isinstance(spec, HierarchyFile) else spec


def _trees_beside(folder: Path, flat: dict[str, Any]) -> None:
    """Name the files of the trees of sensitive values from the policy file's folder."""
    asked = flat.get("require")
    if isinstance(asked, list):
        flat["require"] = [
            {**one, "hierarchy": folder / one["hierarchy"]}
            if isinstance(one, dict) and isinstance(one.get("hierarchy"), str)
            else one
            for one in asked
        ]
    kinds = flat.get("sensitive_distance")
    if isinstance(kinds, dict):
        flat["sensitive_distance"] = {
            column: f"hierarchical:{folder / kind.partition(':')[2]}"
            if isinstance(kind, str) and kind.startswith("hierarchical:")
            else kind
            for column, kind in kinds.items()
        }


def _flatten(document: dict[str, Any], file: str) -> dict[str, Any]:
    flat: dict[str, Any] = {}
    known = known_settings()
    of_table = {"read": list(settings_of(Reading)), "job": ["source", *settings_of(Job)]}

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


def save(job: Job, path: Path) -> None:
    """Write a job, whole or not at all; a source that is no file is left out."""
    write_whole(path, to_toml(job, path.parent))


def to_toml(job: Job, folder: Path) -> str:
    """Return a job as TOML: what differs from the defaults, and always k and the quasi-identifiers."""
    policy = job.policy
    document: dict[str, Any] = {}
    for name in settings_of(Policy):
        value = getattr(policy, name)
        if name not in APART and (value != getattr(Policy(), name) or (name == "k" and value)):
            document[name] = _plain(value)
    if policy.require:
        document["require"] = [plain_model(model) for model in policy.require]
    if policy.sensitive_distance:
        document["sensitive_distance"] = {
            column: f"hierarchical:{_relative(Path(kind.partition(':')[2]), folder)}" if ":" in kind else kind
            for column, kind in policy.sensitive_distance
        }
    tables = {
        "mask": policy.mask.to_dict(),
        "weights": {column: fraction_text(number) for column, number in policy.weights},
        "hierarchies": {column: _spec(spec, column, folder) for column, spec in policy.hierarchies},
        "read": _differs(policy.reading, Reading()),
        "job": _differs(job, Job()),
    }
    for name in PATHS:
        value = getattr(job, name)
        if isinstance(value, (str, Path)):
            tables["job"][name] = "-" if value == "-" else _relative(Path(value), folder)
    document.update({name: table for name, table in tables.items() if table})
    return tomli_w.dumps(document)


def _spec(spec: Spec, column: str, folder: Path) -> Any:
    if isinstance(spec, HierarchyFile):
        spec = dataclasses.replace(spec, path=Path(_relative(spec.path, folder)))
        plain = plain_spec(spec, column)
        return plain["file"] if len(plain) == 1 else plain
    return plain_spec(spec, column)


def shareable(policy: Policy) -> str:
    """Return a policy as TOML for a reader elsewhere: files by their base names."""
    specs = tuple(
        (column, dataclasses.replace(spec, path=Path(spec.path.name)) if isinstance(spec, HierarchyFile) else spec)
        for column, spec in policy.hierarchies
    )
    return to_toml(Job(policy=dataclasses.replace(policy, hierarchies=specs)), Path())


def _relative(path: Path, folder: Path) -> str:
    try:
        return Path(os.path.relpath(path.resolve(), folder.resolve())).as_posix()
    except ValueError:  # another drive
        return path.resolve().as_posix()


def _differs(value: Any, default: Any) -> dict[str, Any]:
    return {
        f.name: _plain(getattr(value, f.name))
        for f in dataclasses.fields(value)
        if "setting" in f.metadata and f.name not in PATHS and getattr(value, f.name) != getattr(default, f.name)
    }


def _plain(value: Any) -> Any:
    if isinstance(value, Fraction):
        return fraction_text(value)
    return list(value) if isinstance(value, tuple) else value
