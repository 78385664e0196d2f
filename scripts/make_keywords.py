"""Write src/incrowd/policy/keywords.py, the keywords of the Python interface with their types, from the settings."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from incrowd.policy.job import Job, Policy
from incrowd.policy.keys import ALIASES, MASK_SETTINGS
from incrowd.settings import Setting, settings_of
from incrowd.tables.roles import Reading

if TYPE_CHECKING:
    from collections.abc import Iterator

FILE = Path(__file__).resolve().parents[1] / "src" / "incrowd" / "policy" / "keywords.py"

TYPES = {
    "text": "str | None",
    "name": "str",
    "integer": "int | None",
    "number": "float | None",
    "fraction": "Number | None",
    "flag": "bool | None",
    "list": "Sequence[str] | str",
    "groups": "Sequence[Sequence[str]] | Sequence[str] | str",
    "weights": "Mapping[str, Number]",
    "levels": "Mapping[str, int]",
    "hierarchies": "Mapping[str, Spec | Path | str | Mapping[str, Any]]",
    "models": "Sequence[Any] | str",
    "distances": "Mapping[str, str]",
    "path": "Path | str | None",
}

HEAD = '''"""Every keyword of `incrowd.anonymize` and its kin with its type, for editors and type checkers.

Written by `make docs` from the settings; a test fails where it is out of date.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Literal, TypedDict

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from fractions import Fraction
    from pathlib import Path

    from incrowd.tables.hierarchy import Spec
    from incrowd.tables.mask import PatternMask

    Number = Fraction | float | str

__all__ = ["CheckKeywords", "Keywords"]


class CheckKeywords(TypedDict, total=False):
    """The settings of a job, none of them needed: what a policy or a default says holds where one is left out."""
'''

TAIL = '''
class Keywords(CheckKeywords, total=False):
    """The same, with the certificate that a job writes; a check reads one instead."""
'''


def entries() -> Iterator[tuple[str, str]]:
    """Yield every keyword with its type."""
    for name, spec in settings_of(Policy).items():
        yield name, _type(spec)
        if name == "sensitive_distance":  # the mask and its words stand where the policy has them
            yield "mask", "PatternMask | Mapping[str, Any]"
            yield from ((word, _type(said)) for word, said in MASK_SETTINGS.items())
    for kind in (Reading, Job):
        yield from ((name, _type(spec)) for name, spec in settings_of(kind).items())
    every = {**settings_of(Policy), **MASK_SETTINGS}
    for other, name in ALIASES.items():
        if name in every:
            yield other, _type(every[name])


def _type(spec: Setting) -> str:
    if spec.shape == "choice":
        return f"Literal[{', '.join(repr(choice) for choice in spec.choices)}]".replace("'", '"')
    return TYPES[spec.shape]


def module() -> str:
    parts = [HEAD, "\n"]
    for name, kind in sorted(entries(), key=lambda entry: entry[0] == "certificate"):
        parts += ["\n", TAIL, "\n"] if name == "certificate" else []
        parts.append(f"    {name}: {kind}{'  # noqa: E741' if name == 'l' else ''}\n")
    return "".join(parts)


if __name__ == "__main__":
    text = module()
    if "--check" in sys.argv:
        sys.exit(FILE.read_text("utf-8") != text)
    FILE.write_text(text, "utf-8")
