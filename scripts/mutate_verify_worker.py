"""Run small jobs for `mutate_verify.py` in forks, each with one thing in the package's code changed.

Everything is imported once, and every job's table is read and counted once. A change is made by giving functions their
changed code, and what stands outside of functions its changed value; where that is neither (a class made otherwise),
the fork imports the package anew. Compiled code runs as plain Python, so that no compiled copy of the code before
stands anywhere. Reads a request a line from standard input (JSON), answers a line:

prepare  reads and counts the tables of jobs
trace    runs a job whole: which lines are reached before a solver has the problem, and until its answer is recounted
short    runs jobs from the counted table to the solver's answer, and gives a digest of that
whole    runs jobs from file to file
"""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import gc
import hashlib
import importlib
import itertools
import json
import os
import resource
import signal
import sys
import time
import traceback
import warnings
from pathlib import Path
from typing import TYPE_CHECKING, Any
from unittest import mock

sys.path.insert(0, str(Path(__file__).resolve().parent))

from mutate_verify_changes import SRC, change, functions, import_anew

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FunctionType

LIBRARIES = (
    "ibis.backends.duckdb", "duckdb", "pyarrow.csv", "pyarrow.parquet", "highspy", "scipy.optimize", "scipy.sparse",
)  # fmt: skip
PREPARED: dict[int, Any] = {}  # by the seed of a job its table, read and counted


class OutOfTimeError(BaseException):
    """A job took more than its processor time."""


class SolvedError(BaseException):
    """Not an error: a solver answered, and that is as far as a short run goes."""

    def __init__(self, problem: Any, solution: Any) -> None:
        super().__init__()
        self.problem, self.solution = problem, solution


def plain_python() -> None:
    """Let compiled code run as plain Python from here on."""
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    sys.path.insert(0, str(SRC))


def import_all() -> None:
    """Import every module that a job may import, so that forks need not."""
    for name in LIBRARIES:
        with contextlib.suppress(ImportError):
            importlib.import_module(name)
    for file in sorted((SRC / "incrowd").rglob("*.py")):
        module = ".".join(file.relative_to(SRC).with_suffix("").parts).removesuffix(".__init__")
        if not module.endswith("__main__") and ".networks" not in module and ".spark" not in module:
            with contextlib.suppress(ImportError):
                importlib.import_module(module)


def forget_answers() -> None:
    """Empty what functions of the package remember of calls before."""
    for one in gc.get_objects():
        if isinstance(one, functools._lru_cache_wrapper) and str(one.__module__).startswith("incrowd"):
            one.cache_clear()


@contextlib.contextmanager
def limited(seconds: float) -> Iterator[None]:
    """Raise in the block when it took so much processor time, and again and again until it ends."""

    def out_of_time(*_: object) -> None:
        raise OutOfTimeError

    signal.signal(signal.SIGPROF, out_of_time)
    signal.setitimer(signal.ITIMER_PROF, seconds, 0.25)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_PROF, 0)


def call(job: dict[str, Any], out: Path) -> None:
    """Make the release of a job."""
    import incrowd

    folder = Path(job["folder"])
    options = {"certificate": None if job["bare"] else out / "certificate.json", "seed": 1, **job["options"]}
    with conditions(options.pop("clock", None), options.pop("set", {})):
        incrowd.anonymize(
            folder / "original.csv", policy=folder / "policy.toml", output=out / "release.csv", **options
        ).close()  # fmt: skip


@contextlib.contextmanager
def conditions(clock: float | None, values: dict[str, Any]) -> Iterator[None]:
    """Run with values set ("module:NAME" or "module:NAME.field"), and by a clock that goes on as it is looked at.

    With it what depends on the time left comes out alike every time, and small tables reach what only large ones would.
    """
    with contextlib.ExitStack() as undo:
        if clock is not None:
            ticks = itertools.count(1)
            undo.enter_context(mock.patch("time.perf_counter", lambda: next(ticks) * clock))
        for where, value in values.items():
            module, _, name = where.partition(":")
            name, _, part = name.partition(".")
            home = importlib.import_module(module)
            new = dataclasses.replace(getattr(home, name), **{part: value}) if part else value
            undo.enter_context(mock.patch.object(home, name, new))
        yield


def attempt(made: Any, seconds: float) -> tuple[str, str]:
    """Run something that makes a release; how it went, and why."""
    from incrowd.errors import IncrowdError, OurBug

    try:
        with limited(seconds):
            made()
    except OurBug as error:
        return "own check", str(error)
    except IncrowdError as error:
        return "words", str(error)
    except OutOfTimeError:
        return "limit", f"more than {seconds:g} s of processor time"
    except Exception as error:  # noqa: BLE001
        return "crash", f"{type(error).__name__}: {error}"
    return "written", ""


