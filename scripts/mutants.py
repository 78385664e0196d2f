"""Change one thing at a time in functions as they run, and say which changes a suite of tests notices.

    python scripts/mutants.py draw mutants.json [--number 400] [--seed 1]
    python scripts/mutants.py map SUITE.json TESTS...           which test calls which function, and its seconds
    python scripts/mutants.py try SUITE.json mutants.json KILLED.json [--jobs 2] TESTS...
    python scripts/mutants.py tell mutants.json KILLED.json... by room, how many each suite noticed

A mutant is one comparison, `and`, `or`, `not`, sum, whole number or returned value changed inside a function. They are
drawn by rooms, a third of all in compiled loops, which run as plain Python then. The tests are collected once; each
mutant is a fork of that process with the function's code changed, and runs the tests that call the function, the
quickest first, until one fails or their time is over. One that runs into the limit of processor time is caught. Tests
that fail by themselves, and processes that they start, notice nothing. Time: some 5 CPU seconds a mutant.
"""

from __future__ import annotations

import argparse
import ast
import collections
import cProfile
import gc
import importlib
import itertools
import json
import linecache
import os
import random
import resource
import sys
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any

import pytest

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

ROOT = Path(__file__).resolve().parents[1]
SRC = ROOT / "src"
SECONDS, TESTS = 40.0, 200  # of the tests that a mutant is tried on, as they take without it
EXIT = os._exit  # a test under trial may put another in its place
LIMIT = 150  # CPU seconds of a mutant's process
FLIPS: dict[type[ast.AST], type[ast.AST]] = {
    ast.Lt: ast.LtE, ast.Gt: ast.GtE, ast.Eq: ast.NotEq, ast.In: ast.NotIn, ast.Is: ast.IsNot, ast.And: ast.Or,
    ast.Add: ast.Sub,
}  # fmt: skip
FLIPS |= {after: before for before, after in FLIPS.items()}
ELSEWHERE = ("spark", "__main__", "web/server", "cli/door")  # what no test of `make test` runs in its own process


def functions(tree: ast.Module) -> Iterator[tuple[str, ast.FunctionDef, bool]]:
    """Yield the functions and methods of a module: qualified name, definition, whether it is a loop."""
    todo: list[tuple[str, ast.stmt]] = [("", node) for node in tree.body]
    while todo:
        prefix, node = todo.pop()
        if isinstance(node, ast.ClassDef):
            todo += [(f"{prefix}{node.name}.", one) for one in node.body]
        elif isinstance(node, ast.FunctionDef):
            loop = any("njit" in ast.unparse(one) for one in node.decorator_list)
            yield prefix + node.name, node, loop


def changes(function: ast.FunctionDef) -> list[tuple[str, ast.AST, str, Any]]:
    """Return what may be changed in a function: in words, the node, its field and the field's new value."""
    found: list[tuple[str, ast.AST, str, Any]] = []
    for node in (one for statement in function.body for one in ast.walk(statement)):
        if isinstance(node, ast.Compare) and len(node.ops) == 1:
            found.append(("comparison", node, "ops", [FLIPS[type(node.ops[0])]()]))
        elif isinstance(node, ast.BoolOp) or (isinstance(node, ast.BinOp) and type(node.op) in FLIPS):
            found.append(("operation", node, "op", FLIPS[type(node.op)]()))
        elif isinstance(node, ast.Constant) and type(node.value) is int:
            found.append(("number", node, "value", node.value + 1))
        elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
            found.append(("not", node, "op", ast.UAdd()))
        elif isinstance(node, ast.Return) and node.value is not None and ast.unparse(node.value) != "None":
            found.append(("answer", node, "value", ast.Constant(None)))
    return found


def mutated(path: str, function: str, number: int) -> tuple[ast.Module, ast.FunctionDef, str]:
    """Return a file's tree with the change made, the function's definition, and the change in words."""
    tree = ast.parse((SRC / path).read_text(encoding="utf-8"))
    (definition,) = (node for name, node, _ in functions(tree) if f"{name}:{node.lineno}" == function)
    _, node, field, value = changes(definition)[number]
    before = ast.unparse(node)
    setattr(node, field, value)
    if isinstance(value, ast.UAdd):  # `not x` becomes `bool(x)`
        node.op, node.operand = ast.Not(), ast.UnaryOp(ast.Not(), node.operand)  # type: ignore[attr-defined]
    ast.fix_missing_locations(tree)
    return tree, definition, f"{before} -> {ast.unparse(node)}"


def room_of(path: str) -> str:
    """Return the room of a file: its folder, two deep in the large ones."""
    parts = path.split("/")[1:-1]
    return "/".join(parts[: 2 if parts[:1] in (["tables"], ["kernels"], ["networks"], ["report"]) else 1]) or "."


