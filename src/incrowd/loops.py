"""A loop that runs as plain Python while that costs less than to compile it; either way it counts the same.

Compiled code is kept on disk (beside the loops, or in the user's cache where that folder cannot be written; nowhere
where neither can, or where others may write: what is loaded is run). A loop that is there is loaded. One that is not
runs as plain Python as long as its arrays are small and it has taken no longer than compiling it would: then the call
at hand is given up, its arrays are put back as they were, and it is made anew, compiled. So at most as much is lost as
compiling takes, and no call is deaf for long. The first that a process compiles brings some hundred functions of
Numba's own with it, so that all loops together have the time of these before. Whatever a plain loop calls is plain too;
compiled loops call compiled ones alone.
"""

from __future__ import annotations

import ast
import contextlib
import functools
import gc
import inspect
import itertools
import logging
import math
import os
import stat
import threading
import time
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, Literal

import numpy as np
from numba.core import config, types
from numba.core.caching import NullCache
from numba.core.registry import CPUDispatcher

from incrowd.errors import PolicyError
from incrowd.progress import standstill

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

# Numbers in the arrays of a call up to which it may run as plain Python.
SMALL = 100_000
# Processor seconds that a loop may take as plain Python, all its calls together: about what compiling one takes.
SPENT = 0.7
# Processor seconds that all loops may take together while nothing is compiled in this process: about what the first of
# them takes (3.7 to 6.1 s where a later one takes 0.3 to 3 s, and all of README's table 2.5 to 3.5 s as plain Python).
FIRST = 4.0
# Turns of plain loops between two looks at the time: some 0.1 ms.
LOOK = 128
# Calls of a loop that is forced to change over midway before it gives one up.
MIDWAY = 2

WAYS = ("", "plain", "compiled", "midway")
TURN = "_turn_of_a_plain_loop"  # a name that no function which a loop calls has


class _Thread(threading.local):
    """What holds for the loops of one thread."""

    plain = False  # inside a plain call
    until = math.inf  # processor time of the thread at which that call is given up
    way = os.environ.get("INCROWD_LOOPS", "")


if _Thread.way not in WAYS:
    raise PolicyError(f"the environment's INCROWD_LOOPS is one of plain, compiled, midway, not {_Thread.way!r}")

_thread = _Thread()
_turns = itertools.count()


class _TooLong(Exception):
    """A plain call has had its time."""


def _turn() -> None:
    """Give the plain call up when its time is over; every turn of every plain loop begins with this."""
    if not next(_turns) % LOOK and time.thread_time() > _thread.until:
        raise _TooLong


@contextlib.contextmanager
def forced(way: str) -> Iterator[None]:
    """Let every loop of this thread go one way in the block: "plain", "compiled", "midway", or "" for the cheaper."""
    before, _thread.way = _thread.way, way
    try:
        yield
    finally:
        _thread.way = before