@contextlib.contextmanager
def files_alone() -> Iterator[Any]:
    """Leave out what a job tells and does not write: its facts say nothing of release and certificate."""
    from incrowd.jobs import anonymize

    no_news = {"settled": False, "gives_away": None}
    with mock.patch.multiple(anonymize, _given_away=lambda *_: no_news, stars_alone=lambda *_: None):
        yield anonymize


def run_job(job: dict[str, Any], out: Path, seconds: float, *, checked: bool) -> tuple[str, str]:
    """Run a job from file to file, with the recount before anything is written or without it."""
    out.mkdir(parents=True, exist_ok=True)
    with contextlib.ExitStack() as undo:
        anonymize = undo.enter_context(files_alone())
        if not checked:
            undo.enter_context(mock.patch.object(anonymize, "assert_verdict_matches_plan", lambda *_: None))
        return attempt(lambda: call(job, out), seconds)


def prepared(job: dict[str, Any]) -> Any:
    """Return the table of a job as a solver's problem is made of it."""
    from incrowd.jobs import anonymize

    kept: list[Any] = []
    real = anonymize.prepare_within

    def keep(*args: Any) -> Any:
        kept.append(real(*args))
        raise SolvedError(None, None)

    with mock.patch.object(anonymize, "prepare_within", keep), contextlib.suppress(SolvedError):
        call(job, Path(job["folder"]))
    return kept[0]


def run_short(job: dict[str, Any], seconds: float) -> tuple[str, str]:
    """Run a job to its solver's answer, from its counted table or from its file; ("solved", a digest of that), or how.

    Its table is read and counted anew where the change may matter for that (``job["counted"]`` is false).
    """
    from incrowd.jobs import anonymize
    from incrowd.tables.recoding import grid

    def solved(*args: Any) -> None:
        raise SolvedError(*args[-2:])

    made = [PREPARED[job["seed"]]]
    recoding = mock.patch.multiple(
        type(made[0].fitted.recoding), expand=lambda *_, **__: None, recount=lambda *_: None
    )  # fmt: skip
    real = anonymize.prepare_within

    def prepare_anew(*args: Any) -> Any:
        made[0] = real(*args)
        return made[0]

    counted = {"open_engine": lambda *_: mock.MagicMock(), "prepare_within": lambda *_: made[0]}
    parts = counted if job.get("counted", True) else {"prepare_within": prepare_anew}
    jobs = mock.patch.multiple(anonymize, assert_verdict_matches_plan=solved, **parts)
    try:
        with recoding, jobs, mock.patch.object(grid, "settled", solved):
            return attempt(lambda: call(job, Path(job["folder"])), seconds)
    except SolvedError as found:
        return "solved", digest(made[0].fitted.text, found.problem, found.solution)


def digest(text: Any, problem: Any, solution: Any) -> str:
    """Return what stands for all that a release and its certificate are made from; `text`: the columns that change."""
    from incrowd.tables.user_units import claims_in_units

    plan = solution.plan
    arrays = {name: getattr(plan, name) for name in dir(plan) if hasattr(getattr(plan, name), "tolist")}
    bound = (solution.bound.value, solution.bound.checked, solution.status if solution.certificate is None else "")
    parts = [
        *((name, str(array.shape), array.tolist()) for name, array in sorted(arrays.items())),
        [level.cost.tolist() for level in problem.levels], problem.scale, bound, text,
        json.dumps(dict(claims_in_units(problem, solution.certificate) or {})),
    ]  # fmt: skip
    return hashlib.sha256(repr(parts).encode()).hexdigest()


def child(asked: dict[str, Any], known: dict[str, list[FunctionType]], limit: float) -> list[dict[str, Any]]:
    """Run the jobs of one request."""
    warnings.simplefilter("ignore")
    gc.disable()  # it ends soon
    if "module" in asked and not change(str(SRC / asked["module"]), asked["source"], known):
        if asked["do"] == "short":
            return [{"how": "anew", "why": ""} for _ in asked["jobs"]]
        import_anew(str(SRC / asked["module"]), asked["source"])
    answers, late, least = [], 0, limit
    for number, job in enumerate(asked["jobs"]):
        begun = time.process_time()
        limit = least + 5 * job.get("seconds", 0)
        if asked["do"] == "short":
            how, why = run_short(job, limit) if late < 2 else ("limit", "not tried after two that took too long")
            late += how == "limit"
            answers.append({"how": how, "why": why[:300], "seconds": time.process_time() - begun})
            continue
        out = Path(asked["out"]) / str(number)
        lines: dict[str, dict[str, set[int]]] = {"before": {}, "solving": {}}
        with traced(lines) if asked["do"] == "trace" else contextlib.nullcontext():
            how, why = run_job(job, out, limit, checked=True)
        if how == "own check":
            out = out.with_name(f"{number}u")
            run_job(job, out, limit, checked=False)
        believed = asked_itself(job, out, limit) if asked["do"] == "whole" else []
        told = {
            stage: {str(Path(name).relative_to(SRC)): sorted(some) for name, some in files.items()}
            for stage, files in lines.items()
        }
        answers.append({"how": how, "why": why[:300], "out": str(out), "lines": told, "believed": believed})
    return answers


