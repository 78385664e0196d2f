"""What charts need is looked up without being imported, and named with the command that installs it."""

import sys
import tomllib
from pathlib import Path

import pytest

from incrowd.errors import InputError
from incrowd.report.charts import libraries, release
from incrowd.report.charts.shown import Plots

PROJECT = Path(__file__).resolve().parents[3] / "pyproject.toml"
EXTRA = tomllib.loads(PROJECT.read_text(encoding="utf-8"))["project"]["optional-dependencies"]["report"]
FACTS = {"rows": 4, "class_sizes": [{"from": 2, "to": 2, "rows": 4}]}


def without(monkeypatch, *modules):
    for module in modules:
        monkeypatch.setitem(sys.modules, module, None)


def test_where_everything_is_installed_charts_can_be_made():
    assert libraries.can_draw()
    libraries.check_installed()
    assert libraries.altair().Chart
    assert (libraries.drawing_folder() / "vl_convert").is_dir()


@pytest.mark.parametrize(
    ("modules", "said", "packages"),
    [
        (("altair",), "need altair, which is not installed", EXTRA[:1]),
        (("vl_convert",), "need vl-convert-python, which is not installed", EXTRA[1:]),
        (("altair", "vl_convert"), "need altair and vl-convert-python, which are not installed", EXTRA),
    ],
)
def test_what_lacks_is_named_with_the_command_that_installs_it(monkeypatch, modules, said, packages):
    without(monkeypatch, *modules)
    assert not libraries.can_draw()
    with pytest.raises(InputError) as refused:
        libraries.check_installed()
    command = " ".join(f'"{package}"' for package in packages)
    assert str(refused.value) == f"the charts of a report {said}: pip install {command}"


def test_a_library_that_cannot_be_imported_or_looked_up_lacks_too(monkeypatch):
    class Refusing:
        @staticmethod
        def find_spec(name, *_):
            if name in ("altair", "vl_convert"):
                raise ModuleNotFoundError(name)

    for name in [name for name in sys.modules if name.partition(".")[0] in ("altair", "vl_convert")]:
        monkeypatch.delitem(sys.modules, name)
    monkeypatch.setattr(sys, "meta_path", [Refusing, *sys.meta_path])
    assert not libraries.can_draw()
    for use in (libraries.altair, libraries.drawing_folder):
        with pytest.raises(InputError, match="charts need altair and vl-convert-python"):
            use()


def test_a_folder_of_the_same_name_is_no_library(tmp_path, monkeypatch):
    (tmp_path / "vl_convert").mkdir()
    monkeypatch.delitem(sys.modules, "vl_convert", raising=False)
    monkeypatch.setattr(sys, "path", [str(tmp_path), *(p for p in sys.path if not (Path(p) / "vl_convert").exists())])
    assert not libraries.can_draw()


def test_charts_for_notebooks_need_altair_alone(monkeypatch):
    without(monkeypatch, "vl_convert")
    assert Plots(lambda: FACTS).classes()
    without(monkeypatch, "altair")
    for draw in (Plots(lambda: FACTS).classes, lambda: release.tradeoff([])):
        with pytest.raises(InputError, match="^charts need altair and vl-convert-python, which are not"):
            draw()
