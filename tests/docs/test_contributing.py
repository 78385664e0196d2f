"""CONTRIBUTING.md names what is there, and the parts that the page on adding one builds are made, registered and tested as written."""

import ast
import importlib.util
import re
import subprocess
import sys
from pathlib import Path

import numpy as np
import pandas as pd
import pytest

import incrowd
from incrowd import registry
from incrowd.errors import OurBug, PolicyError
from incrowd.tables.models.requirement import SensitiveModel
from seeds import how_many

ROOT = Path(__file__).resolve().parents[2]
TEXT, PAGE = ((ROOT / name).read_text(encoding="utf-8") for name in ("CONTRIBUTING.md", "docs/how-to/extend.md"))
SECTIONS = dict(re.findall(r"^##+ (.*?)\n(.*?)(?=^##|\Z)", TEXT + PAGE, re.DOTALL | re.MULTILINE))


def blocks(section):
    """The files of an example, by path."""
    return dict(re.findall(r"```python\n# (\S+)\n(.*?)```", SECTIONS[section], re.DOTALL))


def as_module(name, code, folder):
    path = folder / f"{name.rpartition('.')[2]}.py"
    path.write_text(code, encoding="utf-8")
    spec = importlib.util.spec_from_file_location(name, path)
    module = importlib.util.module_from_spec(spec)
    return spec, module


MODEL_BLOCKS = blocks("A model from end to end")
MODEL = "src/incrowd/tables/models/k_e.py"
READING = "src/incrowd/check/k_e.py"
DRAWN = "tests/properties/test_k_e.py"
PAY = pd.DataFrame(
    {"age": ["30", "30", "31", "31", "40", "41"], "pay": [10, 12, 10, 40, 20, 50], "note": list("uvwxyz")}
)
ASKED = {"quasi_identifiers": ["age"], "k": 2, "require": ["k-e e=20 column=pay"]}


@pytest.fixture
def model(tmp_path, monkeypatch):
    """The example's model, its reading and its test, the model registered by its own line."""
    made = {}
    for path, name in ((MODEL, "incrowd.tables.models.k_e"), (READING, "incrowd.check.k_e"), (DRAWN, "test_k_e")):
        folder = tmp_path / name
        folder.mkdir()
        spec, made[path] = as_module(name, MODEL_BLOCKS[path], folder)
        monkeypatch.setitem(sys.modules, name, made[path])
        spec.loader.exec_module(made[path])
    for key, target in ast.literal_eval("{" + MODEL_BLOCKS["src/incrowd/registry.py"].strip() + "}").items():
        monkeypatch.setitem(registry.MODELS, key, target)
    return made


def test_the_model_is_whole_and_not_there_yet():
    assert set(MODEL_BLOCKS) == {MODEL, READING, DRAWN, "src/incrowd/registry.py"}
    assert "k-e" not in registry.names("models")


def asked_of_drawn_tables(made, number=30):
    """The example's test on tables as it draws them."""
    for seed in range(number):
        made[DRAWN].test_the_numbers_of_every_class_span_what_is_asked.__wrapped__(seed)


def test_model_and_reading_are_as_defined_on_drawn_tables(model):
    asked_of_drawn_tables(model, how_many(30, 4))


@pytest.mark.parametrize("wrong", ["solvers'", "check's"])
def test_a_wrong_line_in_the_model_or_its_reading_is_found(model, monkeypatch, wrong):
    if wrong == "check's":
        met = model[READING].met
        monkeypatch.setattr(model[READING], "met", lambda asked, rows: met({**asked, "e": 0}, rows))
    else:
        monkeypatch.setattr(model[MODEL].Span, "judge", lambda self, counted: np.ones(counted.groups, np.bool_))
    with pytest.raises((AssertionError, OurBug)):
        asked_of_drawn_tables(model)


def test_a_release_under_the_model_is_made_and_verified_and_a_worse_one_refused(model, tmp_path):
    release = incrowd.anonymize(PAY, **ASKED, solver="greedy")
    assert incrowd.verify(PAY, release.table, **ASKED) == []
    assert incrowd.verify(PAY, PAY, **{**ASKED, "k": 1}) != []
    assert release.facts["requirements"][0]["reached"] >= 20
    audited = incrowd.audit(PAY, **ASKED)
    assert next(line["reached"] for line in audited.models if line["name"] == "k-e") == 0


def test_the_model_alone_is_not_believed(model, monkeypatch, tmp_path):
    monkeypatch.setitem(sys.modules, "incrowd.check.k_e", None)
    with pytest.raises(PolicyError, match="model 'k-e' cannot be verified"):
        incrowd.anonymize(PAY, **ASKED, solver="greedy", output=tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


def test_a_model_that_finds_everything_good_is_found_out_by_the_second_file(model, monkeypatch, tmp_path):
    monkeypatch.setattr(model[MODEL].Span, "judge", lambda self, counted: np.ones(counted.groups, np.bool_))
    table = pd.DataFrame({"age": ["30", "30", "40", "40"], "pay": [10, 12, 10, 12]})
    with pytest.raises(OurBug, match="refused the release"):
        incrowd.anonymize(table, **ASKED, solver="greedy", output=tmp_path / "out.csv")
    assert not (tmp_path / "out.csv").exists()


def test_values_that_are_no_numbers_are_refused_and_not_quoted(model):
    with pytest.raises(PolicyError, match="'note' is none") as refused:
        incrowd.anonymize(PAY, quasi_identifiers=["age"], k=2, require=["k-e e=20 column=note"], solver="greedy")
    assert "'u'" not in str(refused.value)


def test_a_model_without_one_of_its_methods_cannot_be_made(model):
    kind = type(
        "Half", (SensitiveModel,), {"name": "half", "summary": "lacks two methods", "describe": lambda self: ""}
    )
    with pytest.raises(TypeError, match="bind"):
        kind()


@pytest.mark.parametrize("code", [MODEL_BLOCKS[MODEL], MODEL_BLOCKS[READING]])
def test_the_examples_keep_the_style(code, tmp_path):
    path = tmp_path / "example.py"
    path.write_text(code, encoding="utf-8")
    ruff = [sys.executable, "-m", "ruff", "check", "--config", str(ROOT / "pyproject.toml"), str(path)]
    done = subprocess.run(ruff, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout


def test_every_file_and_folder_named_is_there():
    named = set(re.findall(r"`((?:src|tests|scripts)/[\w./]+)`", TEXT))
    assert len(named) > 5
    assert {path for path in named if not (ROOT / path).exists()} == set()


def test_every_room_named_is_there():
    rows = re.findall(r"^\|[^|]+\|([^|]+)\|$", SECTIONS["Rooms"], re.MULTILINE)
    named = {path for row in rows for path in re.findall(r"`([\w./]+/[\w./]*|\w+\.py)`", row) if "/" in path}
    assert len(named) > 11
    assert {path for path in named if not (ROOT / "src/incrowd" / path).exists()} == set()


def test_every_example_to_look_at_is_there():
    rows = re.findall(r"\| [\w ]+ \| `(src/[\w/]+)` \|.*\| `([\w/]+\.py)` \|", TEXT)
    assert len(rows) == 5
    assert [f"{folder}/{file}" for folder, file in rows if not (ROOT / folder / file).exists()] == []


def test_every_make_target_named_is_there():
    targets = set(re.findall(r"^(\w+):", (ROOT / "Makefile").read_text(encoding="utf-8"), re.MULTILINE))
    named = set(re.findall(r"\bmake (\w+)", TEXT))
    assert named >= {"setup", "test", "check", "walls", "proofs"}
    assert named <= targets
