"""Documentation is tested: the reference is the parser's own, and what README shows runs."""

import re
import shutil
import subprocess
import tomllib
from importlib.resources import files
from pathlib import Path

import make_docs
import make_pictures
import pytest

import incrowd

ROOT = Path(__file__).resolve().parents[2]
README = (ROOT / "README.md").read_text()
CONTRIBUTING = ROOT / "CONTRIBUTING.md"
RELEASED = "(not released yet)" not in (ROOT / "CHANGELOG.md").read_text()
TO_BE_WRITTEN = {
    "tests/properties/test_k_e.py",
}  # by who follows docs/how-to/extend.md


@pytest.mark.parametrize("page", make_docs.WRITTEN)
def test_what_is_written_from_the_parser_the_settings_and_the_tutorials_is_as_they_are(page):
    assert (ROOT / page).read_text() == make_docs.WRITTEN[page](), "run `make docs`"


@pytest.mark.parametrize(
    ("block", "said"), re.findall(r"```python\n(.*?)```(?:\n\n```text\n(.*?)```)?", README, re.DOTALL)
)
def test_python_of_the_readme_runs_and_prints_what_stands_below_it(block, said, capsys, run_python):
    run_python(block, "README.md", {})
    assert not said or capsys.readouterr().out == said


@pytest.mark.parametrize("name", make_pictures.PICTURES)
def test_the_drawn_pictures_of_the_readme_are_of_what_runs(name):
    drawn = make_pictures.PICTURES[name]()
    assert (make_pictures.IMAGES / name).read_text() == drawn, "run scripts/make_pictures.py"
    told = re.search(rf"!\[([^\]]*)\]\(docs/images/{name}\)", README)[1]
    assert set(re.findall(r"\d+", told)) <= set(re.findall(r"\d+", re.search(r'aria-label="([^"]*)"', drawn)[1]))


def test_what_the_readme_says_of_the_demos_release_is_so():
    data = files("incrowd.data")
    with incrowd.anonymize(str(data / "hospital.csv"), str(data / "hospital.toml")) as release:
        told = re.search(r"excludes a value in (\d+) hidden cells of (\d+)", " ".join(release.summary().split()))
        assert f"{release.cost} of 12,000 cells are hidden" in README
    assert f"{told[1]} of {told[2]} hidden cells" in README


def test_commands_of_the_readme_run(demo, monkeypatch, run_commands):
    monkeypatch.chdir(demo)
    commands = run_commands(README, but=("incrowd demo",))  # tests/cases/test_demo.py runs it
    assert len(commands) >= 4
    assert "incrowd demo" in commands


def test_the_two_commands_stand_at_the_top_of_the_readme():
    head = README.splitlines()[:12]
    assert any(line.startswith("make demo") for line in head)
    assert any(line.startswith("make test") for line in head)


def test_every_relative_link_of_the_pages_leads_somewhere():
    for page in [ROOT / "README.md", ROOT / "CONTRIBUTING.md", *sorted((ROOT / "docs").rglob("*.md"))]:
        for target in re.findall(r"\]\((?!https?:|#)([^)#]+)", page.read_text()):
            assert (page.parent / target).exists(), f"{page.name}: {target}"


def test_every_test_that_a_text_names_is_there():
    texts = [path for name in ("docs", "src", "theorems", "benchmarks") for path in (ROOT / name).rglob("*")]
    for page in [ROOT / "README.md", *(path for path in texts if path.suffix in (".md", ".py", ".v", ".toml"))]:
        named = set(re.findall(r"`(tests/[\w./]+?)`", page.read_text(encoding="utf-8")))
        assert {path for path in named if not (ROOT / path).exists()} <= TO_BE_WRITTEN, page.name


def test_options_named_in_the_readme_exist():
    reference = (ROOT / "docs" / "reference.md").read_text()
    for option in set(re.findall(r"`(--[a-z-]+)", README)):
        assert option in reference, option


def test_every_public_name_is_on_the_page_of_python():
    page = (ROOT / "docs" / "api.md").read_text()
    errors = {name for name in incrowd.__all__ if incrowd._HOMES.get(name) == "incrowd.errors"}
    named = set(incrowd.__all__) - errors - {"__version__"}
    assert {name for name in named if f"::: incrowd.{name}\n" not in page} == set()
    assert "::: incrowd.errors" in page


def test_the_exceptions_named_on_the_page_of_python_are_keywords():
    page = (ROOT / "docs" / "api.md").read_text()
    told = dict(re.findall(r"`(\w+)=(False|\d)`", page))
    assert set(told) == {"full_suppression", "strip", "header", "max_stars"}
    job = incrowd.Job().replace(**{name: False if value == "False" else int(value) for name, value in told.items()})
    assert job.policy.mask.full_suppression is job.policy.reading.strip is job.policy.reading.header is False


def test_no_page_or_message_installs_a_name_that_is_not_published():
    for page in [CONTRIBUTING, ROOT / "README.md", *(ROOT / "docs").rglob("*.md"), *(ROOT / "src").rglob("*.py")]:
        assert not RELEASED or page.suffix == ".py" or "pip install ." not in page.read_text(encoding="utf-8"), (
            page.name
        )
        assert RELEASED or not re.search(r"pip install ['\"]?incrowd", page.read_text(encoding="utf-8")), page.name


def test_readme_and_docs_say_how_to_install_without_make():
    for page in (README, (ROOT / "docs" / "index.md").read_text()):
        assert f"pip install {'incrowd' if RELEASED else '.'}" in page
        assert "make wheel" in page


@pytest.mark.skipif(RELEASED, reason="was released")
def test_a_release_puts_name_date_and_address_into_the_pages(tmp_path):
    changed = [
        "README.md",
        "CHANGELOG.md",
        "CITATION.cff",
        "pyproject.toml",
        "docs/index.md",
        "docs/how-to/usefulness.md",
    ]
    for name in [*changed, ".ci/release", "src/incrowd/version.py"]:
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / name, tmp_path / name)
    release = [tmp_path / ".ci" / "release", "https://example.org/incrowd", "--words"]
    subprocess.run(release, check=True)
    told = {name: (tmp_path / name).read_text() for name in changed}
    assert "`pip install incrowd` (Python" in told["README.md"]
    assert not any("pip install ." in text or 'pip install ".' in text for text in told.values())
    assert tomllib.loads(told["pyproject.toml"])["project"]["urls"]["Source"] == release[1]
    assert (
        f"version: {incrowd.__version__}\n" in told["CITATION.cff"]
        and f"repository-code: {release[1]}\n" in told["CITATION.cff"]
    )
    assert re.search(rf"^## {incrowd.__version__} \(\d{{4}}-\d\d-\d\d\)$", told["CHANGELOG.md"], re.MULTILINE)
    assert subprocess.run(release, check=False, capture_output=True).returncode == 1, "twice"
