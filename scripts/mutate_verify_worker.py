"""Run small jobs for `mutate_verify.py` in forks, each with one thing in the package's code changed.

Everything is imported once. A change is made by giving the functions of the module their changed code; where that is no
function's (a default, a constant), the fork imports the package anew. Compiled code runs as plain Python, so that no
compiled copy of the code before stands anywhere. Reads a request a line from standard input (JSON), answers a line.
"""

from __future__ import annotations

import contextlib
import gc
import importlib
import importlib.machinery
import json
import os
import resource
import signal
import sys
import time
import traceback
import warnings
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

SRC = Path(__file__).resolve().parents[1] / "src"
LIBRARIES = (
    "ibis.backends.duckdb", "duckdb", "pyarrow.csv", "pyarrow.parquet", "highspy", "scipy.optimize", "scipy.sparse",
)  # fmt: skip


def plain_python() -> None:
    """Let compiled code run as plain Python from here on."""
    os.environ["NUMBA_DISABLE_JIT"] = "1"
    extending = importlib.import_module("numba.extending")
    extending.intrinsic = lambda made: lambda array: array  # the one intrinsic hands its array on
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


def functions() -> dict[str, list[FunctionType]]:
    """Every function of the package, by its file."""
    found: dict[str, list[FunctionType]] = {}
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename.startswith(str(SRC)):
            found.setdefault(one.__code__.co_filename, []).append(one)
    return found


def codes(code: CodeType) -> list[CodeType]:
    """Every piece of code inside one."""
    inner = [one for one in code.co_consts if isinstance(one, CodeType)]
    return [code, *(deeper for one in inner for deeper in codes(one))]


def change(path: str, source: str, known: dict[str, list[FunctionType]]) -> None:
    """Give a module's functions the code of another source, or import the package anew with it."""
    whole = compile(source, path, "exec")
    made = {(code.co_qualname, code.co_firstlineno): code for code in codes(whole)}
    changed = False
    for function in known.get(path, []):
        code = made.get((function.__code__.co_qualname, function.__code__.co_firstlineno))
        if code not in (None, function.__code__):
            function.__code__ = code
            changed = True
    if changed:
        return
    read = importlib.machinery.SourceFileLoader.get_code

    def get_code(self: Any, name: str) -> Any:
        return whole if self.path == path else read(self, name)

    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign]
    for name in [name for name in sys.modules if name.partition(".")[0] == "incrowd"]:
        del sys.modules[name]


def tracer(wanted: set[str], lines: dict[str, set[int]]) -> Any:
    """Return a trace function that keeps the lines of some files."""

    def inside(frame: Any, event: str, _: Any) -> Any:
        if event == "line":
            lines[frame.f_code.co_filename].add(frame.f_lineno)
        return inside

    def outside(frame: Any, event: str, _: Any) -> Any:
        name = frame.f_code.co_filename
        if event == "call" and name in wanted:
            lines.setdefault(name, set()).add(frame.f_lineno)
            return inside
        return None

    return outside


def run_job(job: dict[str, Any], out: Path, *, checked: bool) -> tuple[str, str]:
    """Run a job, with the recount before anything is written or without it; how it went, and why."""
    import incrowd
    from incrowd.errors import IncrowdError, OurBug
    from incrowd.jobs import anonymize

    folder = Path(job["folder"])
    out.mkdir(parents=True, exist_ok=True)
    kept = anonymize.assert_verdict_matches_plan
    if not checked:
        anonymize.assert_verdict_matches_plan = lambda *_: None
    try:
        incrowd.anonymize(
            folder / "original.csv", policy=folder / "policy.toml", output=out / "release.csv",
            certificate=None if job["bare"] else out / "certificate.json", solver=job["solver"], work=150, seed=1,
        )  # fmt: skip
    except OurBug as error:
        return "own check", str(error)
    except IncrowdError as error:
        return "words", str(error)
    except Exception as error:  # noqa: BLE001
        return "crash", f"{type(error).__name__}: {error}"
    finally:
        anonymize.assert_verdict_matches_plan = kept
    return "written", ""


def child(asked: dict[str, Any], known: dict[str, list[FunctionType]]) -> list[dict[str, Any]]:
    """Run the jobs of one request."""
    warnings.simplefilter("ignore")
    if "module" in asked:
        change(str(SRC / asked["module"]), asked["source"], known)
    answers = []
    for number, job in enumerate(asked["jobs"]):
        out, lines = Path(asked["out"]) / str(number), {}
        if "trace" in asked:
            sys.settrace(tracer({str(SRC / module) for module in asked["trace"]}, lines))
        how, why = run_job(job, out, checked=True)
        sys.settrace(None)
        if how == "own check":
            out = out.with_name(f"{number}u")
            run_job(job, out, checked=False)
        told = {str(Path(name).relative_to(SRC)): sorted(some) for name, some in lines.items()}
        answers.append({"how": how, "why": why[:300], "out": str(out), "lines": told})
    return answers


def run_forked(asked: dict[str, Any], known: dict[str, list[FunctionType]], limit: int) -> Any:
    """Answer a request from a fork; a text says how it ended where it did not answer."""
    answer = Path(asked["out"]).with_suffix(".json")
    number = os.fork()
    if number == 0:
        with contextlib.suppress(BaseException):
            os.setsid()
            limit = limit * 4 if "trace" in asked else limit
            resource.setrlimit(resource.RLIMIT_CPU, (limit, limit + 2))
            with open(os.devnull, "w") as nowhere:  # noqa: PTH123
                os.dup2(nowhere.fileno(), 1)
                os.dup2(nowhere.fileno(), 2)
            try:
                said: Any = child(asked, known)
            except BaseException:  # noqa: BLE001
                said = traceback.format_exc()[-600:]
            answer.write_text(json.dumps(said))
        os._exit(0)
    ends, status = time.monotonic() + 40 * limit, 0
    while (found := os.waitpid(number, os.WNOHANG))[0] == 0:
        if time.monotonic() > ends:
            os.killpg(number, signal.SIGKILL)
            found = os.waitpid(number, 0)
            break
        time.sleep(0.02)
    status = found[1]
    if answer.is_file():
        text = answer.read_text()
        answer.unlink()
        return json.loads(text)
    return f"ends by signal {os.WTERMSIG(status)}" if os.WIFSIGNALED(status) else "ends without an answer"


def main() -> None:
    """Answer until standard input ends."""
    resource.setrlimit(resource.RLIMIT_AS, (12 << 30, 12 << 30))
    plain_python()
    import_all()
    known = functions()
    gc.freeze()
    for line in sys.stdin:
        print(json.dumps(run_forked(json.loads(line), known, int(sys.argv[1]))), flush=True)


if __name__ == "__main__":
    main()
