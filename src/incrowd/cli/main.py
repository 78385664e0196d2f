"""The command line: builds a Job and knows no model or solver by name.

Options, their help and their order come from the settings of `incrowd.policy.job`. Standard output holds the answer,
standard error everything else. Exit status: 0 done, 1 the release fails what was asked, 2 wrong use or bad
input, 3 no release, 70 our own bug, 129, 130 or 143 ended by SIGHUP, Ctrl-C or SIGTERM.
"""

from __future__ import annotations

import contextlib
import os
import signal
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any, NoReturn

import click

from incrowd.atomic_file import disk_is_full, placed, telling
from incrowd.cli.hierarchy import hierarchy
from incrowd.cli.instance import instance, listed
from incrowd.cli.network import network
from incrowd.cli.reproduce import reproduce
from incrowd.cli.tradeoff import SEARCH, tradeoff
from incrowd.errors import IncrowdError, InputError
from incrowd.policy.job import Job, Policy
from incrowd.policy.keys import ALIASES, MASK_SETTINGS
from incrowd.settings import Setting, from_option, settings_of
from incrowd.tables.roles import Reading
from incrowd.version import __version__

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

__all__ = ["cli", "main"]

INTERRUPTED = 130
OUR_BUG = 70
# what of a policy an audit asks for, as far as there is such a setting
AUDITED = (
    "quasi_identifiers",
    "sensitive",
    "identifiers",
    "other",
    "k",
    "l",
    "t",
    "require",
    "sensitive_distance",
    "outliers",
    "suppressed",
    "star",
)


def main(arguments: Sequence[str] | None = None) -> NoReturn:
    """Run the command line and exit with its status; a mistake is one sentence, never a traceback."""
    with telling():
        _run(arguments)


def _run(arguments: Sequence[str] | None) -> NoReturn:
    _came.clear()
    status = 0
    before = {number: signal.signal(number, handler) for number, handler in _handlers().items()}
    try:
        status = int(cli.main(args=arguments, prog_name="incrowd", standalone_mode=False) or 0)
    except (KeyboardInterrupt, click.Abort):
        status = _ended()
    except Exception as error:  # noqa: BLE001 - the text of an unforeseen error may hold a cell
        # A signal that came inside a library may come out as that library's own error.
        status = _ended() if _came else _failed(error)
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
    sys.exit(status)


def _failed(error: Exception) -> int:
    """Say what went wrong, in one sentence, and return the exit status."""
    if isinstance(error, IncrowdError):
        return _say(str(error), error.exit_status)
    if isinstance(error, click.UsageError):
        where = error.ctx.command_path if error.ctx else "incrowd"
        return _say(f"{error.format_message()} (see `{where} --help`)", 2)
    if isinstance(error, click.ClickException):
        return _say(error.format_message(), 2)
    if isinstance(error, BrokenPipeError):
        _no_more_output()
        return 1
    if isinstance(error, MemoryError):
        return _say(f"not enough memory for this; give it more, or ask for less of it at once; {placed()}", 2)
    if isinstance(error, OSError):
        return _of_the_system(error)
    return _our_bug(error)


def _say(sentence: str, status: int) -> int:
    with contextlib.suppress(OSError):  # there may be nowhere to say it
        click.echo(f"incrowd: {sentence}", err=True)
    return status


def _no_more_output() -> None:
    """Let what is still to go to standard output go nowhere, so that the end of the program does not stumble on it."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())


def _of_the_system(error: OSError) -> int:
    """Say what the system refused, where it is none of our bugs: an answer that nobody takes, or a full disk."""
    why = "the disk is full" if disk_is_full(error) else str(error.strerror)
    module = ""
    trace = error.__traceback__
    while trace:
        module = trace.tb_frame.f_globals.get("__name__", "")
        trace = trace.tb_next
    if module.startswith("click."):  # which writes answers
        _no_more_output()
        return _say(f"standard output cannot be written: {why}; {placed()}", 2)
    if disk_is_full(error):
        return _say(f"{why}; free some space, also for temporary files; {placed()}", 2)
    return _our_bug(error)


def _our_bug(error: Exception) -> int:
    """Say where it happened; the error's own text stays unsaid, for it may quote the table."""
    if os.environ.get("INCROWD_DEBUG"):
        raise error
    trace = error.__traceback__
    while trace and trace.tb_next:
        trace = trace.tb_next
    where = f" in {Path(trace.tb_frame.f_code.co_filename).name}, line {trace.tb_lineno}" if trace else ""
    return _say(
        f"this is our bug: {type(error).__name__}{where}; {placed()}. Please report it; "
        "INCROWD_DEBUG=1 shows more (it may quote your table)",
        OUR_BUG,
    )


