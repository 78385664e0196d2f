"""Policy file: TOML read, with a sentence for every file that is none, and a policy or a job written as TOML."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import Any

from incrowd.atomic_file import write_whole
from incrowd.errors import InputError
from incrowd.policy.document import document_of
from incrowd.tables.hierarchy import HierarchyFile
from incrowd.tables.workload import plain_cost

__all__ = ["read_document", "save", "shareable", "to_toml"]


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


def shareable(policy: Any) -> str:
    """Return a policy as TOML for a reader elsewhere: files by their base names.

    The TOML names no folder of this machine among the files of hierarchies and of a workload.
    """
    specs = tuple(
        (column, dataclasses.replace(spec, path=Path(spec.path.name)) if isinstance(spec, HierarchyFile) else spec)
        for column, spec in policy.hierarchies
    )
    cost = plain_cost(policy.cost)
    return to_toml(dataclasses.replace(policy, hierarchies=specs, cost=cost), None, Path())
