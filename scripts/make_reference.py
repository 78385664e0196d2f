"""Write docs/reference.md from the command line's own help and from the settings."""

from __future__ import annotations

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
    """Return the reference page."""
    parts = [
        "# Reference",
        "Written by `make docs` from the command line and its settings; a test fails where it is out of date.",
        "## Command line",
    ]
    for name, command in sorted(cli.commands.items()):
        above = click.Context(cli, info_name="incrowd", terminal_width=100, **cli.context_settings)
        with click.Context(command, parent=above, info_name=name) as context:
            context.meta[EVERY] = True
            parts += [f"### incrowd {name}", f"```text\n{command.get_help(context)}\n```"]
        if name == "instance":
            parts.append(_instances())
    parts += [
        "## Policy file",
        "A TOML file. Keys of the first table stand at the top, the others in the table named. Every key may also "
        "stand at the top, every key is a keyword of `incrowd.anonymize`, and an option of the command line replaces "
        "its key, or joins it where that is a table or a list; the key itself is accepted as an option too "
        "(`--quasi-identifiers`). Paths are relative to the file.",
    ]
    groups = {
        "at the top": settings_of(Policy),
        "[mask]": MASK_SETTINGS,
        "[read]": settings_of(Reading),
        "[job]": {"source": Setting(help="the table to release", shape="path"), **settings_of(Job)},
    }
    for where, settings in groups.items():
        parts.append(f"### {where}")
        rows = [
            f"| `{name}` | {_kind(spec)} | {_option(where, name, spec)} | {spec.help} |"
            for name, spec in settings.items()
        ]
        parts.append("\n".join(["| key | value | option | meaning |", "|---|---|---|---|", *rows]))
    parts.append("A mask may also be composed: `[[mask.any]]` or `[[mask.all]]`, each a table of mask words.")
    return "\n\n".join(parts) + "\n"


def _instances() -> str:
    """Return the constructions of ``incrowd instance`` with their parameters."""
    rows = []
    for one in listed("instances"):
        options = [f"`{p['option']}`{_default(p['default'])}: {p['meaning']}" for p in one["parameters"]]
        source = one["source"] or "none"
        rows.append(f"| `{one['name']}` | {one['paper']}, {one['theorem']} | {source} | {'; '.join(options)} |")
    table = "\n".join(["| name | from | `--source FILE` holds | parameters (default) |", "|---|---|---|---|", *rows])
    return f"{table}\n\nBeside `--source` a construction takes only what does not choose a source problem."


def _default(value: object) -> str:
    return "" if value is None or isinstance(value, bool) or value == 0 else f" ({value})"


def _kind(spec: Setting) -> str:
    kinds = {
        "text": "text",
        "name": "text",
        "path": "path",
        "integer": "whole number",
        "number": "number",
        "fraction": "number",
        "models": "list of models",
        "distances": "table of distances",
        "distance": "distance",
        "flag": "true or false",
        "list": "list of texts",
        "groups": "list of lists of columns",
        "weights": "table of numbers",
        "hierarchies": "table of files or settings",
        "levels": "table of levels",
    }
    unit = f" ({spec.unit})" if spec.unit else ""
    return " or ".join(f'`"{choice}"`' for choice in spec.choices) or kinds[spec.shape] + unit


def _option(where: str, name: str, spec: Setting) -> str:
    if (where, name) == ("[job]", "source"):
        return "`TABLE`"
    if spec.off_help:
        return f"`{spec.off_option}`"
    return f"`{spec.flag_name(name)}`"


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE.name} written\n")
