"""Which library sorts compiled code may call.

Compiled code that is kept on disk names what it calls by a number that counts up in each process. The library's
quicksort of values and its quicksort of places are made of inner functions of the same names, so that of two kernels,
compiled in different processes, one can be given the inner functions of the other: a crash, or a wrong order. Its merge
sorts have names of their own.
"""

import ast
import inspect
from pathlib import Path

import incrowd

SOURCES = sorted(Path(inspect.getfile(incrowd)).parent.rglob("*.py"))


def compiled(tree):
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef) and any("njit" in ast.dump(mark) for mark in node.decorator_list):
            yield node


def quick_orders(tree):
    for function in compiled(tree):
        for call in ast.walk(function):
            if isinstance(call, ast.Call) and ast.unparse(call.func).endswith("argsort"):
                kinds = [word.value.value for word in call.keywords if word.arg == "kind"]
                if kinds != ["mergesort"]:
                    yield function.name, call.lineno


def test_no_compiled_code_orders_by_quicksort():
    texts = {path: path.read_text(encoding="utf-8") for path in SOURCES}
    trees = {path: ast.parse(text) for path, text in texts.items() if "njit" in text}
    assert sum(len(list(compiled(tree))) for tree in trees.values()) > 150
    assert {path.name: found for path, tree in trees.items() if (found := list(quick_orders(tree)))} == {}


def test_a_quicksort_is_found():
    body = "@njit(cache=True)\ndef f(x):\n    return np.argsort(x), np.argsort(x, kind='mergesort'), x.argsort()\n"
    assert list(quick_orders(ast.parse(body))) == [("f", 3), ("f", 3)]
