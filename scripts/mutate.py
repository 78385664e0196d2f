"""One comparison of a file's text changed at a time, for `mutate_verify.py`.

A mutant is the package with one `<` written as `<=`, `==` as `!=`, `in` as `not in`, `is` as `is not`, `and` as `or`,
or the other way round (with `ones`, also one `+ 1` or `- 1` left out).
"""

from __future__ import annotations

import ast
import itertools
import random
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

FLIPS = {"<": "<=", ">": ">=", "==": "!=", "in": "not in", "is": "is not", "and": "or"}
FLIPS |= {after: before for before, after in FLIPS.items()}
OPERATOR = re.compile(r"not\s+in\b|is\s+not\b|<=|>=|==|!=|<|>|\b(?:in|is|and|or)\b")


@dataclass(frozen=True)
class Mutant:
    """One change of one file."""

    module: str  # below src
    area: str
    function: str
    line: int
    before: str  # the comparison's text
    after: str
    begin: int  # where in the file's bytes the change is
    end: int
    new: str

    def __str__(self) -> str:
        """Return the place and the change."""
        return f"{self.module}:{self.line}, {self.before} -> {self.after}"


def changes(tree: ast.AST, ones: bool) -> Iterator[tuple[ast.expr, ast.AST | None, ast.AST, str]]:
    """Yield what can change: the expression, the operands around its operator, and the name of its function.

    Where the left operand is None, the right one, the number 1, becomes 0.
    """

    def walk(node: ast.AST, function: str) -> Iterator[tuple[ast.expr, ast.AST | None, ast.AST, str]]:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            function = f"{function}.{node.name}".lstrip(".")
        if isinstance(node, ast.Compare | ast.BoolOp):
            operands = [node.left, *node.comparators] if isinstance(node, ast.Compare) else node.values
            for left, right in itertools.pairwise(operands):
                yield node, left, right, function
        moved = ones and isinstance(node, ast.BinOp) and isinstance(node.op, ast.Add | ast.Sub)
        if moved and isinstance(node.right, ast.Constant) and repr(node.right.value) == "1":
            yield node, None, node.right, function
        for below in ast.iter_child_nodes(node):
            yield from walk(below, function)

    yield from walk(tree, "")


def line_starts(source: bytes) -> list[int]:
    """Return where each line of a file begins, in bytes, and where the file ends."""
    return [0, *itertools.accumulate(map(len, source.splitlines(keepends=True)))]


def mutants_of(source: bytes, module: str, area: str, ones: bool = False) -> list[Mutant]:
    """Return the mutants of a file, from its top to its end."""
    starts = line_starts(source)
    found = []
    for whole, left, right, function in changes(ast.parse(source), ones):
        first, last = (starts[whole.lineno - 1] + whole.col_offset, starts[whole.end_lineno - 1] + whole.end_col_offset)
        begin = starts[right.lineno - 1] + right.col_offset
        end, new = begin + 1, "0"
        if left is not None:
            between = starts[left.end_lineno - 1] + left.end_col_offset
            operator = OPERATOR.search(source[between:begin].decode())
            if operator is None:
                raise SystemExit(f"{module}:{whole.lineno}: no operator between two operands")
            begin, end = between + len(operator.string[: operator.start()].encode()), between + operator.end()
            new = FLIPS[" ".join(operator[0].split())]
        before, after = source[first:last], source[first:begin] + new.encode() + source[end:last]
        texts = [" ".join(text.decode().split()) for text in (before, after)]
        found.append(Mutant(module, area, function, whole.lineno, *texts, begin, end, new))
    return sorted(found, key=lambda mutant: mutant.begin)


def choose(mutants: list[Mutant], sample: int | None, seed: int) -> list[Mutant]:
    """Return as many mutants as asked for, alike many of every area."""
    if sample is None or sample >= len(mutants):
        return mutants
    turns: dict[str, list[Mutant]] = {}
    for mutant in random.Random(seed).sample(mutants, len(mutants)):
        turns.setdefault(mutant.area, []).append(mutant)
    picked = [mutant for turn in itertools.zip_longest(*turns.values()) for mutant in turn if mutant][:sample]
    return sorted(picked, key=mutants.index)
