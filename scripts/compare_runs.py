"""Record what two versions of the package do with the same commands, and say where they differ.

    python scripts/compare_runs.py record FOLDER [--source SRC] [--jobs 1] [--only REGEX] [--data DIR]
           [--resume] [--cold] [--twice]
    python scripts/compare_runs.py differ FOLDER_A FOLDER_B
    python scripts/compare_runs.py list

A recording runs the commands of `compare_catalogue.py`, each in an empty folder of its own, and keeps exit status,
standard output, standard error and every file written, as they are. Nothing here imports the package: commands go
through ``python -m incrowd``, with `SRC` on the path. To save the start of Python, a worker process runs a few dozen
commands one after the other; ``--cold`` gives every command a process of its own, and ``--twice`` runs every command
a second time that way and names those that differ.

What may differ between two runs of one version is masked when recordings are compared, never before
(`compare_masks.masked`).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import select
import shutil
import subprocess
import sys
import tempfile
import threading
import time
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Any

sys.path.insert(0, str(Path(__file__).resolve().parent))
import compare_catalogue
import compare_inputs
from compare_masks import differences

if TYPE_CHECKING:
    from compare_catalogue import Command

HERE = Path(__file__).resolve().parent.parent
LIMIT = 240  # seconds for one command; none should need a tenth of it
BATCH = 60  # commands of one worker process

WORKER = r"""
import io, json, logging, os, runpy, sys, traceback, warnings
ask, answer = os.fdopen(int(sys.argv[1])), os.fdopen(int(sys.argv[2]), "w")
for line in ask:
    todo = json.loads(line)
    os.chdir(todo["folder"])
    for number, (name, how) in enumerate((
        (todo["stdin"], os.O_RDONLY), ("stdout", os.O_WRONLY | os.O_CREAT), ("stderr", os.O_WRONLY | os.O_CREAT),
    )):
        opened = os.open(name if number == 0 else os.path.join(todo["out"], name), how, 0o644)
        os.dup2(opened, number)
        os.close(opened)
    sys.stdin = sys.__stdin__ = io.TextIOWrapper(io.FileIO(0, closefd=False), encoding="utf-8")
    sys.stdout = sys.__stdout__ = io.TextIOWrapper(
        io.BufferedWriter(io.FileIO(1, "w", closefd=False)), encoding="utf-8")
    sys.stderr = sys.__stderr__ = io.TextIOWrapper(
        io.BufferedWriter(io.FileIO(2, "w", closefd=False)), encoding="utf-8", line_buffering=True)
    for logger in (logging.getLogger(), *map(logging.getLogger, list(logging.root.manager.loggerDict))):
        logger.handlers.clear()
    sys.argv = ["incrowd", *todo["arguments"]]
    status = 0
    with warnings.catch_warnings():
        try:
            runpy.run_module("incrowd", run_name="__main__", alter_sys=True)
        except SystemExit as ended:
            status = 0 if ended.code is None else ended.code
            if not isinstance(status, int):
                print(status, file=sys.stderr)
                status = 1
        except BaseException:
            traceback.print_exc()
            status = 1
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            pass
    print(status, file=answer, flush=True)
