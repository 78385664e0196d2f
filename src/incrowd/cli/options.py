"""Options from settings, and a job from options. Options, their help and their order come from the settings' fields."""

from __future__ import annotations

import contextlib
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click
from click.shell_completion import CompletionItem

from incrowd.atomic_file import write_whole
from incrowd.cli.exit_status import show
from incrowd.errors import InputError
from incrowd.policy.job import Job, Policy, every_setting
from incrowd.policy.keys import ALIASES, MASK_SETTINGS, SECTIONS, section_of
from incrowd.policy.python_calls import beside
from incrowd.settings import SEVERAL, Setting, from_option, settings_of
from incrowd.tables.roles import Reading
from incrowd.tables.source_files import are_paths, files_of, refuse_missing

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence


JSON, QUIET = "answer in JSON", "nothing but errors on standard error"
QUIET_TOO = f"{QUIET}, and no summary"
EVERY = "incrowd.every_option"  # of a context's own words: the help shows all options


class GroupedCommand(click.Command):
    """A command whose help shows its options under headings: the settings' own, then those of the command.

    With `shown`, names of parameters, ``--help`` shows these alone, what a newcomer types first; ``--help --all`` all.
    """

    def __init__(self, *given: Any, shown: str = "", **more: Any) -> None:
        super().__init__(*given, **more)
        self.shown = frozenset(shown.split())

    def parse_args(self, context: click.Context, args: list[str]) -> list[str]:
        """Take ``--all`` as a word of the help, in whatever order both stand."""
        if "--all" in args and set(args) & set(context.help_option_names):
            context.meta[EVERY] = True
            args = [word for word in args if word != "--all"]
        return super().parse_args(context, args)

    def format_options(self, context: click.Context, formatter: click.HelpFormatter) -> None:
        """Write the options into the help."""
        some = self.shown and not context.meta.get(EVERY)
        found: dict[str, list[tuple[str, str]]] = {title: [] for title in (*SECTIONS, "The answer")}
        places = {name: place for names in SECTIONS.values() for place, name in enumerate(names)}
        for parameter in sorted(self.get_params(context), key=lambda one: places.get(one.name or "", 0)):
            record = parameter.get_help_record(context)
            first = not some or parameter.name in self.shown or "--help" in parameter.opts
            if record is not None and isinstance(parameter, click.Option) and first:
                found[section_of(parameter.name or "") or "The answer"].append(record)
        for title, records in found.items():
            if records:
                with formatter.section(title):
                    formatter.write_dl(records)
        if some:
            formatter.write_paragraph()
            formatter.write(f"All options: {context.command_path} --help --all\n")


def option_of(name: str, spec: Setting) -> click.Option:
    """Return the command-line option that a setting becomes, with its flag, shape, choices and help.

    `name` is the setting's own name, under which the command receives the value. The option has no default, so that one
    not given is None (an empty tuple where it may be repeated).
    """
    flag, help_text = spec.flag_name(name), spec.help
    several = spec.shape in SEVERAL or spec.repeat
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
    complete = column_names if name in NAMED else None
    return click.Option(
        [*short, flag, name], multiple=several, metavar=metavar, help=help_text, shell_complete=complete
    )


def reading(command: click.Command) -> click.Command:
    """Add the options of how a table is read to a command."""
    command.params.extend(option_of(name, spec) for name, spec in settings_of(Reading).items())
    return command


READING = tuple(settings_of(Reading))
POLICY = (*settings_of(Policy), *MASK_SETTINGS, *READING)  # what a policy file may say, but for a job's own


in_json = click.option("--json", "as_json", is_flag=True, help=JSON)
hushed = click.option("--quiet", is_flag=True, help=QUIET)


def seconds(what: str) -> Callable[[Callable[..., Any]], Callable[..., Any]]:
    """Return a decorator for ``--time-limit``, which limits `what`."""
    return click.option("--time-limit", metavar="S", type=click.FloatRange(min=0), help=what)


def asking(*names: str, shown: str = "", hush: str = QUIET) -> Callable[[Callable[..., Any]], click.Command]:
    """Return a decorator that makes a command of a function: its own options, those of the answer, those of settings.

    `names` are those of settings, `shown` is as of `GroupedCommand`, and `hush` says what ``--quiet`` does.
    """
    specs = every_setting()
    policy = "policy file (TOML); an option replaces its key or joins its table"

    def made(function: Callable[..., Any]) -> click.Command:
        command = click.command(cls=GroupedCommand, shown=shown)(function)
        command.params += [
            click.Option(["--json", "as_json"], is_flag=True, help=JSON),
            click.Option(["--quiet"], is_flag=True, help=hush),
            click.Option(["--policy"], metavar="FILE", help=policy),
            *(option_of(name, specs[name]) for name in names),
        ]
        return command

    return made


def answer(found: Any, as_json: bool) -> None:
    """Write a result to standard output: its facts as JSON, or what they say."""
    if as_json:
        click.echo(found.to_json())
    else:
        show(found.summary(), nl=False)


