"""A fixture: the first small calls of every loop are made compiled and as plain Python, and have to come out alike.

The tests of folders whose `conftest.py` imports it go on with what compiled code answered. The plain call is made on
copies, whatever it calls being plain too, and raises where NumPy would do something else, on these numbers or on others:

* signed numbers that leave their type, divisions by 0 (unsigned numbers wrap on purpose: they are hashes);
* sums in a variable of 8, 16 or 32 bits, which compiled code keeps in 64;
* whole numbers that become floats, or leave 64 bits as Python's do;
* places before an array's first or behind its last, but for literal ones.

What `np.empty` makes is filled, so that a result made of it differs. With ``BOTH_WAYS`` in the environment more calls are
made so, and which loops were reached is written to the file that it names (`test_both_ways.py`). All of this needs the
inside of `incrowd.loops`.
"""

from __future__ import annotations

import ast
import atexit
import copy
import inspect
import json
import operator
import os
import textwrap
import threading
import time
from pathlib import Path

import numpy as np
import pytest
from numba.core.registry import CPUDispatcher

from incrowd.loops import Loop

REPORT = os.environ.get("BOTH_WAYS")
# plain calls of a loop, the numbers in the arrays of one, and their processor seconds, all in one process
CALLS, NUMBERS, SECONDS = (1000, 1_000_000, 5.0) if REPORT else (30, 20_000, 0.1)
OPERATORS = {
    name: getattr(operator, attribute)
    for name, attribute in (
        ("Add", "add"), ("Sub", "sub"), ("Mult", "mul"), ("FloorDiv", "floordiv"), ("Mod", "mod"), ("Div", "truediv"),
        ("LShift", "lshift"), ("RShift", "rshift"), ("BitAnd", "and_"), ("BitOr", "or_"), ("BitXor", "xor"), ("Pow", "pow"),
    )
}  # fmt: skip
WRAPPING = ("Add", "Sub", "Mult")
WHOLE = (int, np.integer, np.bool_)


class Differs(AssertionError):
    """Plain Python counts otherwise than compiled code."""


class TooLong(Exception):
    """A plain call has had its time."""


class Now(threading.local):
    plain, until = False, 0.0


now = Now()
calls: dict[str, int] = {}
spent: dict[str, float] = {}
reached: set[str] = set()
differing: dict[str, str] = {}
variants: dict[object, object] = {}


def name_of(loop):
    return f"{loop.py_func.__module__}.{loop.py_func.__name__}"


def counted(kind, where, kept, left, right):
    """What `left kind right` is; `kept`: it is added up in a variable."""
    if kept and isinstance(left, np.ndarray):
        left[...] = OPERATORS[kind](left, right)
        return left
    try:
        found = OPERATORS[kind](left, right)
    except FloatingPointError:
        if not any(isinstance(one, (np.signedinteger, np.floating)) for one in (left, right)) and kind in WRAPPING:
            with np.errstate(all="ignore"):
                return OPERATORS[kind](left, right)
        raise
    if kept and isinstance(found, np.integer) and found.itemsize < 8 and kind in WRAPPING:
        raise Differs(f"{where}: {found.dtype} is added up")
    if kind != "Div" and isinstance(left, WHOLE) and isinstance(right, WHOLE):
        if isinstance(found, (float, np.floating)) and kind != "Pow":
            raise Differs(f"{where}: {type(left).__name__} and {type(right).__name__} make a float")
        if type(found) is int and not -(2**63) <= found < 2**63:
            raise Differs(f"{where}: a number of Python's leaves 64 bits")
    return found


def place(where, array, at):
    """A place in an array, if it is one."""
    if isinstance(array, np.ndarray):
        for one in at if isinstance(at, tuple) else (at,):
            if isinstance(one, WHOLE) and one < 0:
                raise Differs(f"{where}: place {one}")
    return at


def turn():
    if time.thread_time() > now.until:
        raise TooLong


