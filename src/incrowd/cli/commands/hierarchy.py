"""``incrowd hierarchy``: a hierarchy made from a column's values, to look at and edit."""

from __future__ import annotations

from typing import Any

import click

from incrowd.cli.options import READING, given, hushed, output_place, put, reading
from incrowd.errors import InputError, PolicyError, did_you_mean
from incrowd.policy.job import Job
from incrowd.settings import split
from incrowd.tables.hierarchy import as_spec
from incrowd.tables.hierarchy.values import csv_of


@reading
@click.command()
@click.argument("column")
@click.argument("table")
@click.option("--intervals", metavar="5,10,20", help="numbers: intervals of these widths, one level each")
@click.option("--start", metavar="X", help="where intervals begin (default: 0)")
@click.option("--top", metavar="X", help="from where on all numbers share one label, for example 90 for 90+")
@click.option("--dates", is_flag=True, help="dates: month, quarter, year, decade")
@click.option("--units", metavar="month,year", help="dates: these units instead, growing")
@click.option("--prefix", is_flag=True, help="codes: one character less at every level")
@click.option("--lengths", metavar="4,3,2", help="codes: keep so many characters instead, level by level")
@click.option("-o", "--output", metavar="FILE", help="where the hierarchy goes (default: standard output)")
@hushed
def hierarchy(column: str, table: str, output: str | None, quiet: bool, **options: Any) -> None:
    """Write a hierarchy for COLUMN of TABLE, in ARX's CSV: a line for each value, from the value to the star.

    Say one of --intervals, --dates and --prefix. The file holds the column's distinct values: keep it with the table.

    Example: incrowd hierarchy age patients.csv --intervals 5,10,20 -o age.csv
    """
    spec = _spec(options)
    job = Job().replace(source=table, **given({name: options[name] for name in READING}))
    place = output_place(output, table)
    put(csv_of(_made(job, column, spec).lines), place)


def _spec(options: dict[str, Any]) -> Any:
    asked = [name for name in ("intervals", "dates", "prefix") if options[name]]
    if len(asked) != 1:
        raise InputError("say exactly one of --intervals 5,10,20, --dates and --prefix")
    kind = asked[0]
    for name, of in (("start", "intervals"), ("top", "intervals"), ("units", "dates"), ("lengths", "prefix")):
        if of != kind and options[name] is not None:
            raise InputError(f"--{name} does not go with --{kind}")
    if kind == "intervals":
        ends = {name: options[name] for name in ("start", "top") if options[name] is not None}
        return as_spec({"intervals": split(options["intervals"]), **ends}, "--intervals")
    detail = options["units" if kind == "dates" else "lengths"]
    return as_spec({kind: True if detail is None else split(detail)}, f"--{kind}")


def _made(job: Any, column: str, spec: Any) -> Any:
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.read import open_source
    from incrowd.tables.read.hierarchies import fit_hierarchies

    with Engine() as engine:
        opened = open_source(engine, job.source, job.policy.reading)
        if column not in opened.names:
            known = f"{did_you_mean(column, opened.names)}; it has {', '.join(opened.names)}" if opened.quotable else ""
            raise PolicyError(f"{opened.label} has no column {column!r}{known}")
        return fit_hierarchies(engine, opened, [(column, spec)])[column].hierarchy
