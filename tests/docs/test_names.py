"""What a text names under `incrowd.` is there."""

import importlib
import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
TEXTS = [
    *sorted((ROOT / "src").rglob("*.py")),
    *(path for folder in ("docs", "benchmarks") for path in sorted((ROOT / folder).rglob("*.md"))),
    ROOT / "README.md",
    ROOT / "CONTRIBUTING.md",
]
TO_BE_WRITTEN = {"incrowd.KE"}  # the model of which docs/how-to/extend.md shows every step
NAME = re.compile(r"`(incrowd(?:\.[A-Za-z_]\w*)+)(?:\(\))?`")


def exists(name: str) -> bool:
    """Whether a dotted name is a module, or can be reached from one."""
    parts = name.split(".")
    for many in range(len(parts), 0, -1):
        try:
            found = importlib.import_module(".".join(parts[:many]))
        except ModuleNotFoundError as error:
            if not (error.name or "").startswith("incrowd"):
                raise
            continue
        for part in parts[many:]:
            fields = getattr(found, "__dataclass_fields__", {})
            if not hasattr(found, part) and part not in fields:
                return False
            found = getattr(found, part, None)
        return True
    return False


def test_every_name_in_a_text_is_a_module_or_in_one():
    named = {(name, str(path.relative_to(ROOT))) for path in TEXTS for name in NAME.findall(path.read_text("utf-8"))}
    assert len({name for name, _ in named}) > 30
    assert [one for one in sorted(named) if one[0] not in TO_BE_WRITTEN and not exists(one[0])] == []


@pytest.mark.parametrize(
    ("name", "there"),
    [
        ("incrowd.tables.values.Problem", True),
        ("incrowd.tables.values.Problem.places", True),
        ("incrowd.tables.values.Problem.nowhere", False),
        ("incrowd.tables.nowhere", False),
        ("incrowd.anonymize", True),
        ("incrowd.stages", False),
    ],
)
def test_a_name_that_is_gone_is_told_from_one_that_is_there(name, there):
    assert exists(name) == there
