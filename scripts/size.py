"""How large the project is. `budget.toml` holds the ceilings of these numbers, `tests/test_budget.py` holds them.

Code is every line with a token that is no comment and no docstring; lines of comments alone count as docstrings. Tokens
are counted too, so that packed lines gain nothing (under one version of Python: f-strings are cut differently).
"""

from __future__ import annotations

import ast
import io
import sys
import tokenize
from collections import Counter
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
NO_CODE = {
    tokenize.COMMENT, tokenize.NL, tokenize.NEWLINE, tokenize.INDENT, tokenize.DEDENT, tokenize.ENCODING,
    tokenize.ENDMARKER,
}  # fmt: skip
WIDTH = 120  # characters of a line of data, where it has fewer line ends
TEXTS = (".js", ".html", ".css", ".sql", ".toml")
DATA = (".json", ".toml", ".csv", ".txt", ".yaml", ".jsonl")


def docstring_lines(tree: ast.Module) -> set[int]:
    """Return the lines of all docstrings."""
    found: set[int] = set()
    for node in ast.walk(tree):
        if isinstance(node, ast.Module | ast.ClassDef | ast.FunctionDef | ast.AsyncFunctionDef) and node.body:
            match node.body[0]:
                case ast.Expr(value=ast.Constant(value=str())) as said:
                    found.update(range(said.lineno, (said.end_lineno or said.lineno) + 1))
    return found


def of_file(path: Path) -> Counter[str]:
    """Return a file's lines, lines of code, tokens, and lines of docstrings and comments."""
    text = path.read_text(encoding="utf-8")
    said, code, comments, tokens = docstring_lines(ast.parse(text)), set[int](), set[int](), 0
    for token in tokenize.generate_tokens(io.StringIO(text).readline):
        if token.type == tokenize.COMMENT:
            comments.add(token.start[0])
        if token.type not in NO_CODE and token.start[0] not in said:
            tokens += 1
            code.update(range(token.start[0], token.end[0] + 1))
    docs = len(said) + len(comments - code)
    return Counter(files=1, lines=text.count("\n"), code=len(code), tokens=tokens, docs=docs)


def measured(root: Path = ROOT) -> dict[str, int]:
    """Return every number that `budget.toml` has a ceiling for."""
    src, tests = Counter[str](), Counter[str]()
    for path in (root / "src").rglob("*.py"):
        src += of_file(path)
    for path in (root / "tests").rglob("*.py"):
        tests += of_file(path)
    told = {f"src_{name}": src[name] for name in ("lines", "code", "tokens", "docs", "files")}
    told["src_text_bytes"] = sum(p.stat().st_size for p in (root / "src").rglob("*") if p.suffix in TEXTS)
    told |= {f"tests_{name}": tests[name] for name in ("lines", "code", "tokens", "files")}
    data = [path.read_bytes() for path in (root / "tests").rglob("*") if path.suffix in DATA]
    told["tests_lines"] += sum(max(text.count(b"\n"), len(text) // WIDTH) for text in data)
    return told


if __name__ == "__main__":
    sys.stdout.write("".join(f"{name} = {number}\n" for name, number in measured().items()))
