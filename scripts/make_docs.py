"""Write what is told from the settings (reference, man page, keywords in Python), and the tutorials as notebooks."""

from __future__ import annotations

import copy
import json
import re
from functools import partial
from pathlib import Path

import click

from incrowd.cli.commands.list import listed
from incrowd.cli.main import cli
from incrowd.cli.options import EVERY
from incrowd.policy.job import Job, Policy
from incrowd.policy.keys import ALIASES, MASK_SETTINGS
from incrowd.settings import Setting, settings_of
from incrowd.tables.roles import Reading

ROOT = Path(__file__).resolve().parents[1]
POLICY = settings_of(Policy)
READING = settings_of(Reading)
JOB = settings_of(Job)

# How the values of a shape are called in the reference, and their type in Python.
SHAPES = {
    "text": ("text", "str | None"),
    "name": ("text", "str"),
    "integer": ("whole number", "int | None"),
    "number": ("number", "float | None"),
    "fraction": ("number", "Number | None"),
    "flag": ("true or false", "bool | None"),
    "list": ("list of texts", "Sequence[str] | str"),
    "groups": ("list of lists of columns", "Sequence[Sequence[str]] | Sequence[str] | str"),
    "weights": ("table of numbers", "Mapping[str, Number]"),
    "levels": ("table of levels", "Mapping[str, int]"),
    "hierarchies": ("table of files or settings", "Mapping[str, Spec | Path | str | Mapping[str, Any]]"),
    "models": ("list of models", "Sequence[Any] | str"),
    "distances": ("table of distances", "Mapping[str, str]"),
    "path": ("path", "Path | str | None"),
}


def reference() -> str:
    """Return docs/reference.md, from the command line's own help and from the settings."""
    parts = [
        "# Reference",
        "Written by `make docs` from the command line and its settings; a test fails where it is out of date.",
        "## Command line",
    ]
    told: set[tuple[str, str] | None] = set()
    for name, command in sorted(cli.commands.items(), key=lambda item: (item[0] != "anonymize", item[0])):
        options = [param for param in command.params if isinstance(param, click.Option)]
        records = {option.opts[-1]: option.get_help_record(click.Context(command)) for option in options}
        also = sorted(word for word, record in records.items() if record in told)
        parts += [f"### incrowd {name}", f"```text\n{help_of(name, command, also)}\n```"]
        told |= set(records.values())
        if also:
            parts.append("Said above: " + ", ".join(grouped(also)))
        if name == "instance":
            parts += [
                "\n".join(instances()),
                "All take `--seed` (of the draw) and `--no` (an instance whose answer is no). "
                "Beside `--source` a construction takes only what does not choose a source problem.",
            ]
    parts += [
        "## Policy file",
        "A TOML file. Keys of the first table stand at the top, the others in the table named. Every key may also "
        "stand at the top, every key is a keyword of `incrowd.anonymize`, and an option of the command line replaces "
        "its key, or joins it where that is a table or a list; the key itself is accepted as an option too "
        "(`--quasi-identifiers`). Paths are relative to the file. What a key means is said above, at its option.",
        "\n".join(keys()),
        "A mask may also be composed: `[[mask.any]]` or `[[mask.all]]`, each a table of mask words.",
    ]
    return "\n\n".join(parts) + "\n"


def help_of(name: str, command: click.Command, but: list[str]) -> str:
    """Return the help of a command without some options, nor that for help itself."""
    shown = copy.copy(command)
    shown.params = [param for param in command.params if param.opts[-1] not in but]
    wide = {**cli.context_settings, "terminal_width": 118, "max_content_width": 118}
    with click.Context(shown, parent=click.Context(cli, info_name="incrowd", **wide), info_name=name) as context:
        context.meta[EVERY] = True
        said = shown.get_help(context).partition("\n\nCommands:")[0]
    said = re.sub(r"\n  -h, --help +Show this message and exit\.", "", said)
    said = re.sub(r"\n\n[A-Z][^\n]*:(?=\n\n|$)", "", said)  # a heading of which all options are said above
    return re.sub(r"^(Usage: [^\n]*)\n", r"\1", said).replace("\n\n  Example:", "\n  Example:").rstrip()


