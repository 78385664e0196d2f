"""What a message calls a setting: keywords where Python called, options where the command line did.

Messages are written for the command line (``say it with --k 5``); a call from Python gets ``say it with k=5``.
"""

from __future__ import annotations

import functools
import re
import textwrap

from incrowd.policy.job import every_setting
from incrowd.policy.keys import ALIASES

__all__ = ["in_python", "lines_in_python"]

OWN = (
    "policy", "certificate", "proved", "target", "ks", "ls", "ts", "costs", "facts",
    "original", "others", "knows", "attackers", "component", "exactly", "at_least", "starts", "method", "hierarchies",
    "people", "person",
)  # fmt: skip
FLAGS = {"same_order": True, "same_people": True}
WORDS = {"domain": "domains"}
TEXTS = {"component": None, "hierarchies": "auto"}  # whose values are texts: every one, or this one
FUNCTIONS = "anonymize|attack|audit|estimate|kernel|tradeoff|usefulness|verify"
COMMAND = re.compile(r"(`incrowd [^`]*`)")
BARE = re.compile(rf"^`incrowd\s+({FUNCTIONS})`$")
OPTION = re.compile(r"(?<![\w-])--(?P<flag>[a-z][a-z-]*)(?:(?P<gap>=|\s+)(?P<value>[^\s;()?-][^\s;()?]*))?")
WIDTH = 100
BY_COLUMN = ("hierarchies", "weights", "levels", "distances")
NUMBER = re.compile(r"^\d+(?:[./]\d+)?$")
SPEC = re.compile(r"^(?P<column>[^=\s]+)=(?P<spec>\S+)$")


def in_python(text: str) -> str:
    """Return a message with keywords in place of options.

    Commands in backticks stay as they are, but for those that are a function's name and nothing more. The lines of
    `text` may be broken.
    """
    parts = COMMAND.split(text)
    said = "".join(
        BARE.sub(r"`incrowd.\1`", part) if i % 2 else OPTION.sub(_keyword, part) for i, part in enumerate(parts)
    )
    said = re.sub(r"\},?(\s+)hierarchies=\{", r",\1", said)  # each stood alone
    said = re.sub(r"\}(\s+)complete_hierarchies=", r"},\1complete_hierarchies=", said)
    return re.sub(r"\b(\w+) \(\1\)", r"\1", said)  # both names stood there


def lines_in_python(text: str) -> str:
    """Return a summary with keywords in place of options, its lines of at most 100 characters again.

    Lines that begin with a dash go on two characters further in.
    """
    return "".join(_filled(line) for line in in_python(text).splitlines(keepends=True))


def _filled(line: str) -> str:
    bare = line.rstrip("\n")
    if len(bare) <= WIDTH:
        return line
    begun = re.match(r" *(?:- )?", bare)
    margin = " " * (begun.end() if begun else 0)
    return textwrap.fill(bare, WIDTH, subsequent_indent=margin, break_on_hyphens=False, break_long_words=False) + "\n"


@functools.cache
def _names() -> dict[str, tuple[str, str]]:
    """Return by flag the keyword and, for a flag that says no, its value."""
    found = {name.replace("_", "-"): (name, "") for name in OWN} | {flag: (name, "") for flag, name in WORDS.items()}
    found |= {name.replace("_", "-"): (name, str(value)) for name, value in FLAGS.items()}
    for name, spec in every_setting().items():
        found[spec.flag_name(name)[2:]] = (name, "True" if spec.shape == "flag" else "")
        if spec.off_option:
            found[spec.off_option[2:]] = (name, "False")
    return found | {key.replace("_", "-"): found.get(name, (name, "")) for key, name in ALIASES.items()}


def _keyword(found: re.Match[str]) -> str:
    flag, given = found["flag"], found["value"] or ""
    value = given.rstrip(".,:'")
    after = given[len(value) :]
    known = _names().get(flag)
    if known is None:
        return found[0]
    name, fixed = known
    rest = f"{found['gap'] or ''}{given}"
    if fixed:
        return f"{name}={fixed}{rest}"
    spec = every_setting().get(name)
    if NUMBER.match(value):
        return f"{name}={value}{after}" if "/" not in value else f"{name}='{value}'{after}"
    if (spec is not None and value in spec.choices) or (value and name in TEXTS and TEXTS[name] in (None, value)):
        return f"{name}={value!r}{after}"
    pair = SPEC.match(value)
    if pair and (name in WORDS.values() or (spec is not None and spec.shape in BY_COLUMN)):
        return f"{name}={{{pair['column']!r}: {pair['spec']!r}}}{after}"
    return f"{name}{rest}"
