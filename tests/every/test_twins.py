"""Every registered part has a plain twin that it is compared with; a model also has the check's own reading."""

import importlib
import inspect
from collections import Counter
from pathlib import Path

import pytest

import incrowd
from incrowd import registry
from incrowd.tables.models.k_anonymity import KAnonymity
from incrowd.tables.models.requirement import SensitiveModel
from incrowd.tables.verify.requirements.reading import reading_of, settings_of
from oracles import models_drawn, twins
from oracles.models_drawn import Drawn, agree

ROOT = Path(__file__).resolve().parents[2]
READINGS = Path(incrowd.__file__).parent / "tables" / "verify" / "requirements"


def about_values():
    """The registered models about sensitive values: k-anonymity alone is about the number of rows."""
    return [name for name in registry.names("models") if issubclass(registry.load("models", name), SensitiveModel)]


def missing_of(models):
    """What models lack, each line naming the file to write."""
    found = []
    for name in models:
        file = f"{name.replace('-', '_')}.py"
        if not (READINGS / file).exists():
            found.append(f"model {name!r} has no reading of the check's own: write tables/verify/requirements/{file}")
        if name not in models_drawn.TWINS:
            found.append(
                f"model {name!r} has no plain twin: write tests/oracles/{file} and name it in TWINS of "
                "tests/oracles/models_drawn.py"
            )
    return found


def test_every_model_has_a_reading_of_the_checks_own_and_a_plain_twin():
    assert set(registry.names("models")) - set(about_values()) == {"k-anonymity"}
    assert missing_of(about_values()) == []
    assert set(models_drawn.TWINS) <= set(about_values())


def test_a_model_without_them_is_named_with_the_files_to_write():
    reading, twin = missing_of(["k-e"])
    assert "tables/verify/requirements/k_e.py" in reading
    assert "tests/oracles/k_e.py" in twin


@pytest.mark.parametrize("name", about_values())
def test_every_reading_answers_what_the_check_asks(name):
    reading = reading_of(name)
    assert list(inspect.signature(reading.judge).parameters) == ["asked", "classes"]
    assert list(inspect.signature(reading.share_limit).parameters) == ["asked"]


@pytest.mark.parametrize("name", about_values())
def test_model_and_check_decide_as_the_plain_definition(name):
    agree(name, range(40))


@pytest.mark.proofs
@pytest.mark.parametrize("name", about_values())
def test_model_and_check_decide_as_the_plain_definition_on_many_tables(name):
    agree(name, range(5000, 8000))


@pytest.mark.parametrize("name", about_values())
def test_a_share_limit_is_exactly_what_the_model_asks_and_the_same_to_both(name):
    for seed in range(10):
        drawn = Drawn(seed)
        for model, _ in models_drawn.TWINS[name](drawn):
            limit = reading_of(name).share_limit(settings_of(model))
            assert limit == model.bind(drawn.domain).share_limit()
            if limit is not None:
                column = int(model.judged[0][1:])
                shares = [Counter(row[column] for row in drawn.members(g)) for g in range(drawn.groups)]
                assert drawn.met(model) == [max(c.values(), default=0) <= limit * c.total() for c in shares]


def test_the_twin_of_k_anonymity_is_the_size_of_every_class(tmp_path):
    rows = [("a", 1), ("a", 2), ("b", 3), ("c", 4), ("c", 5), ("c", 6)]
    table = {"q": [q for q, _ in rows], "x": [x for _, x in rows]}
    sizes = Counter(table["q"]).values()
    pandas = pytest.importorskip("pandas")
    for k in (1, 2, 3):
        found = incrowd.verify(pandas.DataFrame(table), pandas.DataFrame(table), qi=["q"], require=[KAnonymity(k)])
        assert [v.count for v in found] == [n for n in [sum(size < k for size in sizes)] if n]


def compared(kind):
    return {"solvers": twins.SOLVERS, "measures": twins.MEASURES}[kind]


@pytest.mark.parametrize("kind", ["solvers", "measures"])
def test_every_solver_and_measure_is_named_with_the_twin_that_it_is_compared_with(kind):
    lacking = [f"{name}: name its plain twin in tests/oracles/twins.py" for name in registry.names(kind)
               if name not in compared(kind)]  # fmt: skip
    assert lacking == []
    assert set(compared(kind)) == set(registry.names(kind))


@pytest.mark.parametrize("name", registry.names("measures"))
def test_the_twin_of_a_measure_is_there_and_asked(name):
    module, _, function = twins.MEASURES[name].partition(":")
    assert callable(getattr(importlib.import_module(module), function))
    asked = (ROOT / "tests/tables/measures/test_against_plain_python.py").read_text(encoding="utf-8")
    assert f"plain.{function}(" in asked
    assert registry.load("measures", name).__name__ in asked


@pytest.mark.parametrize("name", registry.names("solvers"))
def test_the_twin_of_a_solver_is_there_and_asked(name):
    target, file = twins.SOLVERS[name]
    module, _, function = target.partition(":")
    assert callable(getattr(importlib.import_module(module), function))
    text = (ROOT / file).read_text(encoding="utf-8")
    assert module.rpartition(".")[2] in text
    assert function in text
    assert registry.load("solvers", name).__name__ in text or name in text
