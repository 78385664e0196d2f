"""What is registered is there, and what is there is registered."""

import ast
import inspect
from pathlib import Path

import pytest

import incrowd
from incrowd import registry
from incrowd.check.hierarchies import READINGS
from incrowd.errors import PolicyError
from oracle.costs import LOOKING, PLAIN

TABLES = Path(incrowd.__file__).parent / "tables"
FOLDERS = {"solvers": "solve", "models": "models", "costs": "costs", "measures": "measures", "formats": "formats"}
METHODS = {
    "solvers": {"declines": ["problem"], "solve": ["problem", "watch"]},
    "models": {"describe": []},
    "costs": {"node_costs": ["column", "up"]},
    "measures": {"measure": ["release", "context"]},
    "formats": {"read": ["engine", "path", "reading", "label", "part"]},
    "instances": {"build": []},
    "methods": {"run": []},
}
REGISTERED = [(kind, name) for kind in registry.REGISTRIES for name in registry.names(kind)]


def parts_in(folder):
    """Classes that call themselves a part (they set `name` and `summary`), as (file, class)."""
    for path in sorted(folder.rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.ClassDef) and {"name", "summary"} <= set(assigned(node)):
                yield path, node.name


def assigned(node):
    for line in node.body:
        if isinstance(line, ast.Assign):
            yield from (target.id for target in line.targets if isinstance(target, ast.Name))
        elif isinstance(line, ast.AnnAssign) and line.value is not None:
            yield line.target.id


def forgotten(kind, folder, package):
    """Files with a part that has no line in the registry."""
    known = set(registry.REGISTRIES[kind].values())
    found = []
    for path, name in parts_in(folder):
        module = ".".join((package, *path.relative_to(folder).with_suffix("").parts)).removesuffix(".__init__")
        if f"{module}:{name}" not in known:
            found.append(f"{path.relative_to(folder.parent)} defines {name}, which registry.py does not name")
    return found


@pytest.mark.parametrize(("kind", "name"), REGISTERED)
def test_what_is_registered_is_there_under_its_own_name(kind, name):
    part = registry.load(kind, name)
    assert inspect.isclass(part) != (kind == "methods")
    assert part.name == name


@pytest.mark.parametrize(("kind", "name"), REGISTERED)
def test_every_part_says_in_one_line_what_it_is(kind, name):
    summary = registry.load(kind, name).summary
    assert summary
    assert summary == summary.strip()
    assert "\n" not in summary
    assert not summary.endswith(".")
    if kind == "measures":
        assert registry.load(kind, name).unit


@pytest.mark.parametrize(("kind", "name"), REGISTERED)
def test_every_part_has_the_methods_of_its_protocol(kind, name):
    part = registry.load(kind, name)
    for method, parameters in METHODS[kind].items():
        assert list(inspect.signature(getattr(part, method)).parameters)[1:] == parameters


@pytest.mark.parametrize(("kind", "name"), REGISTERED)
def test_every_part_is_frozen(kind, name):
    assert registry.load(kind, name).__dataclass_params__.frozen


@pytest.mark.parametrize("kind", FOLDERS)
def test_every_part_in_the_tree_is_registered(kind):
    assert forgotten(kind, TABLES / FOLDERS[kind], f"incrowd.tables.{FOLDERS[kind]}") == []


@pytest.mark.parametrize("kind", FOLDERS)
def test_every_registered_file_lies_where_its_kind_lives(kind):
    for target in registry.REGISTRIES[kind].values():
        assert target.startswith((f"incrowd.tables.{FOLDERS[kind]}.", f"incrowd.tables.{FOLDERS[kind]}:"))


@pytest.mark.parametrize("lines", ['name = "new"\n    summary = "s"', 'name: str = "new"\n    summary: str = "s"'])
def test_a_forgotten_part_is_found_with_its_file(tmp_path, lines):
    folder = tmp_path / "costs"
    (folder / "deep").mkdir(parents=True)
    (folder / "deep" / "new.py").write_text(f"class New:\n    {lines}\n", encoding="utf-8")
    (folder / "helper.py").write_text('class Helper:\n    name = "no part"\n', encoding="utf-8")
    found = forgotten("costs", folder, "incrowd.tables.costs")
    assert found == ["costs/deep/new.py defines New, which registry.py does not name"]


def test_every_cost_has_a_reading_in_the_check_and_a_plain_twin():
    folders = {
        "src/incrowd/check/hierarchies.py": READINGS,
        "tests/oracle/costs.py": PLAIN | LOOKING,
    }
    lacking = [
        f"{file} lacks {cost!r}" for file, known in folders.items() for cost in registry.COSTS if cost not in known
    ]
    assert lacking == []


def test_an_unknown_name_is_refused_with_the_nearest_and_all_known_ones():
    with pytest.raises(PolicyError, match=r"there is no measure named 'clases'.*did you mean 'classes'.*c_avg"):
        registry.load("measures", "clases")


def test_names_keep_the_order_of_registration():
    assert registry.names("measures") == list(registry.MEASURES)


def test_what_is_loaded_by_name_lies_below_whoever_asks_for_it():
    targets = [registry.AUTO, *(target for known in registry.REGISTRIES.values() for target in known.values())]
    below = {"incrowd.tables", "incrowd.hardness", "incrowd.networks"}
    assert {".".join(target.split(".")[:2]) for target in targets} == below
