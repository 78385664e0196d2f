"""The theorems: what may stand in their sources, and, where Coq is installed, that they are proved without axioms."""

import ast
import io
import re
import shutil
import subprocess
import tokenize
from pathlib import Path

import pytest

from checkers.needed import needs_coq as coq

THEOREMS = Path(__file__).resolve().parents[2] / "theorems"
SOURCES = {path.name: path.read_text() for path in sorted(THEOREMS.glob("*.v"))}
MODULES = re.search(r"^MODULES := (.*)$", (THEOREMS / "Makefile").read_text(), re.M)[1].split()


def without_comments(text):
    while "(*" in text:
        text = re.sub(r"\(\*(?:(?!\(\*).)*?\*\)", "", text, flags=re.S)
    return text


def test_every_source_is_compiled_and_none_is_missing():
    assert sorted(SOURCES) == sorted(f"{name}.v" for name in MODULES)


@pytest.mark.parametrize("name", sorted(SOURCES))
def test_nothing_is_assumed(name):
    words = r"\b(Admitted|admit|Axioms?|Parameters?|Conjecture|Abort|give_up|Unset Guard|bypass_check)\b"
    assert not re.search(words, without_comments(SOURCES[name]))


def test_what_is_proved_is_said_in_forty_lines_that_stand_alone():
    text = without_comments(SOURCES["Statement.v"])
    given = ("From ", "Import ", "Open Scope ")  # no definitions: what Coq itself brings
    lines = [line for line in text.splitlines() if line.strip() and not line.startswith(given)]
    assert len(lines) <= 40
    assert "Incrowd" not in text


@pytest.mark.parametrize(("module", "name"), [("Bound", "bound"), ("Release", "release")])
def test_the_two_theorems_are_about_the_functions_that_are_extracted(module, name):
    text = without_comments(SOURCES[f"{module}.v"])
    assert re.search(rf"Theorem {name} : .*?Qed\.\s*Print Assumptions {name}\.", text, re.S)
    extracted = re.search(r'Extraction "proved.ml" (.*)\.', SOURCES["Extraction.v"])[1].split()
    assert extracted == ["lower_bound", "accepts"]


def test_no_proof_is_longer_than_sixty_lines():
    for name, text in SOURCES.items():
        for proof in re.findall(r"^Proof\.(.*?)Qed\.", text, re.S | re.M):
            assert proof.count("\n") <= 60, (name, proof[:200])


def lines_of_code(path):
    """Lines of a module without imports, documentation, comments and what is not code."""
    tree = ast.parse(path.read_text())
    left = set()
    for node in ast.walk(tree):
        words = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if words or isinstance(node, ast.Import | ast.ImportFrom):
            left |= set(range(node.lineno, node.end_lineno + 1))
    found = set()
    for token in tokenize.generate_tokens(io.StringIO(path.read_text()).readline):
        if token.type in {tokenize.NAME, tokenize.OP, tokenize.NUMBER, tokenize.STRING}:
            found |= set(range(token.start[0], token.end[0] + 1))
    heads = {node.lineno for node in tree.body if ast.unparse(node).startswith(("__all__", "if TYPE_CHECKING"))}
    return len(found - left - heads)


def test_what_is_handed_over_is_written_in_some_two_hundred_lines():
    folder = THEOREMS.parent / "src" / "incrowd" / "proved"
    writers = {"question.py", "requirements.py", "proofs.py"}
    # What asks whether there is such a program, starts it and says its answer writes nothing of the question, nor does
    # a suggestion that the program checks.
    others = {"check.py", "suggestions.py", "__init__.py"}
    assert {path.name for path in folder.glob("*.py")} == writers | others
    assert sum(lines_of_code(folder / name) for name in writers) <= 215


@coq
@pytest.mark.proofs  # `make theorems`, which is part of every run, does the same in less
def test_the_theorems_are_proved_and_the_program_is_what_they_extract_to(tmp_path):
    folder = tmp_path / "theorems"
    shutil.copytree(THEOREMS, folder, ignore=shutil.ignore_patterns("_build"))
    done = subprocess.run(["make", "-C", str(folder), "proofs"], capture_output=True, text=True, timeout=500)
    assert done.returncode == 0, done.stderr
    said = (folder / "_build" / "coq" / "assumptions.txt").read_text().splitlines()
    assert said == ["Closed under the global context"] * 2


@coq
@pytest.mark.proofs
def test_a_second_checker_of_proofs_finds_no_axiom(tmp_path):
    folder = tmp_path / "theorems"
    shutil.copytree(THEOREMS, folder, ignore=shutil.ignore_patterns("_build"))
    done = subprocess.run(["make", "-C", str(folder), "axioms"], capture_output=True, text=True, timeout=900)
    assert done.returncode == 0, done.stderr
    assert re.search(r"Axioms:\s*<none>", done.stdout + done.stderr)


@coq
@pytest.mark.proofs
def test_no_changed_definition_is_still_proved():
    script = THEOREMS.parent / "scripts" / "mutate_theorems.py"
    done = subprocess.run(["python", str(script)], capture_output=True, text=True, timeout=3000)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("\n") >= 30
