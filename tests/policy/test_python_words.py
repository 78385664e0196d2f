"""Messages name keywords where Python called."""

import ast
import re
from pathlib import Path

import pytest

import incrowd
from incrowd.policy.job import every_setting
from incrowd.policy.python_calls import in_python, lines_in_python


@pytest.mark.parametrize(
    ("shell", "python"),
    [
        ("say with --k how many rows must look alike, for example --k 5", "say with k how many rows must look alike, for example k=5"),
        ("named: say with --qi (quasi_identifiers) which", "named: say with quasi_identifiers which"),
        ("leave it out of --numeric, or name it with --na", "leave it out of numeric, or name it with na"),
        ("say --no-header if it has none (or --header)", "say header=False if it has none (or header=True)"),
        ("for example --hierarchy zip=intervals:5,10,20", "for example hierarchies={'zip': 'intervals:5,10,20'}"),
        ("leave --solver out", "leave solver out"),
        ("take --recoding levels.", "take recoding='levels'."),
        ("(--suppression-limit 1/3 would do)", "(suppression_limit='1/3' would do)"),
        ("--time-limit 2.5.", "time_limit=2.5."),
        ("them under the root with --complete-hierarchies", "them under the root with complete_hierarchies=True"),
        ("see `incrowd verify --certificate FILE`", "see `incrowd verify --certificate FILE`"),
        ("the same for `incrowd verify`: --hierarchy a=dates --hierarchy b=prefix:3 --complete-hierarchies", "the same for `incrowd.verify`: hierarchies={'a': 'dates', 'b': 'prefix:3'}, complete_hierarchies=True"),
        ("coarser columns or --blunt\n    2 give less", "coarser columns or blunt=2 give less"),
        ("(--hierarchies auto makes them)", "(hierarchies='auto' makes them)"),
        ("the largest one (--component largest)", "the largest one (component='largest')"),
        ("leave out --same-order, or --domain X=FILE", "leave out same_order=True, or domains={'X': 'FILE'}"),
        ("a - b -- c --no-such-option", "a - b -- c --no-such-option"),
    ],
)  # fmt: skip
def test_options_become_keywords(shell, python):
    assert in_python(shell) == python


def test_every_option_is_known():
    for name, spec in every_setting().items():
        assert in_python(f"say {spec.flag_name(name)}") in (f"say {name}", f"say {name}=True")
        if spec.off_option:
            assert in_python(f"say {spec.off_option}") == f"say {name}=False"


def test_lines_that_became_too_long_are_broken_again():
    text = f"head\n\n  - {'word ' * 15}--hierarchy age=intervals:5 --hierarchy zip=prefix:3 end\n    short\n"
    said = lines_in_python(text).splitlines()
    assert max(map(len, said)) <= 100 and said[0] == "head" and said[-1] == "    short"
    assert said[2].startswith("  - word") and said[3].startswith("    ")
    assert " ".join(" ".join(said).split()) == " ".join(in_python(text).split())
    table = f"{'1 ' * 40}\n"
    assert lines_in_python(table) == table


ROOT = Path(incrowd.__file__).parent
OPTION = re.compile(r"(?<![\w-])--[a-z][a-z-]+")
OF_THE_SHELL = ("cli", "web", "reproduce", "hardness")  # nothing of Python's comes from there
COMMANDS = ("report/charts/svg.py", "report/pages/network.py")  # no function, colours, commands


def sentences():
    """Yield file, line and text of every string in the package but for docstrings, what is filled in as X."""
    for path in sorted(ROOT.rglob("*.py")):
        name = path.relative_to(ROOT).as_posix()
        if name.split("/")[0] in OF_THE_SHELL or name in COMMANDS:
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        nodes = list(ast.walk(tree))
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


def test_no_sentence_of_the_library_keeps_an_option_when_python_says_it():
    told = [
        (name, line, text)
        for name, line, text in sentences()
        if OPTION.search(text) and not text.startswith("var") and not name.startswith("check/")
    ]  # a colour of a page; the check runs alone, as a command
    assert len(told) > 80  # the walk finds them
    left = [one for one in told if OPTION.search(re.sub("`[^`]*`", "", in_python(one[2])))]
    assert not left