def draw(number: int, seed: int) -> list[dict[str, Any]]:
    sites: dict[tuple[bool, str], list[dict[str, Any]]] = collections.defaultdict(list)
    for file in sorted((SRC / "incrowd").rglob("*.py")):
        path = file.relative_to(SRC).as_posix()
        if any(word in path for word in ELSEWHERE):
            continue
        for name, node, loop in functions(ast.parse(file.read_text(encoding="utf-8"))):
            for place, (kind, *_) in enumerate(changes(node)):
                one = {"path": path, "function": f"{name}:{node.lineno}", "number": place, "kind": kind, "loop": loop}
                sites[loop, room_of(path)].append(one)
    drawn, rng = [], random.Random(seed)
    for loops, wanted in ((True, number // 3), (False, number - number // 3)):
        rooms = {room: of for (loop, room), of in sites.items() if loop is loops}
        weights = {room: len(of) ** 0.7 for room, of in rooms.items()}  # small rooms have their share
        for room in sorted(rooms):
            share = max(1, round(wanted * weights[room] / sum(weights.values())))
            drawn += rng.sample(rooms[room], min(share, len(rooms[room])))
    for one in drawn:
        one["change"] = mutated(one["path"], one["function"], one["number"])[2][:160]
        one["room"] = room_of(one["path"])
    return drawn


def keys_of(codes: Iterable[CodeType]) -> set[str]:
    """Return what the functions of the package among these are called in a map."""
    ours = [code for code in codes if code.co_filename.startswith(str(SRC))]
    return {f"{one.co_filename[len(str(SRC)) + 1 :]}:{one.co_qualname.split('.<locals>')[0]}" for one in ours}


class Map:
    """A plugin that notes of every test which functions it calls, how long it takes, and whether it passes."""

    def __init__(self) -> None:
        self.tests: dict[str, dict[str, Any]] = {}
        self.loops: set[str] = set()

    def pytest_sessionstart(self) -> None:
        from incrowd.loops import Loop

        called = Loop.__call__

        def call(loop: Any, *args: Any) -> Any:
            self.loops |= keys_of([loop.py_func.__code__])
            return called(loop, *args)

        Loop.__call__ = call  # type: ignore[method-assign]

    @pytest.hookimpl(wrapper=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Iterator[None]:
        profile, began = cProfile.Profile(subcalls=False, builtins=False), sum(os.times()[:4])  # with its processes
        self.loops.clear()
        self.tests[item.nodeid] = {"passed": True}
        profile.enable()
        try:
            return (yield)
        finally:
            profile.disable()
            codes = {entry.code for entry in profile.getstats() if isinstance(entry.code, CodeType)}
            seconds, calls = round(sum(os.times()[:4]) - began, 3), sorted(keys_of(codes) | self.loops)
            self.tests[item.nodeid] |= {"seconds": seconds, "calls": calls}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if report.failed or report.skipped:
            self.tests[report.nodeid]["passed"] = False


def change(one: dict[str, Any]) -> None:
    tree, definition, _ = mutated(one["path"], one["function"], one["number"])
    file, name = SRC / one["path"], one["function"].split(":")[0]
    importlib.import_module(one["path"].removesuffix(".py").removesuffix("/__init__").replace("/", "."))
    todo, codes = [compile(tree, str(file), "exec")], {}
    while todo:
        code = todo.pop()
        codes[code.co_qualname, code.co_firstlineno] = code
        todo += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
    gc.unfreeze()
    for found in gc.get_objects():
        if isinstance(found, FunctionType) and found.__code__.co_filename == str(file):
            old = found.__code__
            if old.co_qualname == name and (new := codes.get((name, old.co_firstlineno))) is not None:
                found.__code__ = new
    if one["loop"]:
        lines = file.read_text(encoding="utf-8").splitlines(keepends=True)
        first = definition.decorator_list[0].lineno - 1
        there = (definition.end_lineno or 0) - first
        text = [line + "\n" for line in ast.unparse(definition).splitlines()]
        lines[first : first + there] = text + ["\n"] * (there - len(text))
        stat = file.stat()
        linecache.cache[str(file)] = (stat.st_size, stat.st_mtime, lines, str(file))
        run_plain(callers(name.split(".")[-1]))


def callers(name: str) -> set[str]:
    """Return the names of the loops that call a loop, by way of others too."""
    calls: dict[str, set[str]] = {}
    for file in (SRC / "incrowd").rglob("*.py"):
        for one, node, loop in functions(ast.parse(file.read_text(encoding="utf-8"))):
            if loop:
                names = (inner for inner in ast.walk(node) if isinstance(inner, ast.Name | ast.Attribute))
                calls[one] = {inner.id if isinstance(inner, ast.Name) else inner.attr for inner in names}
    found = {name}
    while more := {one for one, called in calls.items() if called & found} - found:
        found |= more
    return found


def run_plain(names: set[str]) -> None:
    """Let the loops of these names run as plain Python, however long they take."""
    from incrowd.loops import Loop

    goes = Loop._goes_plain

    def plain(loop: Any, args: tuple[Any, ...]) -> bool:
        if loop.py_func.__name__ not in names:
            return bool(goes(loop, args))
        loop._spent = -float("inf")
        return True

    Loop._goes_plain = plain  # type: ignore[method-assign]


class Trial:
    """A plugin that tries each mutant on the collected tests in place of running them."""

    def __init__(self, file: str, mutants: list[dict[str, Any]], jobs: int) -> None:
        self.calls: dict[str, list[tuple[float, str]]] = collections.defaultdict(list)
        tests = {test: of for test, of in json.loads(Path(file).read_text()).items() if of["passed"]}
        self.all = [(of["seconds"], test) for test, of in tests.items()]
        for test, of in tests.items():
            for name in of["calls"]:
                self.calls[name].append((of["seconds"], test))
        self.mutants, self.jobs, self.inside = mutants, jobs, False
        self.killed: dict[int, str] = {}

    def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
        if self.inside and report.failed:
            os.write(self.pipe, report.nodeid.encode())
            EXIT(1)

    def chosen(self, one: dict[str, Any], items: dict[str, pytest.Item]) -> list[pytest.Item]:
        """Return the tests that call the changed function, the quickest, as many as there is time for."""
        name = one["function"].split(":")[0]
        names = callers(name.split(".")[-1]) if one["loop"] else {name}
        own = f"{one['path']}:{name}"
        calls = [key for key in self.calls if key == own or (one["loop"] and key.split(":")[1] in names)]
        known = [found for key in calls for found in self.calls[key]]
        tests = sorted(set(known or self.all))  # what runs in a thread of the app alone is on no map: try them all
        kept, spent = [], 0.0
        for seconds, test in tests[:TESTS]:
            spent += seconds
            if test in items and (spent < SECONDS or not kept):
                kept.append(items[test])
        return kept

    def tried(self, one: dict[str, Any], tests: list[pytest.Item]) -> None:
        """Run the tests with the change made; ends the process."""
        self.inside = True
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
        change(one)
        for test, following in itertools.zip_longest(tests, tests[1:], fillvalue=(tests or [None])[-1]):
            test.config.hook.pytest_runtest_protocol(item=test, nextitem=following)
        EXIT(0)

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        items = {item.nodeid: item for item in session.items}
        running: dict[int, tuple[int, int]] = {}
        todo = list(enumerate(self.mutants))
        while todo or running:
            while todo and len(running) < self.jobs:
                place, one = todo.pop(0)
                tests = self.chosen(one, items)
                reading, self.pipe = os.pipe()
                sys.stdout.flush()
                process = os.fork()
                if not process:
                    try:
                        self.tried(one, tests)
                    except BaseException as error:  # noqa: BLE001 - the change ends the process: it is noticed
                        os.write(self.pipe, repr(error)[:200].encode())
                    finally:
                        EXIT(1)
                os.close(self.pipe)
                running[process] = (place, reading)
            process, status = os.wait()
            place, reading = running.pop(process)
            said = os.read(reading, 500).decode()
            os.close(reading)
            if status:
                self.killed[place] = said or f"status {status}"
            one, word = self.mutants[place], "noticed" if status else "SURVIVES"
            print(place, word, one["path"], one["change"], said, file=sys.stderr, flush=True)
        return True


def tell(mutants: list[dict[str, Any]], suites: dict[str, dict[str, str]]) -> None:
    """Print by room how many mutants there are, and how many each suite noticed."""
    rooms: dict[str, list[int]] = collections.defaultdict(list)
    for place, one in enumerate(mutants):
        rooms[one["room"] + (" (loops)" if one["loop"] else "")].append(place)
    for room, places in [*sorted(rooms.items()), ("all", list(range(len(mutants))))]:
        print(f"{room:32}{len(places):5}", *(f"{sum(str(p) in of for p in places):7}" for of in suites.values()))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("what", choices=("draw", "map", "try", "tell"))
    parser.add_argument("files", nargs="+", type=Path)
    for name, value in (("--number", 400), ("--seed", 1), ("--jobs", 2)):
        parser.add_argument(name, type=int, default=value)
    asked = parser.parse_intermixed_args()
    first, *files = asked.files
    options = ["-m", "not proofs and not spark and not web and not million"]
    options += [word for name in ("xdist", "cacheprovider", "randomly") for word in ("-p", f"no:{name}")]
    if asked.what == "draw":
        first.write_text(json.dumps(draw(asked.number, asked.seed), indent=1))
    elif asked.what == "map":
        found = Map()
        pytest.main([*options, "-q", *map(str, files)], plugins=[found])
        first.write_text(json.dumps(found.tests))
    elif asked.what == "try":
        trial = Trial(str(first), json.loads(files[0].read_text()), asked.jobs)
        options += ["-o", "addopts=--import-mode=importlib", "-p", "no:terminal", "-s"]
        pytest.main([*options, *map(str, files[2:])], plugins=[trial])
        files[1].write_text(json.dumps(trial.killed, indent=1))
    else:
        tell(json.loads(first.read_text()), {str(file): json.loads(file.read_text()) for file in files})


if __name__ == "__main__":
    main()
