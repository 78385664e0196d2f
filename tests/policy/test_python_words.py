"""Messages name settings, as a policy and Python do; a flag is a word of the shell alone."""

import ast
import re
from pathlib import Path

import incrowd

ROOT = Path(incrowd.__file__).parent
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]*")
OF_THE_SHELL = ("cli", "web", "reproduce", "hardness", "check", "checker")  # the check runs alone, as a command


def sentences():
    """Yield file, line and text of every string in the package but for docstrings, what is filled in as X."""
    for path in sorted(ROOT.rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if name.split("/")[0] in OF_THE_SHELL:
            continue
        text = path.read_text(encoding="utf-8")
        if not OPTION.search(text):
            continue
        nodes = list(ast.walk(ast.parse(text)))
        heads = [n.body[0] for n in nodes if isinstance(n, ast.Module | ast.ClassDef | ast.FunctionDef) and n.body]
        inside = {id(n.value) for n in heads if isinstance(n, ast.Expr)}
        for node in nodes:
            if isinstance(node, ast.JoinedStr):
                inside |= {id(part) for part in node.values}
                parts = [part.value if isinstance(part, ast.Constant) else "X" for part in node.values]
                yield name, node.lineno, "".join(map(str, parts))
        for node in nodes:
            if isinstance(node, ast.Constant) and isinstance(node.value, str) and id(node) not in inside:
                yield name, node.lineno, node.value


def test_no_sentence_of_the_library_speaks_of_an_option_of_the_shell():
    told = [one for one in sentences() if OPTION.search(re.sub("`[^`]*`", "", one[2]))]
    apart = re.compile(r"--[a-z-]+|var.*|Check it: .*", re.DOTALL)  # a flag alone, a colour, the demo's commands
    assert not [f"{name}: {text}" for name, _, text in told if not apart.fullmatch(text)]
