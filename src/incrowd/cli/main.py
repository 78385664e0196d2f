"""The command line: the group of all commands, and the run of one. It knows no model or solver by name.

Standard output holds the answer, standard error everything else; `incrowd.cli.exit_status` says what the exit status
means.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, NoReturn

import click

from incrowd.atomic_file import file_tally
from incrowd.cli.commands.anonymize import anonymize
from incrowd.cli.commands.attack import attack
from incrowd.cli.commands.audit import audit
from incrowd.cli.commands.checker import checker
from incrowd.cli.commands.demo import demo
from incrowd.cli.commands.hierarchy import hierarchy
from incrowd.cli.commands.init import init
from incrowd.cli.commands.instance import instance
from incrowd.cli.commands.ledger import ledger
from incrowd.cli.commands.list import list_parts
from incrowd.cli.commands.network import network
from incrowd.cli.commands.reproduce import reproduce
from incrowd.cli.commands.serve import serve
from incrowd.cli.commands.tradeoff import tradeoff
from incrowd.cli.commands.usefulness import usefulness
from incrowd.cli.commands.verify import verify
from incrowd.cli.exit_status import end_now, failed
from incrowd.cli.options import other_names
from incrowd.cli.signals.handlers import came, ended, signal_handlers
from incrowd.errors import InputError
from incrowd.memory import last
from incrowd.version import __version__

if TYPE_CHECKING:
    from collections.abc import Sequence


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit with its status; a mistake is one sentence, never a traceback.

    `arguments` are the words after the program's name, by default those of the process. SystemExit is always raised,
    with one of the statuses of `incrowd.cli.exit_status`.
    """
    last[:] = [end_now]
    with file_tally():
        _run(arguments)


def _run(arguments: Sequence[str] | None) -> NoReturn:
    status = 0
    words = list(sys.argv[1:] if arguments is None else arguments)
    if words[:1] == ["help"]:  # as other commands have it
        words = [*words[1:2], "--help"]
    elif words == ["version"]:
        words = ["--version"]
    with signal_handlers():
        try:
            status = int(cli.main(args=words, prog_name="incrowd", standalone_mode=False) or 0)
        except (KeyboardInterrupt, click.Abort):
            status = ended()
        except Exception as error:  # noqa: BLE001 - the text of an unforeseen error may hold a cell
            # A signal that came inside a library may come out as that library's own error.
            status = ended() if came() else failed(error)
    sys.exit(status)


SAME = other_names()


@click.group(
    invoke_without_command=True,
    context_settings={
        "help_option_names": ["-h", "--help"],
        "max_content_width": 100,
        "token_normalize_func": lambda token: SAME.get(token, token),
    },
)
@click.version_option(__version__, prog_name="incrowd", message="%(prog)s %(version)s")
@click.pass_context
def cli(context: click.Context) -> None:
    """Hide every record in a crowd, at the least possible loss, and know how far from the least you are.

    Start with `incrowd demo`, then `incrowd init TABLE`.
    """
    if context.invoked_subcommand is None:
        raise InputError("no command is given: begin with `incrowd demo`; `incrowd --help` names all commands")


COMMANDS = {
    anonymize: "release TABLE so that every row hides in a crowd",
    verify: "recount a release against its original",
    checker: "write a page that checks releases in a browser",
    audit: "say how risky TABLE is as it is",
    attack: "say what RELEASE gives away to those who know how",
    ledger: "remember whose data was released before",
    usefulness: "say what analyses of a release are worth",
    init: "write a policy for TABLE to start from",
    list_parts: "name models, solvers, costs, formats, methods",
    demo: "release a bundled table, and say what happened",
    network: "measure how well GRAPH hides its members",
    tradeoff: "say what TABLE loses for every k",
    reproduce: "run an experiment of a paper again",
    instance: "write a hard instance with a known answer",
    hierarchy: "write a hierarchy for a column of TABLE",
    serve: "open incrowd in a browser, on this machine alone",
}
for command, short in COMMANDS.items():
    command.short_help = short
    cli.add_command(command)
