"""Change one thing at a time in functions as they run, and say which changes the tests do not notice.

    python scripts/mutants.py [--number 400] [--seed 1] [--within tables/solve] [TESTS...]

A fault is one comparison, `and`, `or`, `not`, sum, whole number or returned value changed inside a function. Functions
are drawn evenly, a third of them compiled loops, which run as plain Python then. The tests are collected once. A fork
runs them all and tells which functions each calls; then each fault is a fork with the function's code changed, and runs
the tests that call the function, the quickest first, until one fails or their time is over. One that runs into the
limit of processor time is noticed. Tests that fail by themselves, and processes that they start, notice nothing.
Time: once that of all tests on one core, and some 5 CPU seconds a fault.
"""

from __future__ import annotations

import argparse
import ast
import cProfile
import gc
import importlib
import inspect
import itertools
import json
import os
import random
import re
import resource
import sys
import tempfile
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NamedTuple

import pytest

from incrowd.loops import Loop

PACKAGE = Path(__file__).resolve().parents[1] / "src" / "incrowd"
TESTS = 200  # that a fault is tried on at most
SECONDS, LIMIT = 40, 150  # CPU seconds of a fault's process, after which no further test begins, and it is ended
EXIT = os._exit  # a test under trial may put another in its place
FLIPS = {ast.Lt: ast.LtE, ast.Gt: ast.GtE, ast.Eq: ast.NotEq, ast.In: ast.NotIn, ast.Is: ast.IsNot, ast.And: ast.Or}
FLIPS[ast.Add] = ast.Sub
FLIPS |= {after: before for before, after in FLIPS.items()}
Change = tuple[Any, str, Any]
ELSEWHERE = re.compile("spark|__main__|web/server|cli/door")  # what no test of `make test` runs in its own process


class Function(NamedTuple):
    """A function: its file below the package, the tree of that, its definition there, and whether it is a loop."""

    path: str
    tree: ast.Module
    node: ast.FunctionDef
    loop: bool


def functions() -> list[Function]:
    found = []
    for file in sorted(PACKAGE.rglob("*.py")):
        tree = ast.parse(file.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef):
                loop = any("njit" in ast.unparse(one) for one in node.decorator_list)
                found.append(Function(file.relative_to(PACKAGE).as_posix(), tree, node, loop))
    return found


def changes(function: Function) -> list[Change]:
    """Return what may be changed in a function: the node, its field and the field's new value."""
    found: list[Change] = []
    for node in (one for statement in function.node.body for one in ast.walk(statement)):
        match node:
            case ast.Compare(ops=[only]):
                found.append((node, "ops", [FLIPS[type(only)]()]))
            case ast.BoolOp(op=op) | ast.BinOp(op=ast.Add() | ast.Sub() as op):
                found.append((node, "op", FLIPS[type(op)]()))
            case ast.Constant(value=int(value)) if type(value) is int:
                found.append((node, "value", value + 1))
            case ast.UnaryOp(op=ast.Not(), operand=operand):
                found.append((node, "operand", ast.UnaryOp(ast.Not(), operand)))
            case ast.Return(value=ast.expr() as value) if ast.unparse(value) != "None":
                found.append((node, "value", ast.Constant(None)))
    return found


