"""The drawing program reads charts and writes their SVG, and knows nothing of the library."""

import ast
import io
import json
import sys
from pathlib import Path
from types import SimpleNamespace

from incrowd.report.charts import draw


def test_it_writes_a_drawing_for_every_chart(monkeypatch):
    drawing = SimpleNamespace(
        vegalite_to_svg=lambda chart, allowed_base_urls: f"<svg>{chart['n']}{allowed_base_urls}</svg>"
    )
    out = io.BytesIO()
    monkeypatch.setitem(sys.modules, "vl_convert", drawing)
    monkeypatch.setitem(sys.modules, "resource", None)  # limits of this very process stay as they are
    monkeypatch.setattr(sys, "path", list(sys.path))
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=io.BytesIO(json.dumps([{"n": 1}, {"n": 2}]).encode())))
    monkeypatch.setattr("sys.stdout", SimpleNamespace(buffer=out))
    draw.main("folder")
    assert json.loads(out.getvalue()) == ["<svg>1[]</svg>", "<svg>2[]</svg>"]
    assert sys.path[-1] == "folder"


def test_it_imports_nothing_of_the_library():
    tree = ast.parse(Path(draw.__file__).read_text(encoding="utf-8"))
    names = [n.module or "" for n in ast.walk(tree) if isinstance(n, ast.ImportFrom)]
    names += [alias.name for n in ast.walk(tree) if isinstance(n, ast.Import) for alias in n.names]
    assert not [name for name in names if name.startswith("incrowd")]