def flag(name: str, spec: Setting) -> str:
    """Return how a setting is typed on the command line."""
    return spec.off_option if spec.off_help else spec.flag_name(name)


def grouped(words: list[str]) -> list[str]:
    """Return options in few words: all of a policy, or of reading, as one."""
    found = []
    for title, settings in (("all that makes a policy", POLICY | MASK_SETTINGS), ("how the table is read", READING)):
        mine = [flag(name, spec) for name, spec in settings.items()]
        lacks = [f"`{word}`" for word in mine if word not in words]
        if len(lacks) <= 3:
            found.append(title + (f" (but {' '.join(lacks)})" if lacks else ""))
            words = [word for word in words if word not in mine]
    return found + [f"`{word}`" for word in words]


def instances() -> list[str]:
    """Return the lines of a table of the constructions of ``incrowd instance`` with their parameters."""
    lines = ["| name | what it is | from | `--source FILE` holds | parameters (default) |", "|---|---|---|---|---|"]
    for one in listed("instances"):
        options = []
        for said in one["parameters"]:
            if said["option"] not in ("--seed", "--no"):
                value = said["default"]
                default = f" ({value})" if value and not isinstance(value, bool) else ""
                options.append(f"`{said['option']}`{default} {said['meaning']}")
        author = one["paper"].split(",")[0].split(":")[0]
        cells = [one["summary"], f"{author}, {one['theorem']}", one["source"] or "none", "; ".join(options)]
        lines.append(f"| `{one['name']}` | {' | '.join(cells)} |")
    return lines


def keys() -> list[str]:
    """Return the lines of a table of the keys of a policy file."""
    lines = ["| where | value | keys, each with its option |", "|---|---|---|"]
    job = {"source": Setting(help="the table to release", shape="path", option="TABLE"), **JOB}
    tables = {"at the top": POLICY, "[mask]": MASK_SETTINGS, "[read]": READING, "[job]": job}
    for where, settings in tables.items():
        by_kind: dict[str, list[str]] = {}
        for name, spec in settings.items():
            kind = " or ".join(f'`"{choice}"`' for choice in spec.choices) or SHAPES[spec.shape][0]
            kind += f" ({spec.unit})" if spec.unit and not spec.choices else ""
            by_kind.setdefault(kind, []).append(f"`{name}` `{flag(name, spec)}`")
        lines += [f"| {where} | {kind} | {', '.join(found)} |" for kind, found in by_kind.items()]
    return lines


MAN_NAME = r"incrowd \- hide every record in a crowd, at the least possible loss"
STATUS = {
    "0": "done, also when time ran out, or when no such set of nodes exists",
    "1": "a release or a network fails what was asked",
    "2": "wrong use or bad input, or a solver that declines: one sentence on standard error",
    "3": "no release can meet the policy, or none was found within the limit",
    "70": "a fault of the program; nothing was written",
    "130, 143": "ended by Ctrl-C or SIGTERM",
}
ENVIRONMENT = {
    "INCROWD_DATA": "where `incrowd reproduce` finds data",
    "NUMBA_CACHE_DIR": "where compiled loops are kept, if neither beside the package nor in the user's cache",
    "INCROWD_DEBUG": "1 shows the traceback of a fault; it may quote the table",
}


def roff(text: str) -> str:
    """Return a text for a line of its own."""
    return text.replace("\\", "\\e").replace("-", "\\-").replace("`", "")


