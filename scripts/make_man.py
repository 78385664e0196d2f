"""Write docs/incrowd.1, the man page, from the command line's own words."""

from __future__ import annotations

import sys
from pathlib import Path

import click

from incrowd.cli.main import cli

PAGE = Path(__file__).resolve().parents[1] / "docs" / "incrowd.1"
HEAD = r"incrowd \- hide every record in a crowd, at the least possible loss"
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


def page() -> str:
    lines = [".TH INCROWD 1", ".SH NAME", HEAD, ".SH SYNOPSIS", ".B incrowd", ".I COMMAND", "[OPTIONS]"]
    lines += [".SH DESCRIPTION", *(roff(line.strip()) for line in (cli.help or "").splitlines() if line.strip())]
    lines.append(".SH COMMANDS")
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


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
    sys.stdout.write(f"{PAGE.name} written\n")
