"""Files that the program itself writes, for others to be made of: run once, in a process of its own."""

from __future__ import annotations

import os
import pickle
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from process.fuzz.case import Case

__all__ = ["outputs_of"]


def outputs_of(case: Case, *names: str) -> dict[str, bytes]:
    """Run a case that is in order and return the files that it wrote; none where it ends otherwise."""
    from incrowd.cli.main import main

    reads, writes = os.pipe()
    with tempfile.TemporaryDirectory() as folder:
        pid = os.fork()
        if not pid:
            try:
                os.close(reads)
                os.chdir(folder)
                for name, data in case.files:
                    Path(name).write_bytes(data)
                null = os.open(os.devnull, os.O_RDWR)
                for number in range(3):
                    os.dup2(null, number)
                try:
                    main(list(case.words))
                except SystemExit:
                    held = {name: Path(name).read_bytes() for name in names if Path(name).is_file()}
                    with os.fdopen(writes, "wb") as told:
                        pickle.dump(held, told)
            finally:
                os._exit(0)
        os.close(writes)
        with os.fdopen(reads, "rb") as told:
            text = told.read()
        os.waitpid(pid, 0)
    if not text:
        print(f"no files of {case.words}", file=sys.stderr)
        return {}
    return pickle.loads(text)