class Careful(ast.NodeTransformer):
    """Puts `counted`, `place` and `turn` into a function."""

    def __init__(self, name):
        self.name = name

    def call(self, function, node, *arguments):
        where = ast.Constant(f"{self.name}:{node.lineno}")
        return ast.copy_location(ast.Call(ast.Name(function, ast.Load()), [where, *arguments], []), node)

    def count(self, node, kept, left, right):
        made = self.call("__counted", node, ast.Constant(kept), left, right)
        made.args.insert(0, ast.Constant(type(node.op).__name__))
        return made

    def visit_BinOp(self, node):
        self.generic_visit(node)
        return self.count(node, False, node.left, node.right)

    def visit_AugAssign(self, node):
        before = read(node.target)
        self.generic_visit(node)
        value = self.count(node, isinstance(node.target, ast.Name), self.visit(before), node.value)
        return ast.copy_location(ast.Assign([node.target], value), node)

    def visit_Subscript(self, node):
        literal = not any(isinstance(one, (ast.Name, ast.Slice)) for one in ast.walk(node.slice))
        array = read(node.value)
        self.generic_visit(node)
        if not literal and not any(isinstance(one, ast.Slice) for one in ast.walk(node.slice)):
            node.slice = self.call("__place", node, array, node.slice)
        return node

    def looped(self, node):
        self.generic_visit(node)
        node.body.insert(0, ast.Expr(ast.Call(ast.Name("__turn", ast.Load()), [], [])))
        return node

    visit_For = visit_While = looped  # noqa: N815


def read(node):
    """A copy of an expression that is read."""
    copied = copy.deepcopy(node)
    for one in ast.walk(copied):
        if hasattr(one, "ctx"):
            one.ctx = ast.Load()
    return copied


class Filled:
    """NumPy, with arrays that are not as empty as they may be."""

    def __getattr__(self, name):
        return getattr(np, name)

    def empty(self, shape, dtype=np.float64):
        return np.full(shape, {"f": -1e300, "i": -99, "u": 250, "b": True}[np.dtype(dtype).kind], dtype)

    def empty_like(self, array):
        return self.empty(array.shape, array.dtype)


def plain(loop):
    """The loop's function with the looks that `Careful` puts in."""
    made = variants.get(loop)
    if made is None:
        function = loop.py_func
        lines, first = inspect.getsourcelines(function)
        tree = ast.parse(textwrap.dedent("".join(lines)))
        tree.body[0].decorator_list.clear()
        ast.increment_lineno(tree, first - 1)
        Careful(name_of(loop)).visit(tree)
        scope = {
            **function.__globals__, "np": Filled(), "__counted": counted, "__place": place, "__turn": turn,
        }  # fmt: skip
        exec(compile(ast.fix_missing_locations(tree), function.__code__.co_filename, "exec"), scope)
        made = variants[loop] = scope[function.__name__]
    return made


def numbers(arguments):
    return sum(
        one.size if isinstance(one, np.ndarray) else numbers(one) if isinstance(one, tuple) else 0 for one in arguments
    )


def alike(one, other):
    if isinstance(one, (tuple, list)):
        return len(one) == len(other) and all(map(alike, one, other))
    if isinstance(one, np.ndarray):
        return one.shape == other.shape and np.array_equal(one, other, equal_nan=one.dtype.kind == "f")
    return one == other or (one != one and other != other)


def both(loop, *arguments):
    """Call a loop both ways, if it was not called so often enough."""
    name = name_of(loop)
    if now.plain:
        reached.add(name)
        return plain(loop)(*arguments)
    alone = threading.current_thread() is threading.main_thread()  # others write to parts of an array at the same time
    enough = calls.get(name, 0) >= CALLS or spent.get(name, 0.0) > SECONDS
    if not alone or enough or not name.startswith("incrowd.") or numbers(arguments) > NUMBERS:
        return CPUDispatcher.__call__(loop, *arguments)
    calls[name] = calls.get(name, 0) + 1
    for one in arguments:
        if isinstance(one, tuple) and type(one).__module__.split(".")[0] not in ("builtins", "incrowd"):
            differing[name] = (
                f"{type(one).__module__}: compiled code on disk would name it, and be unreadable without it"
            )
    mine = copy.deepcopy(arguments)
    answer = CPUDispatcher.__call__(loop, *arguments)
    began = time.thread_time()
    now.plain, now.until = True, began + 2 * SECONDS
    try:
        with np.errstate(over="raise", divide="raise", invalid="raise"):
            said = plain(loop)(*mine)
        reached.add(name)
        if not alike(answer, said):
            differing[name] = "the answer"
        elif not alike(arguments, mine):
            differing[name] = "the arrays left behind"
    except TooLong:
        pass
    except Exception as error:
        differing[name] = f"{type(error).__name__}: {error}"
    finally:
        now.plain = False
        spent[name] = spent.get(name, 0.0) + time.thread_time() - began
    return answer


@pytest.fixture(autouse=True)
def loops_go_both_ways(monkeypatch):
    """Make the first calls of every loop both ways, and fail the test in which they differ."""
    monkeypatch.setattr(Loop, "__call__", both)
    known = set(differing)
    yield
    assert {name: why for name, why in differing.items() if name not in known} == {}


if REPORT:
    atexit.register(lambda: Path(REPORT).write_text(json.dumps(sorted(reached)), encoding="utf-8"))