"""


class Worker:
    """A process that runs commands one after the other; a new one after `BATCH` commands, or when it has died."""

    def __init__(self, environment: dict[str, str], batch: int) -> None:
        self.environment, self.batch, self.left = environment, batch, 0
        self.process: subprocess.Popen[bytes] | None = None

    def _start(self) -> None:
        self.end()
        told, ask = os.pipe()
        answer, said = os.pipe()
        self.process = subprocess.Popen(  # noqa: S603
            [sys.executable, "-c", WORKER, str(told), str(said)],
            env=self.environment, pass_fds=(told, said), stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
        )  # fmt: skip
        os.close(told)
        os.close(said)
        self.ask, self.answer, self.left = os.fdopen(ask, "w"), os.fdopen(answer), self.batch

    def run(self, todo: dict[str, Any]) -> str:
        """Return the exit status of a command, or how it ended otherwise."""
        if self.left == 0:
            self._start()
        assert self.process is not None
        self.left -= 1
        print(json.dumps(todo), file=self.ask, flush=True)
        if not select.select([self.answer], [], [], LIMIT)[0]:
            self.process.kill()
            self.left = 0
            return f"still running after {LIMIT} s"
        status = self.answer.readline().strip()
        if not status:
            self.left = 0
        return status or f"died: {self.process.wait()}"

    def end(self) -> None:
        """End the process, so that it does what it does at its end."""
        if self.process is not None:
            self.ask.close()
            self.answer.close()
            self.process.wait()
            self.process = None


def environment(source: Path, temporary: Path) -> dict[str, str]:
    """Return the surroundings of every command: nothing of the caller's that shows in an answer."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("INCROWD", "PYTHON"))}
    return kept | {"PYTHONPATH": str(source), "PYTHONDONTWRITEBYTECODE": "1", "COLUMNS": "100", "TERM": "dumb",
                   "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "TMPDIR": str(temporary)}  # fmt: skip


def run_one(command: Command, root: Path, kept: Path, worker: Worker, place: str = "runs") -> str:
    """Run a command in its own folder; leave its answer and the files it wrote in `kept`, and return its status."""
    folder = root / place / command.name
    folder.mkdir(parents=True)
    if command.before is not None:
        command.before(folder, root)
    before = {path: path.read_bytes() for path in folder.rglob("*") if path.is_file()}
    shutil.rmtree(kept, ignore_errors=True)
    kept.mkdir(parents=True)
    todo = {"folder": str(folder), "out": str(kept), "arguments": command.arguments, "stdin": command.stdin}
    status = worker.run(todo)
    (kept / "status").write_text(status + "\n")
    (kept / "command").write_text(json.dumps(command.arguments) + "\n")
    for path in sorted(folder.rglob("*")):
        if path.is_file() and before.get(path) != path.read_bytes():
            copy = kept / "files" / path.relative_to(folder)
            copy.parent.mkdir(parents=True, exist_ok=True)
            copy.write_bytes(path.read_bytes())
    return status


def chosen(commands: list[Command], only: str | None, recorded: Path | None = None) -> list[Command]:
    """Return the commands whose names match, with those whose files they read, in the catalogue's order.

    With `recorded`, commands that have a status there are left out, unless their files are read.
    """
    named = {command.name: command for command in commands}
    wanted = {name for name in named if re.search(only or "", name)}
    if recorded is not None:
        wanted -= {path.parent.name for path in recorded.glob("runs/*/status")}
    todo = list(wanted)
    while todo:
        todo += (new := named[todo.pop()].needs - wanted)
        wanted |= new
    return [command for command in commands if command.name in wanted]


def ask_package(around: dict[str, str], *arguments: str) -> Any:
    """Return what the package answers in JSON."""
    done = subprocess.run(  # noqa: S603
        [sys.executable, "-m", "incrowd", *arguments], env=around, capture_output=True, check=True
    )
    return json.loads(done.stdout)


def catalogue(around: dict[str, str], data: Path | None) -> list[Command]:
    """Return all commands, for what the package has registered."""
    listed = {what: ask_package(around, "list", what, "--json") for what in compare_catalogue.LISTS}
    commands = compare_catalogue.commands(listed, data)
    names = [command.name for command in commands]
    doubled = {name for name in names if names.count(name) > 1}
    if doubled:
        raise SystemExit(f"two commands have one name: {', '.join(sorted(doubled))}")
    return commands


def record(told: argparse.Namespace) -> int:
    """Run the catalogue and keep what every command did."""
    target, data = told.folder.resolve(), told.data.resolve() if told.data and told.data.is_dir() else None
    with tempfile.TemporaryDirectory(prefix="compare-") as made:
        root = Path(made)
        (root / "tmp").mkdir()
        around = environment(told.source.resolve(), root / "tmp")
        compare_inputs.make(root / "in")
        if data:
            (root / "data").symlink_to(data)
        commands = chosen(catalogue(around, data), told.only, target if told.resume else None)
        target.mkdir(parents=True, exist_ok=True)
        begun = time.monotonic()
        days = [date.today().isoformat()]
        (target / "about.json").write_text(json.dumps({"root": made, "days": days}))
        done = {command.name: threading.Event() for command in commands}
        waiting, unequal, lock = iter(list(enumerate(commands))), list[str](), threading.Lock()
        failed = list[str]()

        def work() -> None:
            try:
                run_all()
            except Exception as error:
                failed.append(repr(error))
                for event in done.values():  # nobody waits for what will never come
                    event.set()
                raise

        def run_all() -> None:
            worker, cold = Worker(around, 1 if told.cold else BATCH), Worker(around, 1)
            while True:
                with lock:
                    number, command = next(waiting, (-1, None))
                if command is None:
                    break
                for name in command.needs:
                    done[name].wait()
                since = time.monotonic()
                status = run_one(command, root, target / "runs" / command.name, worker)
                took = time.monotonic() - since
                if told.twice:
                    run_one(command, root, root / "second" / command.name, cold, "again")
                    if list(differences(target / "runs" / command.name, root / "second" / command.name, made, days)):
                        unequal.append(command.name)
                done[command.name].set()
                print(f"{number + 1}/{len(commands)} {command.name}: {status} ({took:.1f} s)", flush=True)
            worker.end()
            cold.end()

        threads = [threading.Thread(target=work) for _ in range(told.jobs)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        days.append(date.today().isoformat())
        (target / "about.json").write_text(json.dumps({"root": made, "days": days}))
        used = os.times()
        print(f"{len(commands)} commands in {time.monotonic() - begun:.0f} s, "
              f"{used.children_user + used.children_system:.0f} CPU seconds")  # fmt: skip
        for name in sorted(unequal):
            print(f"differs when run again: {name}")
        for error in failed:
            print(f"NOT WHOLE, for this script failed: {error}")
    return 1 if unequal or failed else 0


def differ(told: argparse.Namespace) -> int:
    """Compare two recordings, command by command."""
    about = [json.loads((folder / "about.json").read_text()) for folder in (told.first, told.second)]
    runs = [{path.parent.name for path in folder.glob("runs/*/status")} for folder in (told.first, told.second)]
    same, unequal = 0, 0
    for name in sorted(runs[0] | runs[1]):
        if told.only and not re.search(told.only, name):
            continue
        missing = [word for word, there in zip(("first", "second"), runs, strict=True) if name not in there]
        found = [("", [f"not in the {missing[0]} recording"])] if missing else list(differences(
            told.first / "runs" / name, told.second / "runs" / name, about[0]["root"], about[0]["days"],
            about[1]["root"], about[1]["days"],
        ))  # fmt: skip
        same, unequal = same + (not found), unequal + bool(found)
        if told.all and not found:
            print(f"same: {name}")
        for path, lines in found:
            print(f"DIFFERENT: {name} {path}", *lines, sep="\n    ")
    print(f"{same} commands are the same, {unequal} are not")
    return 1 if unequal or not same else 0


def main() -> int:
    """Do what the command line asks."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parts = parser.add_subparsers(dest="what", required=True)
    for name, job in (("record", record), ("list", None)):
        part = parts.add_parser(name)
        part.set_defaults(job=job)
        if job:
            part.add_argument("folder", type=Path)
        part.add_argument("--source", type=Path, default=HERE / "src", help="the src folder of the version to be run")
        part.add_argument("--data", type=Path, default=HERE.parent / "shared" / "data", help="folder of real data")
        part.add_argument("--only", help="commands whose names match this regular expression")
        part.add_argument("--jobs", type=int, default=1)
        part.add_argument("--resume", action="store_true", help="only commands that FOLDER does not have yet")
        part.add_argument("--cold", action="store_true", help="a process for every command")
        part.add_argument("--twice", action="store_true", help="run every command again, cold, and name what differs")
    part = parts.add_parser("differ")
    part.set_defaults(job=differ)
    part.add_argument("first", type=Path)
    part.add_argument("second", type=Path)
    part.add_argument("--only")
    part.add_argument("--all", action="store_true", help="name the commands that are the same, too")
    told = parser.parse_args()
    if told.job is not None:
        return int(told.job(told))
    data = told.data.resolve() if told.data.is_dir() else None
    with tempfile.TemporaryDirectory() as made:
        for command in chosen(catalogue(environment(told.source.resolve(), Path(made)), data), told.only):
            print(command.name, *command.arguments)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
