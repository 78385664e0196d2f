"""JSON from outside that every reader reads alike."""

from __future__ import annotations

import json
from typing import Any


def read_json(text: str) -> Any:
    """Return what a JSON text holds.

    The text is the whole document. Whoever reads it from a file bounds its size first. ValueError is raised if it is no
    JSON: NaN and infinity are not; and a name twice in an object is read by some as its first value. RecursionError is
    raised if it is nested too deep.
    """
    return json.loads(text, object_pairs_hook=_each_once, parse_constant=_no_number)


def _each_once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        raise ValueError("a name stands twice")  # [F1]
    return found


def _no_number(name: str) -> None:
    raise ValueError(f"{name} is no number of JSON")