def asked_itself(job: dict[str, Any], out: Path, limit: float) -> list[dict[str, Any]]:
    """Ask the changed package's own check about files that it wrote: without the certificate and with it."""
    import incrowd

    files = Path(job["folder"]) / "original.csv", out / "release.csv", Path(job["folder"]) / "policy.toml"
    if not files[1].is_file() or files_of(out) == job.get("clean"):
        return []
    found = []

    def ask(certificate: Path | None) -> None:
        said = incrowd.verify(*files, certificate=certificate)
        found.append(
            {"certificate": certificate is not None, "good": not said, "bound": str(said.lower_bound or 0)}
            | {"proven": bool(said.proven)}
        )

    path = out / "certificate.json"
    for certificate in (None, path) if path.is_file() else (None,):
        attempt(functools.partial(ask, certificate), limit)
    return found


def files_of(out: Path) -> str:
    """Return what stands for the release and the certificate in a folder."""
    names = ("release.csv", "certificate.json")
    texts = [(out / name).read_bytes() if (out / name).is_file() else b"" for name in names]
    return hashlib.sha256(repr(texts).encode()).hexdigest()


@contextlib.contextmanager
def traced(lines: dict[str, dict[str, set[int]]]) -> Iterator[None]:
    """Keep the lines of the package that run before a problem is handed to a solver, and until it is recounted."""
    from incrowd.jobs import anonymize

    start, stage = str(SRC), ["before"]
    prepare, recount = anonymize.prepare_within, anonymize.assert_verdict_matches_plan

    def prepare_first(*args: Any) -> Any:
        found = prepare(*args)
        stage[0] = "solving"
        return found

    def end(*args: Any) -> None:
        sys.settrace(None)
        recount(*args)

    def inside(frame: Any, event: str, _: Any) -> Any:
        if event == "line":
            lines[stage[0]].setdefault(frame.f_code.co_filename, set()).add(frame.f_lineno)
        return inside

    def outside(frame: Any, event: str, _: Any) -> Any:
        name = frame.f_code.co_filename
        if event == "call" and name.startswith(start):
            lines[stage[0]].setdefault(name, set()).add(frame.f_lineno)
            return inside
        return None

    with mock.patch.multiple(anonymize, prepare_within=prepare_first, assert_verdict_matches_plan=end):
        sys.settrace(outside)
        try:
            yield
        finally:
            sys.settrace(None)


def run_forked(asked: dict[str, Any], known: dict[str, list[FunctionType]], limit: float) -> Any:
    """Answer a request from a fork; a text says how it ended where it did not answer."""
    answer = Path(asked["out"]).with_suffix(".json")
    limit = limit * 5 if asked["do"] == "trace" else limit
    most = int((limit + 2) * (2 * len(asked["jobs"]) + 1)) + 2
    number = os.fork()
    if number == 0:
        with contextlib.suppress(BaseException):
            os.setsid()
            resource.setrlimit(resource.RLIMIT_CPU, (most, most + 2))
            with open(os.devnull, "w") as nowhere:  # noqa: PTH123
                os.dup2(nowhere.fileno(), 1)
                os.dup2(nowhere.fileno(), 2)
            try:
                said: Any = child(asked, known, limit)
            except BaseException:  # noqa: BLE001
                said = traceback.format_exc()[-600:]
            answer.write_text(json.dumps(said))
        os._exit(0)
    ends, status = time.monotonic() + 40 * most, 0
    while (found := os.waitpid(number, os.WNOHANG))[0] == 0:
        if time.monotonic() > ends:
            os.killpg(number, signal.SIGKILL)
            found = os.waitpid(number, 0)
            break
        time.sleep(0.003)
    status = found[1]
    if answer.is_file():
        text = answer.read_text()
        answer.unlink()
        return json.loads(text)
    return f"ends by signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else "ends without an answer"


def main() -> None:
    """Answer until standard input ends."""
    resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))
    warnings.simplefilter("ignore")
    plain_python()
    import_all()
    known = functions()
    gc.freeze()
    for line in sys.stdin:
        asked = json.loads(line)
        if asked["do"] == "prepare":
            for job in asked["jobs"]:
                PREPARED[job["seed"]] = prepared(job)
            forget_answers()
            gc.freeze()
            print("[]", flush=True)
        else:
            print(json.dumps(run_forked(asked, known, float(sys.argv[1]))), flush=True)
    os._exit(0)  # libraries would tell at length of what forks leave behind


if __name__ == "__main__":
    main()