def draw(number: int, seed: int, within: str = "") -> list[tuple[Function, Change]]:
    rng = random.Random(seed)
    every = [one for one in functions() if within in one.path and not ELSEWHERE.search(one.path) and changes(one)]
    loops, others = ([one for one in every if one.loop is loop] for loop in (True, False))
    drawn = rng.sample(loops, min(number // 3, len(loops)))
    drawn += rng.sample(others, min(number - number // 3, len(others)))
    return [(one, rng.choice(changes(one))) for one in drawn]


def make(change: Change, function: Function, plain: set[str]) -> str:
    """Change the function in this process, let loops of these names be plain; return the change in words."""
    (node, field, value), file = change, str(PACKAGE / function.path)
    module = f"{PACKAGE.name}/{function.path}".removesuffix(".py").removesuffix("/__init__")
    importlib.import_module(module.replace("/", "."))
    before = ast.unparse(node)
    setattr(node, field, value)
    todo, codes = [compile(ast.fix_missing_locations(function.tree), file, "exec")], {}
    for code in todo:
        todo += [inner for inner in code.co_consts if isinstance(inner, CodeType)]
        if code.co_name != "<lambda>":  # there may be two on a line
            codes[code.co_qualname, code.co_firstlineno] = code
    gc.unfreeze()
    for found in gc.get_objects():
        if isinstance(found, FunctionType) and found.__code__.co_filename == file:
            found.__code__ = codes.get((found.__code__.co_qualname, found.__code__.co_firstlineno), found.__code__)
    if plain:
        text, source, goes, left = ast.unparse(function.node), inspect.getsource, Loop._goes_plain, Loop._left.fget
        inspect.getsource = lambda of: text if getattr(of, "__name__", "") == function.node.name else source(of)
        Loop._goes_plain = lambda loop, given: loop.__name__ in plain or goes(loop, given)
        Loop._left = property(lambda loop: float("inf") if loop.__name__ in plain else left(loop))
    return f"{before} -> {ast.unparse(node)}"


def forked(work: Any, *given: Any) -> tuple[bool, str]:
    """Do this in a fork of the process; return whether it came to its end, and what it wrote."""
    with tempfile.TemporaryFile("w+") as said:
        if not os.fork():
            ended = False
            try:
                work(said, *given)
                ended = True
            except BaseException as error:  # noqa: BLE001 - the change ends the process: it is noticed
                said.write(repr(error)[:200])
            finally:
                said.flush()
                EXIT(not ended)
        _, status = os.wait()
        said.seek(0)
        return status == 0, said.read()


class Trials:
    """A plugin that tries each change on the collected tests in place of running them."""

    def __init__(self, faults: list[tuple[Function, Change]]) -> None:
        self.faults = faults
        # of each test that passes: its seconds, its place, and file, line and name of the functions that it calls
        self.noted: list[tuple[float, int, list[tuple[str, int, str]]]] = []
        # the words in a loop, by its name
        self.loops = {one.node.name: set(re.findall(r"\w+", ast.unparse(one.node))) for one in functions() if one.loop}

    def note(self, said: Any, tests: list[pytest.Item]) -> None:
        """Run all tests, and tell what is noted of each that passes."""
        noted, loops, called = [], set[CodeType](), Loop.__call__
        Loop.__call__ = lambda loop, *given: loops.add(loop.py_func.__code__) or called(loop, *given)
        for place, (test, following) in enumerate(itertools.pairwise([*tests, *tests[-1:]])):
            loops.clear()
            began, failed = sum(os.times()[:4]), test.session.testsfailed  # seconds with those of its processes
            with cProfile.Profile(subcalls=False, builtins=False) as profile:
                test.config.hook.pytest_runtest_protocol(item=test, nextitem=following)
            codes = {one.code for one in profile.getstats() if str(PACKAGE) in getattr(one.code, "co_filename", "")}
            calls = [(code.co_filename, code.co_firstlineno, code.co_name) for code in codes | loops]
            if calls and test.session.testsfailed == failed:
                noted.append((sum(os.times()[:4]) - began, place, calls))
        json.dump(noted, said)

    def callers(self, function: Function) -> set[str]:
        """Return the names of a loop and of the loops that call it, by way of others too."""
        found = {function.node.name} if function.loop else set()
        while more := {name for name, words in self.loops.items() if words & found} - found:
            found |= more
        return found

    def chosen(self, function: Function) -> list[int]:
        """Return the tests that call a function, the quickest first."""
        file, node, callers = str(PACKAGE / function.path), function.node, self.callers(function)
        lines = range(min(one.lineno for one in (node, *node.decorator_list)), (node.end_lineno or 0) + 1)
        found = []
        for seconds, place, calls in self.noted:
            if any(name in callers or (path == file and line in lines) for path, line, name in calls):
                found.append((seconds, place))
        # what runs in a thread alone is not noted: all tests may call it
        return [place for _, place, *_ in sorted(found or self.noted)[:TESTS]]

    def tried(self, said: Any, function: Function, change: Change, tests: list[pytest.Item]) -> None:
        """Run the tests with the change made until one fails, or time is over."""
        resource.setrlimit(resource.RLIMIT_CPU, (LIMIT, LIMIT))
        print(make(change, function, self.callers(function))[:160], end=" ", file=said, flush=True)
        for test, following in itertools.pairwise([*tests, *tests[-1:]]):
            if sum(os.times()[:4]) < SECONDS:  # of this fork and its processes
                test.config.hook.pytest_runtest_protocol(item=test, nextitem=following)
            assert not test.session.testsfailed, test.nodeid

    def pytest_runtestloop(self, session: pytest.Session) -> bool:
        assert not session.testsfailed, "there are tests that cannot be collected"
        self.noted = json.loads(forked(self.note, session.items)[1])
        print(f"{len(self.noted)} of {len(session.items)} tests pass without a fault and call a function", flush=True)
        for function, change in self.faults:
            tests = [session.items[place] for place in self.chosen(function)]
            survives, told = forked(self.tried, function, change, tests)
            print("SURVIVES" if survives else "noticed ", f"{function.path}:{change[0].lineno}", told, flush=True)
        return True


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--number", type=int, default=400)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--within", default="", help="a part of the paths of files")
    parser.add_argument("tests", nargs="*", default=["tests"])
    asked = parser.parse_args()
    options = ["-m", "not proofs and not spark and not web and not million", "-o", "addopts=--import-mode=importlib"]
    options += [word for name in ("xdist", "cacheprovider", "randomly", "terminal") for word in ("-p", f"no:{name}")]
    sys.exit(pytest.main([*options, *asked.tests], [Trials(draw(asked.number, asked.seed, asked.within))]))
