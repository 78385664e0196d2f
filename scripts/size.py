"""How large the project is. `budget.toml` holds the ceilings of these numbers, `tests/test_budget.py` holds them.

Code is every line with a token that is no comment and no docstring; lines of comments alone count as docstrings. Tokens
are counted too, so that packed lines gain nothing (under one version of Python: f-strings are cut differently).
"""

from __future__ import annotations

import ast
import io
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


def of_file(path: Path) -> Counter[str]:
    """Return a file's lines, lines of code, tokens, and lines of docstrings and comments."""
    text = path.read_text(encoding="utf-8")
    said, code, comments, tokens = set[int](), set[int](), set[int](), 0
    for node in ast.walk(ast.parse(text)):
        match getattr(node, "body", None):
            case [ast.Expr(value=ast.Constant(value=str())) as docstring, *_]:
                said.update(range(docstring.lineno, (docstring.end_lineno or 0) + 1))
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
    told = {}
    for folder in ("src", "tests"):
        files = sum((of_file(path) for path in (root / folder).rglob("*.py")), Counter[str]())
        told |= {f"{folder}_{name}": number for name, number in files.items()}
    del told["tests_docs"]  # a test's name is its claim, and may be explained
    told["src_text_bytes"] = sum(p.stat().st_size for p in (root / "src").rglob("*") if p.suffix in TEXTS)
    data = [path.read_bytes() for path in (root / "tests").rglob("*") if path.suffix in DATA]
    told["tests_lines"] += sum(max(text.count(b"\n"), len(text) // WIDTH) for text in data)
    return told


if __name__ == "__main__":
    for name, number in measured().items():
        print(f"{name} = {number}")