# The signals that ended the run, the first first: what a library makes of one is not asked.
_came: list[int] = []


def _handlers() -> dict[int, Callable[..., object]]:
    """Return who hears which signal: each leaves by an exception, so that staged files and folders are removed."""
    heard: dict[int, Callable[..., object]] = {signal.SIGINT: _interrupt, signal.SIGTERM: _terminate}
    hang_up = getattr(signal, "SIGHUP", None)  # not on every system; ignored under nohup
    if hang_up is not None and signal.getsignal(hang_up) is not signal.SIG_IGN:
        heard[hang_up] = _terminate
    return heard


def _interrupt(*_: object) -> NoReturn:
    _came.append(signal.SIGINT)
    raise KeyboardInterrupt


def _terminate(number: int, _: object = None) -> NoReturn:
    _came.append(number)
    raise SystemExit(128 + number)


def _ended() -> int:
    """Return the exit status of a run that a signal ended, by the signal that came."""
    number = _came[0] if _came else signal.SIGINT
    if number == signal.SIGINT:
        return _say(f"interrupted; {placed()}", INTERRUPTED)
    return 128 + number


def option_of(name: str, spec: Setting) -> click.Option:
    """Return the option that a setting becomes."""
    flag, help_text = spec.flag_name(name), spec.help
    several = spec.shape in ("groups", "weights", "levels", "hierarchies", "models", "distances") or spec.repeat
    if spec.shape == "flag" and spec.off_help:
        return click.Option(
            [spec.off_option, name],
            is_flag=True,
            flag_value=False,
            type=bool,
            default=None,
            help=spec.off_help,
        )
    if spec.shape == "flag":
        both = f"{flag}/{spec.off_option}" if spec.off_option else flag
        return click.Option([both, name], is_flag=True, default=None, help=help_text)
    if spec.choices:
        return click.Option([flag, name], type=click.Choice(spec.choices), help=help_text)
    if spec.listed_in:
        help_text += f" (`incrowd list {spec.listed_in}`)"
    metavar = spec.metavar or ("FILE" if spec.shape == "path" else None)
    short = ["-o"] if flag == "--output" else []
    return click.Option([*short, flag, name], multiple=several, metavar=metavar, help=help_text)


def with_settings(*groups: dict[str, Setting]) -> Callable[[click.Command], click.Command]:
    """Add the options of some groups of settings to a command."""

    def add(command: click.Command) -> click.Command:
        for group in groups:
            command.params.extend(option_of(name, spec) for name, spec in group.items())
        return command

    return add


def picked(kind: type, names: Sequence[str]) -> dict[str, Setting]:
    """Return some settings of a dataclass by name."""
    specs = settings_of(kind)
    return {name: specs[name] for name in names if name in specs}


