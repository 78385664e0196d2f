"""A verified release, as Python hands it out."""

from __future__ import annotations

import contextlib
import dataclasses
import functools
import hashlib
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.atomic_file import together, whole_file, write_whole
from incrowd.errors import InputError, OurBug, PolicyError, SolverDeclined, count_of
from incrowd.policy.document import save_asked
from incrowd.report.words import at_most, plain
from incrowd.results.release_document import Plots, document
from incrowd.results.release_facts import coded_columns, number, report_facts
from incrowd.results.usefulness import Usefulness
from incrowd.tables.read import label_of
from incrowd.tables.source_files import refuse_changed
from incrowd.tables.usefulness.figures import figures_of, refuse_questions
from incrowd.tables.user_units import claims_in_units, in_units
from incrowd.tables.verify.release.faithful import bears_verdict
from incrowd.tables.write import (
    as_frame,
    check_folder,
    check_output,
    same_rows,
    send,
    staged_folder,
    staged_stream,
    write_file,
)
from incrowd.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping
    from fractions import Fraction

    from incrowd.policy.job import Job
    from incrowd.report.document import Document
    from incrowd.results.price_lines import PriceLines
    from incrowd.results.release_facts import ReleaseFacts, ReportFacts
    from incrowd.tables.table import Expanded
    from incrowd.tables.values import Problem, Solution
    from incrowd.tables.verdict import Verdict
    from incrowd.tables.verify.rules import Rules
    from incrowd.tables.write import StagedFolder


# What a release computes when it is asked for, and a pickle holds computed.
KEPT = ("exact_cost", "exact_lower_bound", "_certificate")
# How a table that lives in an engine becomes an Arrow table: of DuckDB, Ibis and Spark.
TAKEN_OUT = {"duckdb": "to_arrow_table", "ibis": "to_pyarrow", "spark": "toArrow"}