def man() -> str:
    """Return docs/incrowd.1, the man page, from the command line's own words."""
    described = [roff(line.strip()) for line in (cli.help or "").splitlines() if line.strip()]
    lines = [".TH INCROWD 1", ".SH NAME", MAN_NAME, ".SH SYNOPSIS", ".B incrowd", ".I COMMAND", "[OPTIONS]"]
    lines += [".SH DESCRIPTION", *described, ".SH COMMANDS"]
    for name, command in sorted(cli.commands.items()):
        with click.Context(command, info_name=f"incrowd {name}") as context:
            words = " ".join(command.collect_usage_pieces(context))
        lines += [".TP", f".B incrowd {name} {roff(words)}", roff(command.get_short_help_str(100))]
    lines += [".PP", r"Options: incrowd COMMAND \-\-help, all of them: \-\-help \-\-all"]
    for title, said in (("EXIT STATUS", STATUS), ("ENVIRONMENT", ENVIRONMENT)):
        lines.append(f".SH {title}")
        for word, meaning in said.items():
            lines += [".TP", f".B {word}", roff(meaning)]
    return "\n".join(lines) + "\n"


def keywords() -> str:
    """Return src/incrowd/policy/keywords.py with what now stands below the docstrings of its classes."""
    lines: dict[str, str] = {}
    for name, spec in [*POLICY.items(), *READING.items(), *JOB.items()]:
        lines[name] = typed(name, spec)
        if name == "sensitive_distance":  # the mask and its words stand where the policy has them
            lines["mask"] = "    mask: PatternMask | Mapping[str, Any]\n"
            lines |= {word: typed(word, said) for word, said in MASK_SETTINGS.items()}
    named = POLICY | MASK_SETTINGS
    lines |= {other: typed(other, named[name]) for other, name in ALIASES.items() if name in named}
    certificate = lines.pop("certificate")
    text = (ROOT / "src/incrowd/policy/keywords.py").read_text("utf-8")
    for start, entries in (("class CheckKeywords", "".join(lines.values())), ("class Keywords", certificate)):
        body = rf'(\n{start}[^\n]*\n    """[^\n]*"""\n\n).*?(?=\n\nclass |\Z)'
        text, found = re.subn(body, rf"\g<1>{entries}", text, flags=re.DOTALL)
        assert found == 1, f"{start} is not where it was"
    return text


def typed(name: str, spec: Setting) -> str:
    """Return the line of a keyword."""
    choices = ", ".join(f'"{choice}"' for choice in spec.choices)
    kind = f"Literal[{choices}]" if choices else SHAPES[spec.shape][1]
    return f"    {name}: {kind}{'  # noqa: E741' if name == 'l' else ''}\n"


def notebook(page: str) -> str:
    """Return a page as a notebook: what it says, and its commands and Python to be run one after another."""
    cells = []
    for place, part in enumerate(re.split(r"```(?:console|python)\n(.*?)```\n", page, flags=re.DOTALL)):
        source = re.sub(r"^\$ ", "!", part.strip(), flags=re.MULTILINE) if place % 2 else part.strip()
        kind = {"cell_type": "code", "execution_count": None, "outputs": []} if place % 2 else {"cell_type": "markdown"}
        cells.append({**kind, "id": str(place), "metadata": {}, "source": source.splitlines(keepends=True)})
    kernel = {"kernelspec": {"display_name": "Python 3", "name": "python3"}}
    return json.dumps({"cells": cells, "metadata": kernel, "nbformat": 4, "nbformat_minor": 5}, indent=1) + "\n"


WRITTEN = {"docs/reference.md": reference, "docs/incrowd.1": man, "src/incrowd/policy/keywords.py": keywords}
TUTORIALS = ROOT / "docs" / "tutorials"
WRITTEN |= {f"docs/tutorials/{page.stem}.ipynb": partial(notebook, page.read_text()) for page in TUTORIALS.glob("*.md")}

if __name__ == "__main__":
    for path, text in WRITTEN.items():
        (ROOT / path).write_text(text(), encoding="utf-8")