class Loop(CPUDispatcher):
    """What `njit` makes of a function: Numba's dispatcher, which may answer without compiling."""

    _cache: Any

    def __init__(self, *args: Any, **options: Any) -> None:
        super().__init__(*args, **options)
        self.allowed = True
        self.inner = False
        self.given_up = False
        self._calls, self._spent = 0, 0.0
        self._kept: bool | None = None

    def __call__(self, *args: Any) -> Any:
        """Answer as plain Python or as compiled code."""
        if _thread.plain:
            return self.plain(*args)
        if self._goes_plain(args):
            before = [(array, array.copy()) for array in _arrays(args) if array.flags.writeable]
            try:
                return self._answered(args)
            except _TooLong:
                self.given_up = True
                for array, kept in before:
                    array[...] = kept
        assert not self.inner, f"{self.py_func.__name__} is called by loops alone"
        return super().__call__(*args)

    def enable_caching(self) -> None:
        """Keep what is compiled, where there is a folder for it that is ours."""
        try:
            super().enable_caching()
        except RuntimeError:  # no folder can be written
            return
        if not _ours(self._cache.cache_path, self.py_func.__code__.co_filename):
            self._cache = NullCache()

    def compile(self, sig: Any) -> Any:
        """Compile it for these types, or load what is on disk; time limits stand still meanwhile."""
        if isinstance(self._cache, NullCache) and not total.lost:
            total.lost = True
            log.warning(
                "compiled loops cannot be kept, for there is no folder for them that you alone may write: every run "
                "compiles them anew, unless the environment's NUMBA_CACHE_DIR names such a folder"
            )
        with made_ready(), _uncollected():
            before = sum(self.stats.cache_misses.values())
            entry = super().compile(sig)
            total.loops += sum(self.stats.cache_misses.values()) - before
            return entry

    def get_call_template(self, args: Any, kws: Any) -> Any:
        """Let loops that call it with whole numbers of any kind, or that stand in the text, share what is compiled."""
        return super().get_call_template([_wide(one) for one in args], kws)

    @functools.cached_property
    def plain(self) -> Any:
        """The function with a look at the time in every turn of its loops."""
        tree = ast.parse(inspect.getsource(self.py_func))
        (definition,) = (one for one in tree.body if isinstance(one, ast.FunctionDef))
        definition.decorator_list.clear()
        definition.args.kwonlyargs.append(ast.arg(TURN))
        definition.args.kw_defaults.append(None)
        for node in ast.walk(tree):
            if isinstance(node, ast.For | ast.While):
                node.body.insert(0, ast.Expr(ast.Call(ast.Name(TURN, ast.Load()), [], [])))
        ast.increment_lineno(ast.fix_missing_locations(tree), self.py_func.__code__.co_firstlineno - 1)
        module = compile(tree, self.py_func.__code__.co_filename, "exec")
        (code,) = (one for one in module.co_consts if isinstance(one, CodeType))
        made = FunctionType(code, self.py_func.__globals__, self.py_func.__name__, self.py_func.__defaults__)
        made.__kwdefaults__ = {TURN: _turn}
        return made

    def _answered(self, args: tuple[Any, ...]) -> Any:
        """Return what it answers as plain Python, in Python's own numbers; or give up when its time is over."""
        began = time.thread_time()
        left = {"": self._left, "midway": math.inf if self._calls < MIDWAY else -math.inf}
        try:
            _thread.plain, _thread.until = True, began + left.get(_thread.way, math.inf)
            # time limits stand still as they would for compiling: a first run has the search time of the next ones
            instead = contextlib.nullcontext() if _thread.way else standstill()
            with instead, np.errstate(all="ignore"):  # compiled code warns of nothing
                return _unboxed(self.plain(*args))
        finally:
            _thread.plain = False
            self._calls += 1
            spent = time.thread_time() - began
            self._spent += spent
            total.plain += spent

    @property
    def _left(self) -> float:
        """Processor seconds that it may take yet as plain Python."""
        return max(SPENT - self._spent, 0.0 if total.loops else FIRST - total.plain)

    @property
    def cold(self) -> bool:
        """Whether nothing of it is compiled: neither in this process nor, when it first asked, on disk."""
        if self._kept is None:
            kept = not isinstance(self._cache, NullCache)
            self._kept = kept and bool(self._cache._cache_file._load_index())
        return not (self._kept or self.overloads)

    @property
    def may_be_plain(self) -> bool:
        """Whether its next call may be one of plain Python, and be made twice."""
        if _thread.way:
            return _thread.way == "plain" or (_thread.way == "midway" and not self.given_up)
        return self.allowed and not self.given_up and self._left > 0 and self.cold

    def _goes_plain(self, args: tuple[Any, ...]) -> bool:
        return self.may_be_plain and (bool(_thread.way) or sum(array.size for array in _arrays(args)) <= SMALL)


@contextlib.contextmanager
def _uncollected() -> Iterator[None]:
    """Let nobody look for garbage in the block: looking through all that Numba makes takes an eighth of compiling."""
    collecting = gc.isenabled()
    gc.disable()
    try:
        yield
    finally:
        if collecting:
            gc.enable()


def _wide(kind: Any) -> Any:
    """Return the type in which a loop takes a number from another loop."""
    kind = types.unliteral(kind)  # type: ignore[no-untyped-call]
    return types.int64 if kind in types.signed_domain else kind


