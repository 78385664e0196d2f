"""The text of a proposed policy: live keys for what is proposed, the other keys explained and commented out."""

from __future__ import annotations

import json
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import count_of
from incrowd.policy.document import plain_value, to_toml
from incrowd.policy.job import Job, Policy
from incrowd.policy.keys import MASK_SETTINGS
from incrowd.settings import Setting, settings_of
from incrowd.tables.hierarchy import option_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence


EXAMPLES = {"k": 5, "l": 2, "max_stars": 2, "suppression_limit": 0.05}
WORDS = {
    "identifiers": "identifier",
    "sensitive": "sensitive",
    "quasi_identifiers": "quasi-identifier",
    "other": "kept as it is",
}
APART = ("weights", "hierarchies")  # tables of their own, at the end
LIVE = ("quasi_identifiers", "sensitive", "identifiers", "k")
WIDTH = 60  # characters of a column's name in the head


@dataclass(frozen=True, slots=True)
class Proposed:
    """What is said of one column.

    `distinct`, `empty`, `missing`: different values; rows without one; rows with a word for a missing one. `role`:
    ``quasi_identifiers``, ``sensitive``, ``identifiers`` or ``other``. `why`: the reason for it.
    """

    name: str
    distinct: int
    empty: int
    missing: int
    role: str
    why: str


def policy_text(job: Job, label: str, columns: Sequence[Proposed], lost: tuple[float, int] | None) -> str:
    """Return a policy file for a proposed policy: TOML that `incrowd anonymize --policy` takes as it is.

    The policy of `job` is the proposed one, and `label` is the table's name in messages. `lost` is the share, 0 to 1,
    that a quick search lost of so many rows.
    """
    lines = [*_head(label, columns, lost, job), *_keys(job.policy), *_mask(), *_weights(), *_hierarchies(job.policy)]
    reading = [part for part in to_toml(job.policy, job, Path()).split("\n\n") if part.startswith("[read]")]
    if reading:
        lines += ["", "## How the table is read.", *reading[0].strip().splitlines()]
    return "\n".join(lines) + "\n"


def _head(label: str, columns: Sequence[Proposed], lost: tuple[float, int] | None, job: Job) -> Iterator[str]:
    names = [_quoted(column.name) for column in columns]
    width = min(max(map(len, names)), WIDTH)
    yield f"## A policy proposed for {label}: {count_of(len(columns), 'column')}."
    yield "## It can be used as it is, but you decide: read the reasons, and change what is wrong. Ask of every column"
    yield "## whether others may know it of a person (quasi-identifier), and whether nobody may learn it (sensitive)."
    if lost is not None:
        share, rows, k = _percent(lost[0]), count_of(lost[1], "row"), job.policy.k
        yield f"## To expect: at k = {k} a quick search lost {share} of the quasi-identifiers' cells, on {rows};"
        yield "## a coarser label is lost in part. anonymize searches longer, and a larger table loses less."
    if not job.policy.quasi_identifiers:
        yield "## No column looks like one that others know: name the quasi-identifiers before you use this policy."
    yield "##"
    yield f"## {'column':{width}}  distinct   empty  proposed"
    for name, column in zip(names, columns, strict=True):
        missing = f"; {count_of(column.missing, 'row')} with a word for a missing value" if column.missing else ""
        yield (
            f"## {name:{width}}  {column.distinct:8}  {column.empty:6}  {WORDS[column.role]} ({column.why}{missing})"
        )


def _percent(share: float) -> str:
    return f"{share:.0%}" if share >= 0.1 or share == 0 else f"{share:.1%}"


def _keys(policy: Policy) -> Iterator[str]:
    """Yield the keys outside every table: those that are proposed live, the others as comments."""
    usual = Policy()
    for name, spec in settings_of(Policy).items():
        if name in APART:
            continue
        value = getattr(policy, name)
        live = name in LIVE or value != getattr(usual, name)
        shown = plain_value(value) if live else EXAMPLES.get(name, plain_value(getattr(usual, name)))
        yield ""
        yield from _explained(name, spec, shown, live=live)


def _mask() -> Iterator[str]:
    yield from ("", "## Which cells may change together.", "# [mask]")
    examples: dict[str, Any] = {"list": ["a"], "groups": [["a", "b"]], "levels": {"a": 1}, "flag": True}
    for name, spec in MASK_SETTINGS.items():
        yield from _explained(name, spec, examples.get(spec.shape, EXAMPLES.get(name, 1)), live=False)


def _weights() -> Iterator[str]:
    yield from ("", "## What a star costs in a column (default 1).", "# [weights]", "# column = 2")


def _hierarchies(policy: Policy) -> Iterator[str]:
    spec = settings_of(Policy)["hierarchies"]
    yield from ("", f"## {spec.help}. A file to edit: incrowd hierarchy COLUMN TABLE.")
    if not policy.hierarchies:
        yield from ("# [hierarchies]", '# column = "column.csv"')
        return
    yield "[hierarchies]"
    for column, made in policy.hierarchies:
        yield f"{_quoted(column, always=True)} = {_quoted(option_text(made), always=True)}"  # type: ignore[arg-type]


def _quoted(text: str, *, always: bool = False) -> str:
    """Return a text as TOML quotes it, or as it is where it can stand in a comment."""
    if text.isprintable() and not always:
        return text
    return json.dumps(text, ensure_ascii=not text.isprintable())


def _explained(name: str, spec: Setting, value: Any, *, live: bool) -> Iterator[str]:
    if isinstance(value, dict):
        written = "{ " + ", ".join(f"{json.dumps(key)} = {json.dumps(n)}" for key, n in value.items()) + " }"
    elif isinstance(value, list) and all(isinstance(one, str) for one in value):
        written = "[" + ", ".join(_quoted(one, always=True) for one in value) + "]"
    else:
        written = json.dumps(value, ensure_ascii=False)
    yield f"## {spec.help}"
    yield f"{'' if live else '# '}{name} = {written}"
