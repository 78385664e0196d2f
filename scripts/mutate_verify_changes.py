"""Change one module of the package that is imported already: for `mutate_verify_worker.py`."""

from __future__ import annotations

import gc
import importlib.machinery
import sys
from pathlib import Path
from types import CodeType, FunctionType, ModuleType
from typing import Any

SRC = Path(__file__).resolve().parents[1] / "src"


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


def change(path: str, source: str, known: dict[str, list[FunctionType]]) -> bool:
    """Give a module the functions and values of another source; False if that takes the package imported anew."""
    whole = compile(source, path, "exec", dont_inherit=True)
    made = {(code.co_qualname, code.co_firstlineno): code for code in codes(whole)}
    changed = False
    for function in known.get(path, []):
        code = made.get((function.__code__.co_qualname, function.__code__.co_firstlineno))
        if code not in (None, function.__code__):
            function.__code__ = code
            changed = True
    module = next((one for one in list(sys.modules.values()) if getattr(one, "__file__", None) == path), None)
    if changed or module is None:
        return changed
    fresh = {name: value for name, value in vars(module).items() if name.startswith("__")}
    exec(whole, fresh)  # noqa: S102
    for name, value in fresh.items():
        old = vars(module).get(name)
        if isinstance(value, type) and getattr(value, "__module__", "") == module.__name__:
            changed |= with_values(old, value)
        elif isinstance(value, FunctionType) and isinstance(old, FunctionType):
            changed |= with_defaults(old, value)
        elif is_value(value) and repr(value) != repr(old):
            for other in [one for one in list(sys.modules.values()) if vars(one).get(name) is old]:
                if str(other.__name__).startswith(("incrowd", module.__name__)):
                    setattr(other, name, value)
            changed = True
    return changed


def with_values(old: Any, new: type) -> bool:
    """Give a class the values and the defaults of another; whether that changed anything."""
    changed = False
    for name, value in vars(new).items():
        before = vars(old).get(name)
        if isinstance(value, FunctionType) and isinstance(before, FunctionType):
            changed |= with_defaults(before, value)
        elif not name.startswith("__") and is_value(value) and repr(value) != repr(before):
            setattr(old, name, value)
            changed = True
    return changed


def with_defaults(old: FunctionType, new: FunctionType) -> bool:
    """Give a function the defaults of another; whether that changed anything."""
    same = repr(old.__defaults__) == repr(new.__defaults__) and repr(old.__kwdefaults__) == repr(new.__kwdefaults__)
    if not same and " at 0x" not in repr((new.__defaults__, new.__kwdefaults__)):
        old.__defaults__, old.__kwdefaults__ = new.__defaults__, new.__kwdefaults__
        return True
    return False


def is_value(value: Any) -> bool:
    """Return whether something is a number, a text, an array or made of those."""
    return not isinstance(value, type | FunctionType | ModuleType) and " at 0x" not in repr(value)


def import_anew(path: str, source: str) -> None:
    """Let the package be imported anew, with the other source of a module."""
    whole, read = compile(source, path, "exec", dont_inherit=True), importlib.machinery.SourceFileLoader.get_code

    def get_code(self: Any, name: str) -> Any:
        return whole if self.path == path else read(self, name)

    importlib.machinery.SourceFileLoader.get_code = get_code  # type: ignore[method-assign]
    for name in [name for name in sys.modules if name.partition(".")[0] == "incrowd"]:
        del sys.modules[name]