def _arrays(args: tuple[Any, ...]) -> Iterator[np.ndarray[Any, Any]]:
    """Yield the arrays among the arguments, those in tuples too."""
    for one in args:
        if isinstance(one, np.ndarray):
            yield one
        elif isinstance(one, tuple):
            yield from _arrays(one)


def _ours(folder: str, source: str) -> bool:
    """Return whether nobody may write there but us, root, and whoever wrote the source."""
    try:
        trusted = {0, os.getuid(), Path(source).stat().st_uid}
        for place in (Path(folder), Path(folder).parent):
            held = place.stat()
            if held.st_uid not in trusted or (held.st_mode & stat.S_IWOTH and not held.st_mode & stat.S_ISVTX):
                return False
    except (OSError, AttributeError):  # not made yet, or a system without owners
        return True
    return True


def _unboxed(found: Any) -> Any:
    """Return what compiled code would: Python's own numbers, which never wrap, in place of NumPy's."""
    if isinstance(found, np.generic):
        return found.item()
    if isinstance(found, list):
        return [_unboxed(one) for one in found]
    if isinstance(found, tuple):
        parts = [_unboxed(one) for one in found]
        return type(found)(*parts) if hasattr(found, "_fields") else tuple(parts)
    return found


def settled(*loops: Any) -> bool:
    """Whether none of these loops may be plain: threads that write to parts of one array may call them at a time."""
    return not any(isinstance(one, Loop) and one.may_be_plain for one in loops)


def cold(*loops: Any) -> bool:
    """Whether each of these loops would be compiled at its next call, and nothing of it is yet."""
    return all(isinstance(one, Loop) and one.cold and not one.may_be_plain for one in loops)


def njit(*, cache: Literal[True], nogil: Literal[True], plain: bool = True) -> Callable[[Any], Any]:
    """Return what makes a loop of a function; without `plain` it compiles at once (moves of a search).

    Python calls no compiled loop whose name begins with an underline: only loops do.
    """

    def made(function: Any) -> Any:
        if config.DISABLE_JIT:  # type: ignore[attr-defined]
            return np.errstate(all="ignore")(function)  # compiled code warns of nothing
        inner = function.__name__.startswith("_")
        bare = {"no_cfunc_wrapper": True, "no_cpython_wrapper": inner}  # each takes a tenth of compiling a loop
        loop = Loop(function, {}, {"nopython": True, "nogil": nogil, "boundscheck": None, **bare})
        loop.allowed, loop.inner = plain, inner
        assert cache
        loop.enable_caching()
        return loop

    return made


# While a loop is compiled, or loaded, time limits stand still, and a line says so where compiling takes long.
#
# Compiled code is kept on disk (beside the loops, or in the user's cache where that folder cannot be written), so that
# a later process which needs the same loops starts at once. ``make setup`` runs a few jobs of every kind for that.
log = logging.getLogger("incrowd.kernels")

# Seconds of compiling in a process after which it is said.
LONG = 3.0


@dataclass
class Compiled:
    """What this process compiled so far: loops, and seconds, in which loops that others call count with those.

    `plain` are the processor seconds that loops took as plain Python instead. Whether it was said that compiling takes
    long (`said`), and that what is compiled is lost at the end (`lost`).
    """

    loops: int = 0
    seconds: float = 0.0
    plain: float = 0.0
    said: bool = False
    lost: bool = False


class _NoticeThread(threading.local):
    inside = False


total, _notice_thread = Compiled(), _NoticeThread()


@contextlib.contextmanager
def made_ready() -> Iterator[None]:
    """Let limits stand still in the block, and count its time if it compiles something and is in no other block."""
    inside, loops, began = _notice_thread.inside, total.loops, time.perf_counter()
    _notice_thread.inside = True
    try:
        with standstill():
            yield
    finally:
        _notice_thread.inside = inside
    if not inside and total.loops > loops:
        total.seconds += time.perf_counter() - began
        if total.seconds >= LONG and not total.said:
            total.said = True
            once = "" if total.lost else "; it happens once, for up to a minute, as what is compiled is kept"
            log.warning(
                "compiling loops for this machine, %d in %.0f s so far; time limits stand still meanwhile%s",
                total.loops, total.seconds, once,
            )  # fmt: skip
