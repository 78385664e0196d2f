"""``incrowd network``: the network questions on the command line, over `incrowd.networks`."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from incrowd.atomic_file import together, write_whole
from incrowd.cli.exit_status import show
from incrowd.cli.options import GroupedCommand, hushed, in_json
from incrowd.cli.progress import watching
from incrowd.errors import InputError
from incrowd.policy.job import Job
from incrowd.settings import name_and_options, settings_of

if TYPE_CHECKING:
    from incrowd.progress import Watch


SHOWN = "at_least exactly profile attackers risks simulate check method format time_limit certificate report as_json"
QUESTIONS = ("at_least", "exactly", "profile", "attackers", "risks", "simulate", "check")


@click.command(cls=GroupedCommand, shown=SHOWN)
@click.argument("graph")
@click.option("--at-least", type=int, metavar="K", help="the smallest attacker set of measure K or more")
@click.option("--exactly", type=int, metavar="K", help="the smallest attacker set of measure exactly K")
@click.option("--profile", is_flag=True, help="the smallest attacker set for every k at once")
@click.option(
    "--method",
    metavar="NAME:key=value",
    help="answer by this method of the paper, as it is written (`incrowd list methods`; algorithm-3 and algorithm-4 "
    "take starts=N), or choose the attackers of --risks by 'random' (takes groups=N) or 'greedy'",
)
@click.option("--attackers", type=int, metavar="L", help="the (k, L)-anonymity: the least k against up to L attackers")
@click.option("--risks", type=int, metavar="L", help="what L attackers re-identify, random or greedily chosen")
@click.option("--simulate", is_flag=True, help="plant accounts, publish, recover them, re-identify members")
@click.option("--trials", type=int, metavar="N", help="attacks that --simulate tries")
@click.option("--sybils", type=int, metavar="N", help="accounts that --simulate plants in each")
@click.option("--targets", type=int, metavar="N", help="members that --simulate marks in each")
@click.option("--noise", type=float, metavar="X", help="share of edges that --simulate moves before publication")
@click.option(
    "--check", metavar="FILE", help="recheck a certificate from the edges, with none of the code that made it"
)
@click.option("--component", type=click.Choice(["largest", "all"]), help="which component counts (default: all)")
@click.option("--format", metavar="NAME", help="file format (default: by the file's ending)")
@click.option("--delimiter", metavar="C", help="edge lists: the character between columns")
@click.option("--header/--no-header", default=None, help="edge lists: whether the first line names columns")
@click.option("--show-labels", is_flag=True, help="name the witness by the graph's own labels")
@click.option("--time-limit", type=float, metavar="S", help="stop after S seconds with the interval reached")
@click.option("--memory", metavar="4GB", help="limit on what the whole process holds")
@click.option("--seed", type=int, metavar="N", help="seed of orders and samples")
@click.option("--certificate", metavar="FILE", help="write what proves the answer, to be rechecked by --check")
@click.option("--report", metavar="FILE.html", help=settings_of(Job)["report"].help)
@in_json
@hushed
def network(graph: str, as_json: bool, quiet: bool, **options: Any) -> int:
    """Measure how well GRAPH hides its members from attackers who control some of its nodes.

    Without a question: the largest k that some attacker set reaches (ADIM), and a smallest such set.

    Example: incrowd network friends.csv --attackers 2
    """
    asked = [name for name in QUESTIONS if options[name] is not None and options[name] is not False]
    if len(asked) > 1:
        flags = " and ".join("--" + name.replace("_", "-") for name in asked)
        raise InputError(f"{flags} are questions of their own; ask one at a time")
    if options["method"] and asked and asked[0] not in ("at_least", "exactly", "risks"):
        raise InputError(f"--method does not go with --{asked[0].replace('_', '-')}: no method of the paper takes it")
    if options["certificate"] and asked and asked[0] in ("risks", "simulate", "check"):
        raise InputError(f"--certificate does not go with --{asked[0]}: there is no claim to prove")
    if options["report"]:
        from incrowd.report.document import check_report

        if options["check"]:
            raise InputError("--report does not go with --check: there is nothing new to tell")
        check_report(options["report"], graph, options["certificate"])
    if graph != "-" and not Path(graph).exists():  # before anything heavy is loaded
        raise InputError(f"there is no file '{Path(graph).name}'; give the path of a network file")
    from incrowd.jobs.networks import check_memory, memory_of
    from incrowd.progress import Watch

    reading, searching = Watch(), Watch()
    try:
        with memory_of(options["memory"], reading, searching):
            if options["check"]:
                return _check(graph, options, reading, as_json)
            source = _read(graph, options, reading)  # of a network half read, Ctrl-C leaves nothing to tell
            check_memory(source, reading)
            with watching(None, quiet, searching) as watch:
                return _ask(source, graph, asked[0] if asked else "", options, watch, as_json)
    except MemoryError:
        raise InputError("there is not enough memory for this network; free some, or ask about a smaller one") from None


def _read(graph: str, options: dict[str, Any], watch: Watch) -> Any:
    from incrowd import networks

    if options["time_limit"] and options["time_limit"] > 0:
        watch.limit(options["time_limit"])
    return networks.read(
        graph if graph != "-" else sys.stdin.buffer.read(),
        component=options["component"] or "all",
        watch=watch,
        **_given(options, "format", "delimiter", "header"),
    )


def _ask(source: Any, graph: str, question: str, options: dict[str, Any], watch: Any, as_json: bool) -> int:
    from incrowd import networks

    common = {**_given(options, "time_limit", "seed"), "watch": watch}
    shown = {"show_labels": options["show_labels"]}
    found: Any
    if question == "risks":
        own = _strategy(options["method"])
        found = networks.risks(source, attackers=options["risks"], **own, **shown, **common)
    elif question == "simulate":
        own = _given(options, "trials", "sybils", "targets", "noise")
        found = networks.simulate_attack(source, **own, **common)
    elif question == "attackers":
        found = networks.anonymity(source, attackers=options["attackers"], **shown, **common)
    elif question == "profile":
        found = networks.profile(source, **shown, **common)
    else:
        asked = _given(options, "at_least", "exactly", "method")
        found = networks.antidimension(source, **asked, **shown, **common)
    with together():
        if options["certificate"]:
            write_whole(Path(options["certificate"]), json.dumps(found.certificate(), indent=1) + "\n")
        if options["report"]:
            name = None if graph == "-" else Path(graph).name
            found.report(options["report"], source=name, certificate=options["certificate"])
    _answer(found, as_json, {"risks": "risks", "simulate": "simulation"}.get(question))
    return 0


def _strategy(method: str | None) -> dict[str, Any]:
    """Return how ``--risks`` chooses attackers, as ``--method`` says it."""
    if method is None:
        return {}
    name, own = name_and_options(method, "method")
    known = {"random": {"groups"}, "greedy": set[str]()}.get(name)
    if known is None or own.keys() - known:
        raise InputError("--method of --risks is 'random', with groups=N where that is not the default, or 'greedy'")
    return {"strategy": name} | {key: int(x) if x.isascii() and x.isdigit() else x for key, x in own.items()}


def _given(options: dict[str, Any], *names: str) -> dict[str, Any]:
    """Return the named options that were given."""
    return {name: options[name] for name in names if options[name] is not None}


def _answer(found: Any, as_json: bool, key: str | None = None) -> None:
    if as_json:
        facts = found.to_json()
        click.echo(json.dumps({key: facts} if key else facts, indent=2))
    else:
        show(found.summary().rstrip("\n"))


def _check(graph: str, options: dict[str, Any], watch: Watch, as_json: bool) -> int:
    """Recheck a certificate.

    The exit status is 0 where all claims hold (also where not all of them could be recomputed: ``proven`` is false
    then), 1 where the certificate does not support what it says (a claim is wrong or says nothing, or the claims do not
    answer the certificate's own question), and 2 where it cannot be read as one.
    """
    from incrowd import networks

    found = networks.check(_read(graph, options, watch), options["check"], **_given(options, "time_limit"))
    _answer(found, as_json)
    return 0 if found.ok else 1
