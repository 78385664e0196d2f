"""`incrowd init`: a commented policy to start from. Roles are proposed, nothing is decided."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any

from incrowd.errors import count_of
from incrowd.policy.job import Job, Policy
from incrowd.policy.keys import MASK_SETTINGS
from incrowd.policy.toml import to_toml
from incrowd.settings import Setting, settings_of
from incrowd.tables.engine.open import open_engine
from incrowd.tables.read import label_of, open_source

__all__ = ["starting_policy"]

SENSITIVE = re.compile(
    r"diagnos|disease|illness|condition|salary|income|wage|religio|politic|sexual|drug|medication|treatment|"
    r"result|test|score|grade|offen[cs]e|debt|health",
    re.IGNORECASE,
)
IDENTIFYING = re.compile(
    r"(^|[_\W])(name|surname|firstname|lastname|e?mail|phone|ssn|id|number|iban|passport|address|street)($|[_\W])",
    re.IGNORECASE,
)
EXAMPLES = {
    "k": 5,
    "max_stars": 2,
    "suppression_limit": 0.05,
    "delimiter": ";",
    "na": ["?"],
}


def starting_policy(job: Job) -> str:
    """Return a policy file in which every key is explained and commented out, with proposed roles of the columns.

    Parameters
    ----------
    job : Job
        Its source, how it is read, engine and memory.

    Returns
    -------
    str
        TOML; names and counts of columns only, no cell.

    Raises
    ------
    InputError
        If the table cannot be read.

    Notes
    -----
    One aggregate over the table counts the distinct values of every column.
    """
    with open_engine(job.engine, job.memory, job.source) as engine:
        opened = open_source(engine, job.source, job.policy.reading)
        with engine.guard(f"reading {opened.label}"):
            ids = [f"c{i}" for i in range(len(opened.names))]
            texts = {i: engine.text(opened.data[i]) for i in ids}
            counts = {i: text.nunique() for i, text in texts.items()}
            counts.update({f"{i}_empty": text.isnull().sum() for i, text in texts.items()})
            found = engine.one(opened.data.aggregate(n=opened.data.count(), **counts))
    rows = int(found["n"])
    columns = [(name, int(found[i]), int(found[f"{i}_empty"] or 0)) for name, i in zip(opened.names, ids, strict=True)]
    proposals = {name: _proposal(name, distinct, rows - empty) for name, distinct, empty in columns}
    return "\n".join([*_head(job, rows, columns, proposals), *_roles(proposals), *_rest(job)]) + "\n"


def _proposal(name: str, distinct: int, filled: int) -> str:
    if IDENTIFYING.search(name) or (filled > 1 and distinct == filled):
        return "identifiers"
    if SENSITIVE.search(name):
        return "sensitive"
    if distinct <= 1:
        return "other"
    return "quasi_identifiers"


def _head(job: Job, rows: int, columns: list[tuple[str, int, int]], proposals: dict[str, str]) -> list[str]:
    width = max(len(name) for name, _, _ in columns)
    lines = [
        f"## A policy for {label_of(job.source)}: {count_of(rows, 'row')}, {count_of(len(columns), 'column')}.",
        "## Nothing is decided yet: take away the single # of a line and change it to what is right for your table.",
        "##",
        f"## {'column':{width}}  distinct   empty  perhaps",
    ]
    for name, distinct, empty in columns:
        words = {
            "identifiers": "an identifier",
            "sensitive": "sensitive",
            "quasi_identifiers": "a quasi-identifier",
        }
        said = words.get(proposals[name], "-")
        share = (
            ", nearly unique: group its values first" if distinct * 2 >= rows and said == "a quasi-identifier" else ""
        )
        lines.append(f"## {name:{width}}  {distinct:8}  {empty:6}  {said}{share}")
    return lines


def _roles(proposals: dict[str, str]) -> list[str]:
    lines: list[str] = []
    for name, spec in settings_of(Policy).items():
        if name == "weights":
            continue
        value: Any = EXAMPLES.get(name, _default(Policy, name))
        if name in ("quasi_identifiers", "sensitive", "identifiers"):
            value = [column for column, role in proposals.items() if role == name]
        lines += ["", *_explained(name, spec, value)]
    return lines


def _rest(job: Job) -> list[str]:
    lines = ["", "## Which cells may change together.", "# [mask]"]
    for name, spec in MASK_SETTINGS.items():
        lines += _explained(name, spec, _mask_example(name, spec))
    lines += ["", "## What a star costs in a column (default 1).", "# [weights]", "# column = 2"]
    reading = [line for line in to_toml(job.policy, job, Path()).split("\n\n") if line.startswith("[read]")]
    if reading:
        lines += [
            "",
            "## How the table is read, as given on the command line.",
            *reading[0].strip().splitlines(),
        ]
    return lines


def _mask_example(name: str, spec: Setting) -> Any:
    examples: dict[str, Any] = {
        "list": ["a"],
        "groups": [["a", "b"]],
        "levels": {"a": 1},
        "flag": True,
        "integer": EXAMPLES.get(name, 1),
    }
    return examples[spec.shape]


def _default(kind: type, name: str) -> Any:
    value = getattr(kind(), name)
    return list(value) if isinstance(value, tuple) else value


def _explained(name: str, spec: Setting, value: Any) -> list[str]:
    if isinstance(value, dict):
        written = "{ " + ", ".join(f"{json.dumps(key)} = {json.dumps(n)}" for key, n in value.items()) + " }"
    else:
        written = json.dumps(value, ensure_ascii=False)  # lists and texts are written alike in TOML
    return [f"## {spec.help}", f"# {name} = {written}"]
