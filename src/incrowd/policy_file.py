"""Policy file: a `Job` to and from TOML.

Keys outside a table are the policy's own; ``[mask]``, ``[weights]``, ``[read]`` and ``[job]`` hold the rest. Every
key is the name of the command line's option with underscores, and may also stand outside its table.
Paths are relative to the policy file.
"""

from __future__ import annotations

import dataclasses
import os
import tomllib
from pathlib import Path
from typing import Any

import tomli_w

from incrowd.errors import InputError, PolicyError, did_you_mean
from incrowd.job import ALIASES, Job, Policy, known_settings
from incrowd.settings import fraction_text, settings_of
from incrowd.tables.roles import Reading
from incrowd.whole import whole_file

__all__ = ["load", "save", "to_toml"]

TABLES = ("mask", "weights", "read", "job")
PATHS = ("source", "output", "certificate")


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
    flat = _flatten(document, path.name)
    for name in PATHS:
        if isinstance(flat.get(name), str) and flat[name] != "-":
            flat[name] = path.parent / flat[name]
    try:
        return Job().replace(**flat)
    except PolicyError as error:
        raise PolicyError(f"policy file {path.name!r}: {error}") from None


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
    with whole_file(path) as staged:
        staged.write_text(to_toml(job, path.parent), encoding="utf-8", newline="\n")


def to_toml(job: Job, folder: Path) -> str:
    """Return a job as TOML: what differs from the defaults, and always k and the quasi-identifiers."""
    policy = job.policy
    document: dict[str, Any] = {}
    for name in settings_of(Policy):
        value = getattr(policy, name)
        if name != "weights" and (value != getattr(Policy(), name) or (name == "k" and value)):
            document[name] = _plain(value)
    tables = {
        "mask": policy.mask.to_dict(),
        "weights": {column: fraction_text(number) for column, number in policy.weights},
        "read": _differs(policy.reading, Reading()),
        "job": _differs(job, Job()),
    }
    for name in PATHS:
        value = getattr(job, name)
        if isinstance(value, (str, Path)):
            tables["job"][name] = "-" if value == "-" else _relative(Path(value), folder)
    document.update({name: table for name, table in tables.items() if table})
    return tomli_w.dumps(document)


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
    return list(value) if isinstance(value, tuple) else value