def output_place(output: str | None, *others: Any) -> Path | None:
    """Return where a file goes that must replace none of `others`; None: to standard output. InputError: nowhere."""
    if output is None or output == "-":
        return None
    from incrowd.tables.write import check_output

    check_output(output, *others, any_ending=True)
    return Path(output)


def put(text: str, place: Path | None) -> None:
    """Write a text to its file, whole or not at all, or to standard output."""
    if place is None:
        click.echo(text, nl=False)
    else:
        write_whole(place, text)


def given(options: dict[str, Any]) -> dict[str, Any]:
    """Return the options that were given, as the settings of a job take them.

    `options` holds them by name, as click gives them: text, tuples of texts or bool. None and the empty tuple mean not
    given. A name that is no setting's keeps its value. Texts of groups are cut into names; every other value is as it
    was, and read where the job is made.
    """
    specs = every_setting()
    return {
        name: from_option(specs[name], value) if name in specs else value
        for name, value in options.items()
        if value is not None and value != ()
    }


def job_of(policy: str | None, options: dict[str, Any]) -> Job:
    """Return the job of a policy file with the options beside its keys.

    `policy` is the file's path; None: only the options count, which are as for `given`. InputError or PolicyError is
    raised if the file cannot be read, file or options hold a value that cannot be used, or the job's table is not
    there.
    """
    job = Job.load(Path(policy)) if policy else Job()
    job = beside(job, given(options))
    refuse_missing(*(job.source if are_paths(job.source) else [job.source]))  # before anything heavy is loaded
    return job


def job_on(tables: Sequence[str], policy: str | None, options: dict[str, Any], example: str) -> Job:
    """Return the job of a command that has a table, as `job_of`; InputError too where neither names one."""
    job = job_of(policy, {**options, "source": one_source(tables)})
    if job.source is None:
        raise InputError(f"no table is given: say which, for example `incrowd {example}`")
    return job


def one_source(tables: Sequence[str]) -> str | list[str] | None:
    """Return the source that the tables of a command line are: none, one, or several files of one table.

    A word after the first that has no ending and is no path is a column's name after a blank: InputError.
    """
    for word in tables[1:]:
        if not (Path(word).suffix or Path(word).exists() or set(word) & set("/*:")):
            raise InputError(
                f"there is no file {Path(word).name!r}; if it is a column, columns are named with commas and no blank: "
                "--qi age,sex"
            )
    return list(tables) if len(tables) > 1 else tables[0] if tables else None


def other_names() -> dict[str, str]:
    """Return the other spellings of the options: the key of the policy file, with hyphens or underscores.

    Each spelling leads to the option's own, both without the leading hyphens.
    """
    specs = every_setting()
    flags = {name: spec.flag_name(name)[2:] for name, spec in specs.items() if not spec.off_help}
    keys = {name: name for name in flags} | {key: name for key, name in ALIASES.items() if name in flags}
    spelled = [(way, flags[name]) for key, name in keys.items() for way in (key, key.replace("_", "-"))]
    return {way: flag for way, flag in spelled if way != flag}


# Completion of column names in a shell: from the header of the table that stands in the command already.

# settings that name columns, and what follows each name
NAMED = {
    **dict.fromkeys(("quasi_identifiers", "sensitive", "identifiers", "numeric", "keep"), ""),
    **dict.fromkeys(("together", "at_most_one", "never_together"), ""),
    **dict.fromkeys(("weights", "max_level", "hierarchies", "sensitive_distance"), "="),
}


def column_names(context: click.Context, parameter: click.Parameter, incomplete: str) -> list[CompletionItem]:
    """Return what a shell offers for an option that names columns.

    `context` holds the words of the command so far. Of `incomplete`, which is what stands there, names before its last
    comma stay. The list is empty where no table is named yet, it cannot be read, or its first line looks like a
    person's data.
    """
    after = NAMED.get(parameter.name or "", "")
    done, comma, begun = ("", "", incomplete) if after else incomplete.rpartition(",")
    used = set(done.split(","))
    with contextlib.suppress(Exception):  # a shell that waits for a word is told nothing
        left = [word for word in context.args if not word.startswith("-")]  # of a command that ends in an option
        names = _names({"table": left, **{name: value for name, value in context.params.items() if value}})
        found = [name for name in names if name.startswith(begun) and name not in used and "," not in name]
        return [CompletionItem(f"{done}{comma}{name}{after}") for name in found]
    return []


def _names(given: dict[str, Any]) -> tuple[str, ...]:
    """Return the column names of the table that a command names, or of its policy's."""
    source = given.get("table") or given.get("original")
    source = source[0] if are_paths(source) else source
    job = job_of(given.get("policy"), {"source": source, **{name: given.get(name) for name in READING}})
    if not job.source:
        return ()
    path = (files_of(job.source) or [Path(job.source)])[0]
    if path.suffix in (".parquet", ".pq"):
        import pyarrow.parquet as pq

        return tuple(pq.read_schema(path).names)
    if Path(path.name.removesuffix(".gz")).suffix not in (".csv", ".tsv", ".txt", ".data"):
        return ()
    from incrowd.tables.formats.csv import look

    seen = look(path, job.policy.reading, path.name)
    return seen.names if seen.quotable else ()
