"""Write docs/reference.md from the command line's own help and from the settings."""

from __future__ import annotations

import re
import sys
from pathlib import Path

import click

from incrowd.cli.commands.list import listed
from incrowd.cli.main import cli
from incrowd.cli.options import EVERY
from incrowd.policy.job import Job, Policy
from incrowd.policy.keys import MASK_SETTINGS
from incrowd.settings import Setting, settings_of
from incrowd.tables.roles import Reading

PAGE = Path(__file__).resolve().parents[1] / "docs" / "reference.md"


def page() -> str:
    parts = [
        "# Reference",
        "Written by `make docs` from the command line and its settings; a test fails where it is out of date.",
        "## Command line",
    ]
    told: set[tuple[str, ...]] = set()
    for name, command in sorted(cli.commands.items(), key=lambda item: (item[0] != "anonymize", item[0])):
        wide = {**cli.context_settings, "terminal_width": 118, "max_content_width": 118}
        above = click.Context(cli, info_name="incrowd", **wide)
        with click.Context(command, parent=above, info_name=name) as context:
            context.meta[EVERY] = True
            also = sorted(_word(param) for param in command.params if _said(param) in told)
            told |= {_said(param) for param in command.params if isinstance(param, click.Option)}
            whole, command.params = command.params, [p for p in command.params if _word(p) not in also]
            help_text = command.get_help(context)
            command.params = whole
        help_text = re.sub(
            r"\n  -h, --help +Show this message and exit\.|\n\nCommands:.*", "", help_text, flags=re.DOTALL
        )
        help_text = re.sub(
            r"\n\n[A-Z][^\n]*:(?=\n\n|$)", "", help_text
        )  # a heading of which all options are said above
        help_text = re.sub(r"^(Usage: [^\n]*)\n", r"\1", help_text).replace("\n\n  Example:", "\n  Example:")
        parts += [f"### incrowd {name}", f"```text\n{help_text.rstrip()}\n```"]
        if also:
            parts.append("Said above: " + ", ".join(_grouped(also)))
        if name == "instance":
            parts.append(_instances())
    parts += [
        "## Policy file",
        "A TOML file. Keys of the first table stand at the top, the others in the table named. Every key may also "
        "stand at the top, every key is a keyword of `incrowd.anonymize`, and an option of the command line replaces "
        "its key, or joins it where that is a table or a list; the key itself is accepted as an option too "
        "(`--quasi-identifiers`). Paths are relative to the file. What a key means is said above, at its option.",
    ]
    groups = {
        "at the top": settings_of(Policy),
        "[mask]": MASK_SETTINGS,
        "[read]": settings_of(Reading),
        "[job]": {"source": Setting(help="the table to release", shape="path"), **settings_of(Job)},
    }
    lines = ["| where | value | keys, each with its option |", "|---|---|---|"]
    for where, settings in groups.items():
        by_kind: dict[str, list[str]] = {}
        for name, spec in settings.items():
            by_kind.setdefault(_kind(spec), []).append(f"`{name}` {_option(where, name, spec)}")
        lines += [f"| {where} | {kind} | {', '.join(keys)} |" for kind, keys in by_kind.items()]
    parts.append("\n".join(lines))
    parts.append("A mask may also be composed: `[[mask.any]]` or `[[mask.all]]`, each a table of mask words.")
    return "\n\n".join(parts) + "\n"


def _word(param: click.Parameter) -> str:
    """Return how an option is typed."""
    return param.opts[-1]


def _grouped(words: list[str]) -> list[str]:
    """Return options in few words: all of a policy, or of reading, as one."""
    groups = {
        "all that makes a policy": {**settings_of(Policy), **MASK_SETTINGS},
        "how the table is read": settings_of(Reading),
    }
    found, left = [], list(words)
    for name, settings in groups.items():
        mine = [spec.off_option if spec.off_help else spec.flag_name(key) for key, spec in settings.items()]
        there = [word for word in mine if word in left]
        if len(there) >= len(mine) - 3:
            lacks = [f"`{word}`" for word in mine if word not in there]
            found.append(name + (f" (but {' '.join(lacks)})" if lacks else ""))
            left = [word for word in left if word not in there]
    return found + [f"`{word}`" for word in left]


def _said(param: click.Parameter) -> tuple[str, ...]:
    """Return what tells an option from one that was told with another command: its words and its help."""
    return (*param.opts, *param.secondary_opts, getattr(param, "help", "") or "")


def _instances() -> str:
    """Return the constructions of ``incrowd instance`` with their parameters."""
    rows = []
    for one in listed("instances"):
        every = ("--seed", "--no")
        options = [
            f"`{p['option']}`{_default(p['default'])} {p['meaning']}"
            for p in one["parameters"]
            if p["option"] not in every
        ]
        author = one["paper"].split(",")[0].split(":")[0]
        source = one["source"] or "none"
        rows.append(
            f"| `{one['name']}` | {one['summary']} | {author}, {one['theorem']} | {source} | {'; '.join(options)} |"
        )
    head = ["| name | what it is | from | `--source FILE` holds | parameters (default) |", "|---|---|---|---|---|"]
    return (
        "\n".join([*head, *rows]) + "\n\nAll take `--seed` (of the draw) and `--no` (an instance whose answer is no). "
        "Beside `--source` a construction takes only what does not choose a source problem."
    )


def _default(value: object) -> str:
    return "" if value is None or isinstance(value, bool) or value == 0 else f" ({value})"


KINDS = {
    "path": "path", "integer": "whole number", "models": "list of models", "distances": "table of distances",
    "distance": "distance", "flag": "true or false", "list": "list of texts", "groups": "list of lists of columns",
    "weights": "table of numbers", "hierarchies": "table of files or settings", "levels": "table of levels",
    **dict.fromkeys(("text", "name"), "text"), **dict.fromkeys(("number", "fraction"), "number"),
}  # fmt: skip


def _kind(spec: Setting) -> str:
    unit = f" ({spec.unit})" if spec.unit else ""
    return " or ".join(f'`"{choice}"`' for choice in spec.choices) or KINDS[spec.shape] + unit


def _option(where: str, name: str, spec: Setting) -> str:
    if (where, name) == ("[job]", "source"):
        return "`TABLE`"
    if spec.off_help:
        return f"`{spec.off_option}`"
    return f"`{spec.flag_name(name)}`"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE.name} written\n")