class Release(contextlib.AbstractContextManager["Release"]):
    """A release that passed the independent check; the job makes it.

    Parameters
    ----------
    job : Job
        What was asked.
    expanded, problem, solution, verdict, known, rules, lines
        The rows in their engine; what was asked of the solver, found, recounted; the facts; what judged them; the
        certificate, where row types stay in the engine.

    Notes
    -----
    The rows live in a private engine until `close` is called or the release is forgotten; a release is a context
    manager. It can be pickled: the copy holds the released rows, the facts, the certificate and what a report shows,
    and nothing of the original; files are written where the release is made.
    """

    def __init__(
        self, job: Job, expanded: Expanded, problem: Problem, solution: Solution, verdict: Verdict,
        known: ReleaseFacts, rules: Rules, lines: PriceLines | None = None,
    ) -> None:  # fmt: skip
        self.job = job
        self.known = known
        self._expanded: Expanded | None = expanded
        self._problem = problem
        self._solution = solution
        self._verdict = verdict
        self._rules = rules
        self._lines: PriceLines | None = lines

    @property
    def facts(self) -> dict[str, Any]:
        """Everything about the release, as in ``--json``; names and counts, never a cell."""
        return self.known.facts

    def __exit__(self, *_: object) -> None:
        self.close()

    def __repr__(self) -> str:
        known = self.known
        gap = "unknown" if known.gap is None else at_most(known.gap)
        return (
            f"<Release of {count_of(known.rows, 'row')}: k={known.k}, {count_of(known.classes['count'], 'class')}, "
            f"cost {plain(known.cost)}, gap {gap}>"
        )

    def close(self) -> None:
        """Drop the rows and remove everything temporary; the facts stay."""
        if self._expanded is not None:
            self._expanded.table.engine.close()

    def __getstate__(self) -> dict[str, Any]:
        """Return what a pickle of the release holds.

        It holds the job without its source and hierarchies (a hierarchy lists values that no released row may show),
        the facts, the released rows (as an Arrow table where the kind that came in lives in an engine), cost and bound,
        the certificate, and what a report shows. It holds no plan, no row types, no path but those that the job was
        given. InputError is raised if the release was closed before its rows were asked for.
        """
        rows = self._expanded
        if rows is None:
            return self.__dict__
        table = self.table
        if (taken := TAKEN_OUT.get(rows.table.kind)) is not None and hasattr(table, taken):
            table = getattr(table, taken)()
        policy = dataclasses.replace(self.job.policy, hierarchies=())
        job = dataclasses.replace(self.job, policy=policy, source=None)
        state = {"job": job, "known": self.known, "table": table, **{name: getattr(self, name) for name in KEPT}}
        with contextlib.suppress(PolicyError):  # a policy that no file could say has no report
            state["_report_facts"] = self._report_facts
        return {**state, "_expanded": None, "_lines": None}

    @property
    def _rows(self) -> Expanded:
        if self._expanded is None:
            raise no_engine()
        return self._expanded

    @functools.cached_property
    def table(self) -> Any:
        """The released rows as the kind of table that came in (an Arrow table where a file came in)."""
        return as_frame(self._rows, keep_order=self.job.keep_order)

    @property
    def cost(self) -> int | float:
        """Cost in the user's units (the suppressed cells times their weights)."""
        return number(self.exact_cost)

    @functools.cached_property
    def exact_cost(self) -> Fraction:
        """Cost in the user's units, exactly."""
        return in_units(self._problem, self._solution.plan.cost(self._problem))

    @property
    def lower_bound(self) -> int | float:
        """No release under the same policy costs less."""
        return number(self.exact_lower_bound)

    @functools.cached_property
    def exact_lower_bound(self) -> Fraction:
        """The lower bound in the user's units, exactly."""
        return in_units(self._problem, self._solution.bound.value)

    @property
    def gap(self) -> float | None:
        """(cost - lower bound) / lower bound; None where the bound is 0 below a positive cost."""
        return self.known.gap

    @property
    def optimal(self) -> bool:
        """Whether no release under the same policy costs less."""
        return self.known.optimal

    @property
    def proof(self) -> str:
        """What the lower bound rests on: ``certificate``, ``solver`` or ``none``."""
        return self.known.proof

    @property
    def status(self) -> str:
        """How the search ended."""
        return self.known.status

    @property
    def solver(self) -> str:
        """Name of the solver that made the release."""
        return self.known.solver

    @property
    def classes(self) -> dict[str, Any]:
        """Classes of the release: count, min, mean and max size in rows."""
        return dict(self.known.classes)

    @property
    def measures(self) -> dict[str, Any]:
        """Measures by their name, see ``incrowd list measures``."""
        return dict(self.known.measures)

    def write(self) -> None:
        """Write the release to its job's output, with certificate and report: all of them staged, the release last.

        None takes its place before all are written, read back and on the disk. What goes to standard output does so
        after the others took theirs.

        Raises
        ------
        InputError
            If a file cannot be written; it names the files that are in place.
        SolverDeclined
            If a certificate is asked for and the bound came without one.
        OurBug
            If the written file does not hold the verified rows.
        """
        job, stream, folder = self.job, None, None
        in_folders = self._in_folders
        with contextlib.ExitStack() as undo:
            # the release takes its place last, and is there first: the report names the hash of the file it is about
            with together(), contextlib.ExitStack() as last:
                if job.output is not None and job.output != "-" and not in_folders:
                    staged = last.enter_context(self._checked_file(job.output, None))
                    with staged.open("rb") as file:
                        found = hashlib.file_digest(file, "sha256").hexdigest()
                    self.known = dataclasses.replace(self.known, released_sha256=found)
                if job.certificate is not None or job.report is not None:
                    self.known = dataclasses.replace(self.known, released_sum=self.released_sum)
                if job.output is not None and job.certificate is not None:
                    self.certificate(job.certificate)
                if job.report is not None:
                    self.report(job.report)
                if job.save_policy is not None:
                    save_asked(job, job.save_policy)
                if job.output is not None and in_folders:
                    folder = undo.enter_context(self._checked_folder(job.output, None))
                elif job.output == "-":
                    stream = staged_stream(self._rows, **self._manner)
            if folder is not None:
                folder.place()
        if stream is not None:
            send(stream)

    def save(self, path: str | Path) -> None:
        """Write the release, whole or not at all; the ending says how (CSV, Parquet, JSON lines, Arrow; ``.gz``).

        Parameters
        ----------
        path : str or Path
            A file that stands there is replaced, but not the job's source. With engine spark it is a folder (or its
            address) of Parquet or CSV, and nothing may be there.

        Raises
        ------
        InputError
            If it cannot be written, or its ending is not known.
        OurBug
            If the written file does not hold the verified rows.
        """
        self._write(path, None)

    def to_csv(self, path: str | Path) -> None:
        """Write the release as CSV, whole or not at all.

        Parameters
        ----------
        path : str or Path
            With any ending; a file that stands there is replaced, but not the job's source.

        Raises
        ------
        InputError, OurBug
            As of `save`.
        """
        self._write(path, "csv")

    def to_parquet(self, path: str | Path) -> None:
        """Write the release as Parquet, whole or not at all.

        Parameters
        ----------
        path : str or Path
            With any ending; a file that stands there is replaced, but not the job's source.

        Raises
        ------
        InputError, OurBug
            As of `save`.
        """
        self._write(path, "parquet")

    def certificate(self, path: str | Path | None = None) -> dict[str, Any]:
        """Return (and write to `path`) what proves the lower bound; `incrowd.verify` recounts it from the tables.

        It holds whole numbers, the mask's levels and indices of row types: no value of the table, but it is of use
        to those who hold the original only.

        Parameters
        ----------
        path : str or Path, optional
            Where to write it as JSON; by default it is only returned. With the ending ``.gz`` it is written packed, a
            price a line, and its first line alone is returned.

        Raises
        ------
        SolverDeclined
            If the bound came without a certificate.
        InputError
            If it cannot be written.
        """
        if path is not None and Path(path).suffix == ".gz":
            return self._packed(Path(path))
        if (held := self._certificate) is None:
            packed = "; it is packed: write it to a file that ends in .gz" if self._lines else ""
            raise SolverDeclined(self.solver, f"its lower bound comes without a certificate in JSON{packed}")
        if path is not None:
            write_whole(Path(path), json.dumps(dict(held)) + "\n")
        return dict(held)

    def _packed(self, path: Path) -> dict[str, Any]:
        from incrowd.results.price_lines import lines_of, pack

        if self._expanded is None:
            raise no_engine()
        if self._lines is None and self._solution.certificate is None:
            raise SolverDeclined(self.solver, "its lower bound comes without a certificate")
        lines = self._lines or lines_of(self._problem, self._solution)
        lines = dataclasses.replace(lines, head={**lines.head, "released_sum": self.released_sum})
        with whole_file(path) as staged:
            pack(staged, lines)
        return dict(lines.head)

    @functools.cached_property
    def released_sum(self) -> str:
        """The sum modulo 2^128 of the MD5 of every released row, as 32 digits: which release a file belongs to."""
        rows = self._rows
        with rows.table.engine.guard("adding up the release"):
            return rows.table.engine.row_sum(rows.rows, [rows.rows[column.id] for column in rows.table.columns])

    @functools.cached_property
    def _certificate(self) -> Mapping[str, Any] | None:
        held = claims_in_units(self._problem, self._solution.certificate)
        return None if held is None else {**held, "released_sum": self.released_sum}

    @property
    def _told(self) -> ReleaseFacts:
        return dataclasses.replace(self.known, quiet=self.job.quiet_facts)

    def to_json(self) -> str:
        """Return the facts as JSON."""
        return self._told.to_json()

    def document(self) -> Document:
        """Return what a terminal, a notebook and a page show of it."""
        return document(self._told)

    def summary(self, *, details: bool = False) -> str:
        """Return the verdict, what was asked, what was lost and what is left to worry about, in words.

        Parameters
        ----------
        details : bool
            Add how the search went, in the solver's own words.
        """
        return document(self._told, details=details).text()

    def report(self, path: str | Path) -> None:
        """Write the report: one HTML file, without script or request, for people who decide and for auditors.

        It names columns, counts and settings; values only where at least k rows of the release show them.

        Parameters
        ----------
        path : str or Path
            Of the HTML file.

        Raises
        ------
        InputError
            If it cannot be written.
        """
        document(self.known, self._report_facts).write(path)

    def usefulness(self, target: str | None = None, queries: int = 1000) -> Usefulness:
        """Return what analysts would find in the release, held against the original, as `incrowd.usefulness` does.

        Parameters
        ----------
        target : str, optional
            A column that a model is to learn from the release (needs scikit-learn).
        queries : int
            Random counts that are asked, 1 to 1,000,000.

        Raises
        ------
        InputError, PolicyError
            If the target or the number of counts cannot be asked.
        """
        refuse_questions(target, queries)
        rows, seed = self._rows, self.known.seed or 0
        if target is not None and target not in [column.name for column in rows.table.columns]:
            raise InputError(f"column {target!r}, named as the target, is not in the release")
        tables = coded_columns(rows, self.known, target)
        source = "the original" if self.job.source is None else label_of(self.job.source).strip("'")
        found = figures_of(tables, seed=seed, queries=queries, target=target)
        return Usefulness(original=source, release="the release", **found, version=__version__)

    @property
    def plot(self) -> Plots:
        """Charts for notebooks, each saved as SVG by its `save`: see `incrowd.results.release_document.Plots`."""
        return Plots(self.known, lambda: self._report_facts)

    def _repr_html_(self) -> str:
        return document(self.known).card()

    @functools.cached_property
    def _report_facts(self) -> ReportFacts:
        """What a report shows beside the facts, computed when it is first asked for."""
        return report_facts(self.job, self._rows, self._problem, self.known)

    def _write(self, path: Path | str, kind: Any) -> None:
        """Write the release; `path` may be an address, and `kind` is the kind of file (None: what its ending says)."""
        if self._in_folders:
            with self._checked_folder(path, kind) as folder:
                folder.place()
            return
        with self._checked_file(path, kind):
            pass

    @contextlib.contextmanager
    def _checked_file(self, path: Path | str, kind: Any) -> Iterator[Path]:
        """Give the staged file of a release, read back and compared; it takes its place when the block ends well."""
        rows, path = self._rows, Path(path)
        check_output(path, self.job.source, any_ending=kind is not None)
        with whole_file(path) as staged:
            write_file(rows, staged, kind=kind, **self._manner)
            if not same_rows(rows, staged, kind=kind, spreadsheet_safe=self.job.spreadsheet_safe):
                raise OurBug(
                    "the written file does not hold the verified release; nothing was kept. Please report this"
                )
            yield staged

    @property
    def _in_folders(self) -> bool:
        """Return whether the rows lie in an engine whose executors write them."""
        engine = self._rows.table.engine
        return engine.files is not engine

    @contextlib.contextmanager
    def _checked_folder(self, output: Path | str, kind: Any) -> Iterator[StagedFolder]:
        """Give the staged folder of a release, read back and recounted; it is still to take its place."""
        job, rows = self.job, self._rows
        check_folder(output, kind=kind, spreadsheet_safe=job.spreadsheet_safe)
        with staged_folder(rows, output, kind=kind, **self._manner) as folder:
            good = folder.is_whole(rows.table.engine)
            if good and not job.spreadsheet_safe:  # marked cells are other texts
                texts = folder.empty_is_null
                good = bears_verdict(folder.rows, rows, self._rules, self._verdict, texts=texts)
            refuse_changed(rows.table.engine)
            if not good:
                raise OurBug(
                    "the written folder does not hold the verified release; it was removed. Please report this"
                )
            yield folder

    @property
    def _manner(self) -> dict[str, bool]:
        return {"keep_order": self.job.keep_order, "spreadsheet_safe": self.job.spreadsheet_safe}


def no_engine() -> InputError:
    """Return the error of what needs the engine of a release that came out of a pickle."""
    return InputError(
        "a release that comes out of a pickle holds its rows and facts, but no engine that writes them: write files "
        "where it is made, or write release.table"
    )