def given(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that were given."""
    specs = {**settings_of(Policy), **MASK_SETTINGS, **settings_of(Reading), **settings_of(Job)}
    return {
        name: from_option(specs[name], value) if name in specs else value
        for name, value in options.items()
        if value is not None and value != ()
    }


def job_of(policy: str | None, options: dict[str, Any]) -> Job:
    """Return the job of a policy file with the options in place of its keys."""
    job = Job.load(Path(policy)) if policy else Job()
    return job.replace(**given(options))


def other_names() -> dict[str, str]:
    """Return by a setting's other names the option it has: the key of the policy file, with hyphens or underscores."""
    specs = {**settings_of(Policy), **MASK_SETTINGS, **settings_of(Reading), **settings_of(Job)}
    flags = {name: spec.flag_name(name)[2:] for name, spec in specs.items() if not spec.off_help}
    keys = {name: name for name in flags} | {key: name for key, name in ALIASES.items() if name in flags}
    spelled = [(way, flags[name]) for key, name in keys.items() for way in (key, key.replace("_", "-"))]
    return {way: flag for way, flag in spelled if way != flag}


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


@with_settings(settings_of(Policy), MASK_SETTINGS, settings_of(Reading), settings_of(Job))
@cli.command()
@click.argument("table", required=False)
@click.option("--json", "as_json", is_flag=True, help="answer in JSON")
@click.option("--details", is_flag=True, help="tell how the search went too, in the solver's own words")
@click.option("--quiet", is_flag=True, help="nothing but errors on standard error, and no summary")
@click.option("--policy", metavar="FILE", help="policy file (TOML); an option replaces its key")
def anonymize(table: str | None, policy: str | None, as_json: bool, details: bool, quiet: bool, **options: Any) -> int:
    """Release TABLE under a policy: every row looks like at least k-1 others.

    Example: incrowd anonymize patients.csv -o release.csv --qi age,sex,postcode --k 5
    """
    from incrowd.jobs.flow import anonymize as run

    job = job_of(policy, {**options, "source": table})
    if job.source is None:
        raise InputError("no table is given: say which, for example `incrowd anonymize patients.csv -o release.csv`")
    if job.output is None and not job.dry_run:
        raise InputError("no output is given: say with -o where the release goes, or --dry-run to only try")
    if job.output == "-" and as_json:
        raise InputError("-o - and --json both want standard output; write the release to a file")
    with watching(job, quiet) as watch, run(job, watch) as release:
        if as_json:
            click.echo(release.to_json())
        elif not quiet:
            click.echo(release.summary(details=details), nl=False, err=job.output == "-")
            if job.output not in (None, "-") and not job.dry_run:
                told = f", its report in '{Path(str(job.report)).name}'" if job.report else ""
                click.echo(f"\nThe release is in '{Path(str(job.output)).name}'{told}.")
        return INTERRUPTED if watch.interrupted else 0


def plain(value: Any) -> int | float | None:
    """Return a fraction as people and JSON write it."""
    return None if value is None else int(value) if value.denominator == 1 else float(value)


@with_settings(settings_of(Policy), MASK_SETTINGS, settings_of(Reading))
@cli.command()
@click.argument("original")
@click.argument("released")
@click.option("--json", "as_json", is_flag=True, help="answer in JSON")
@click.option("--quiet", is_flag=True, help="nothing but errors on standard error")
@click.option("--certificate", metavar="FILE", help="recount the cost and the lower bound of this certificate too")
@click.option("--policy", metavar="FILE", help="policy file (TOML); an option replaces its key")
def verify(
    original: str, released: str, policy: str | None, as_json: bool, quiet: bool, certificate: str | None,
    **options: Any,
) -> int:  # fmt: skip
    """Recount RELEASED against ORIGINAL, with none of the code that made it.

    Example: incrowd verify patients.csv release.csv --qi age,sex,postcode --k 5
    """
    import json

    from incrowd.jobs.flow import verify as run
    from incrowd.report.text.verify import Claim, verify_summary
    from incrowd.tables.read import label_of

    job = job_of(policy, options)
    checked = run(original, released, job, certificate)
    found = checked.violations
    if as_json:
        broken = [{"rule": v.rule, "count": v.count, "example_group_size": v.example_group_size} for v in found]
        facts: dict[str, Any] = {"ok": not found, "violations": broken}
        if certificate is not None:
            facts |= {"cost": plain(checked.cost), "lower_bound": plain(checked.lower_bound), "proven": checked.proven}
            facts |= {"question": checked.question, "k": checked.k}
        click.echo(json.dumps(facts, indent=2))
    else:
        judged = {model.rule: model.judged for model in job.policy.requirements}
        claim = None
        if certificate is not None:
            proven, question, k = bool(checked.proven), str(checked.question), int(checked.k or 1)
            claim = Claim(checked.cost, checked.lower_bound, proven, question, k)
        click.echo(verify_summary(found, label_of(original), label_of(released), judged, claim), nl=False)
    return 1 if found else 0


@with_settings(picked(Policy, AUDITED), settings_of(Reading), picked(Job, ("memory", "report")))
@cli.command()
@click.argument("table", required=False)
@click.option("--json", "as_json", is_flag=True, help="answer in JSON")
@click.option("--quiet", is_flag=True, help="nothing but errors on standard error")
@click.option("--policy", metavar="FILE", help="policy file (TOML); an option replaces its key")
def audit(table: str | None, policy: str | None, as_json: bool, quiet: bool, **options: Any) -> int:
    """Say how risky TABLE is as it is: its classes, the risks, and which columns give people away.

    Without --qi every column that is no identifier and not sensitive counts as known to an attacker. The exit
    status is 1 where --k is not met.

    Example: incrowd audit patients.csv --qi age,sex,postcode --k 5
    """
    from incrowd.jobs.audit import audit as run

    job = job_of(policy, {**options, "source": table})
    if job.source is None:
        raise InputError("no table is given: say which, for example `incrowd audit patients.csv`")
    with watching(job, quiet) as watch:
        found = run(job, watch)
    click.echo(found.to_json() if as_json else found.summary(), nl=as_json)
    return 0 if found.ok else 1


@with_settings(settings_of(Reading))
@cli.command()
@click.argument("table")
@click.option("--quiet", is_flag=True, help="nothing but errors on standard error")
def init(table: str, quiet: bool, **options: Any) -> None:
    """Write a commented policy for TABLE to standard output: roles proposed, nothing decided.

    Example: incrowd init patients.csv > policy.toml
    """
    from incrowd.policy.template import starting_policy

    click.echo(starting_policy(Job().replace(source=table, **given(options))), nl=False)


@cli.command("list")
@click.argument("kind", type=click.Choice(["models", "solvers", "costs", "measures", "instances"]))
@click.option("--json", "as_json", is_flag=True, help="answer in JSON")
@click.option("--quiet", is_flag=True, help="nothing but errors on standard error")
def list_parts(kind: str, as_json: bool, quiet: bool) -> None:
    """Name what can be asked for: models, solvers, costs, measures or hard instances.

    Example: incrowd list solvers
    """
    import json

    parts = listed(kind)
    if as_json:
        click.echo(json.dumps(parts, indent=2))
        return
    width = max(len(part["name"]) for part in parts)
    for part in parts:
        click.echo(f"{part['name']:{width}}  {part['summary']}")


@cli.command()
@click.option("-o", "--output", "folder", default="incrowd-demo", metavar="FOLDER", help="where the files go")
@click.option("--details", is_flag=True, help="tell how the search went too, in the solver's own words")
@click.option("--quiet", is_flag=True, help="nothing but errors on standard error, and no summary")
def demo(folder: str, details: bool, quiet: bool) -> None:
    """Release a bundled table of an invented hospital, and say what happened.

    Example: incrowd demo
    """
    from incrowd.jobs.demo import demo as run

    with watching(Job(), quiet) as watch:
        told = run(Path(folder), watch, details=details)
    if not quiet:
        click.echo(told, nl=False)


@contextlib.contextmanager
def watching(job: Job | None, quiet: bool) -> Iterator[Any]:
    """Show progress on a terminal, and let Ctrl-C end the search.

    With ``--keep-best``, and where there is no job (a network's answer is an interval then), the first Ctrl-C ends the
    search with what it has; otherwise it ends everything.
    """
    from incrowd.progress import Event, Watch

    def show(event: Event) -> None:
        facts = "  ".join(f"{name.replace('_', ' ')} {value}" for name, value in event.facts.items())
        click.echo(f"{event.seconds:8.2f} s  {event.stage:9} {facts}", err=True)

    watch = Watch(on_event=show if sys.stderr.isatty() and not quiet else None)

    def interrupt(*_: object) -> None:
        if (job is not None and not job.keep_best) or watch.interrupted:
            _interrupt()
        watch.interrupt()

    before = signal.signal(signal.SIGINT, interrupt)
    try:
        yield watch
    finally:
        signal.signal(signal.SIGINT, before)


cli.add_command(network)
cli.add_command(
    with_settings(
        {name: spec for name, spec in settings_of(Policy).items() if name != "k"},
        MASK_SETTINGS,
        settings_of(Reading),
        picked(Job, SEARCH),
    )(tradeoff)
)
cli.add_command(reproduce)
cli.add_command(instance)
cli.add_command(with_settings(settings_of(Reading))(hierarchy))


if __name__ == "__main__":
    main()
