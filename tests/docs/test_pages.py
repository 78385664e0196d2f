"""Every code block and command of the pages runs, in order, where `incrowd demo` has been run."""

import json
import re
import shutil
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[2]
PAGES = sorted((ROOT / "docs").rglob("*.md"))
# every example of a paper and of pages that need several releases, in `make proofs`
LONG = ("blunt", "choose-cost", "choose-k", "hard-instances", "ledger", "source-problems", "usefulness")
LATER = [page for page in PAGES if page.parent.name == "papers" or page.stem in LONG]
FILE = re.compile(r'^```text title="([^"]+)"\n(.*?)^```', re.MULTILINE | re.DOTALL)
BLOCK = re.compile(r"^```(\w+)\n(.*?)^```", re.MULTILINE | re.DOTALL)


def blocks(page, *kinds):
    # a block that begins with a path is a file to be written: test_contributing.py writes and runs it
    found = BLOCK.findall(page.read_text())
    return [(kind, text) for kind, text in found if kind in kinds and not re.match(r"# (src|tests)/", text)]


@pytest.mark.parametrize(
    "page",
    # reports.md is run by test_reports_page.py, which looks at what comes out, tutorials as notebooks
    [
        pytest.param(page, marks=pytest.mark.proofs if page in LATER else ())
        for page in PAGES
        if blocks(page, "python", "console") and page.stem != "reports" and page.parent.name != "tutorials"
    ],
    ids=lambda page: page.stem,
)
def test_what_the_page_shows_runs(page, demo, monkeypatch, run_commands, run_python):
    monkeypatch.chdir(demo)
    monkeypatch.setenv("XDG_DATA_HOME", str(demo / "data"))  # where the ledger lies
    for name, text in FILE.findall(page.read_text()):
        Path(name).write_text(text)
    names = {}
    for kind, text in blocks(page, "python", "console"):
        if kind == "python":
            run_python(text, page.name, names)
        else:
            run_commands(text, but=("incrowd demo",))  # tests/cases/test_demo.py runs it


@pytest.mark.parametrize("path", sorted((ROOT / "docs" / "tutorials").glob("*.ipynb")), ids=lambda path: path.stem)
def test_the_cells_of_a_tutorials_notebook_run_one_after_another(
    path, demo, tmp_path, monkeypatch, run_commands, run_python
):
    shutil.copytree(demo / "incrowd-demo", tmp_path / "incrowd-demo")
    monkeypatch.chdir(tmp_path)
    names = {}
    for cell in json.loads(path.read_text())["cells"]:
        text = "".join(cell["source"])
        if cell["cell_type"] == "code" and text.startswith("!"):
            assert run_commands(re.sub("^!", "$ ", text, flags=re.MULTILINE), but=("incrowd demo",))
        elif cell["cell_type"] == "code":
            run_python(text, path.name, names)


def test_pages_that_are_no_reference_and_explain_nothing_have_at_most_900_words():
    navigation = (ROOT / "mkdocs.yml").read_text().partition("  - Reference:")[0]
    for page in PAGES:
        if re.search(rf" {re.escape(str(page.relative_to(ROOT / 'docs')))}$", navigation, re.MULTILINE):
            words = re.sub(r"^```.*?^```", "", page.read_text(), flags=re.MULTILINE | re.DOTALL).split()
            assert len(words) <= 900, (page.name, len(words))


def test_console_blocks_hold_commands():
    for page in PAGES:
        for _, text in blocks(page, "console"):
            assert re.search(r"^\$ incrowd ", text, re.MULTILINE), page.name


def test_toml_blocks_are_policies(tmp_path):
    import tomllib

    import incrowd

    for page in PAGES:
        for _, text in blocks(page, "toml"):
            (tmp_path / "page.toml").write_text(text)
            if "query" in tomllib.loads(text):  # the file of a workload
                with pytest.raises(incrowd.PolicyError, match="the table does not have|workload"):
                    incrowd.anonymize(
                        [{"no column of it": 1}] * 2,
                        quasi_identifiers=["no column of it"],
                        k=1,
                        cost=f"workload:{tmp_path / 'page.toml'}",
                    )
                continue
            try:
                assert incrowd.Job.load(tmp_path / "page.toml") != incrowd.Job(), page.name
            except incrowd.PolicyError as error:  # a part of a policy, about a column that another part names
                assert "which is no sensitive column" in str(error), page.name


def test_every_page_is_in_the_navigation():
    navigation = (ROOT / "mkdocs.yml").read_text()
    for page in PAGES:
        assert str(page.relative_to(ROOT / "docs")) in navigation, page.name


def test_options_and_names_on_the_pages_exist():
    reference = (ROOT / "docs" / "reference.md").read_text()
    import incrowd

    for page in PAGES:
        text = page.read_text()
        for option in set(re.findall(r"(?<![\w-])(--[a-z][a-z-]+)", text)) - {"--help", "--version"}:
            assert option in reference, f"{page.name}: {option}"
        for name in set(re.findall(r"\bincrowd\.([A-Za-z_]+)\b(?!\.)", text)) - {
            "csv",
            "KE",
        }:  # KE is what extend.md builds
            assert hasattr(incrowd, name), f"{page.name}: incrowd.{name}"


def test_rooms_with_public_names_are_there_after_import_incrowd():
    tried = "import incrowd; print(incrowd.networks.profile, incrowd.hardness, incrowd.errors, len(dir(incrowd)))"
    said = subprocess.run([sys.executable, "-c", tried], capture_output=True, text=True, check=True)
    assert "incrowd.hardness" in said.stdout
