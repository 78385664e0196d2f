"""An instance as a folder of files: table or network, policy, answer; whole or not at all."""

from __future__ import annotations

import csv
import json
import shutil
from pathlib import Path
from typing import TYPE_CHECKING

import tomli_w

from incrowd.atomic_file import new_mode, write_whole
from incrowd.errors import InputError
from incrowd.hardness.back.document import NAME, document
from incrowd.recovery.leftovers import Run

if TYPE_CHECKING:
    import os

    from incrowd.hardness.values import Instance

__all__ = ["FILES", "write"]

FILES = ("table.csv", "graph.txt", "policy.toml", "answer.json", NAME)


def write(instance: Instance, folder: str | os.PathLike[str]) -> tuple[str, ...]:
    """Write an instance into `folder` and return the names of its files, in alphabetical order.

    A folder that holds nothing but an earlier instance is replaced; otherwise it must be new or empty. InputError is
    raised if it is no path, the folder holds anything else, its parent does not exist, or it cannot be written.
    """
    try:
        folder = Path(folder).resolve()
    except (OSError, ValueError):
        raise InputError(f"{Path(folder).name[:60]!r} is no path of a folder; name a new or an empty one") from None
    if not folder.parent.is_dir():
        raise InputError(f"folder {folder.name!r} cannot be made: the folder it goes into does not exist")
    if folder.exists() and not folder.is_dir():
        raise InputError(f"{folder.name!r} is a file; name a folder")
    if folder.is_dir() and {path.name for path in folder.iterdir()} - set(FILES):
        raise InputError(f"folder {folder.name!r} holds other files than an instance's; name an empty or a new folder")
    run = Run()
    staged = folder.parent / f".{folder.name}.{run.name}.part"
    old = staged.with_suffix(".old")
    try:
        run.enter(folder.parent)
        staged.mkdir(mode=0o700)
        for name, text in _files(instance).items():
            write_whole(staged / name, text)
        staged.chmod(folder.stat().st_mode & 0o777 if folder.is_dir() else new_mode(0o777))
        if folder.is_dir():
            folder.rename(old)
        try:
            staged.rename(folder)
        except OSError:
            if old.is_dir():
                old.rename(folder)
            raise
    except OSError as error:
        raise InputError(f"folder {folder.name!r} cannot be written: {error.strerror}") from None
    finally:
        shutil.rmtree(staged, ignore_errors=True)
        shutil.rmtree(old, ignore_errors=True)
        run.leave()
    return tuple(sorted(path.name for path in folder.iterdir()))


def _files(instance: Instance) -> dict[str, str]:
    """Return the text of every file by its name."""
    shared = {"answer.json": json.dumps(instance.answer(), indent=2) + "\n"}
    if instance.parameters is not None:
        shared[NAME] = json.dumps(document(instance)) + "\n"
    if instance.table is None:
        return {"graph.txt": "".join(f"{u} {v}\n" for u, v in instance.edges), **shared}
    lines = _Lines()
    writer = csv.writer(lines, lineterminator="\n")
    writer.writerow(instance.table.columns)
    writer.writerows(instance.table.rows)
    policy = {**instance.policy, "job": {"source": "table.csv"}}
    return {"table.csv": "".join(lines.held), "policy.toml": tomli_w.dumps(policy), **shared}


class _Lines:
    """What a CSV writer writes to."""

    def __init__(self) -> None:
        self.held: list[str] = []

    def write(self, line: str) -> int:
        """Keep a line."""
        self.held.append(line)
        return len(line)
