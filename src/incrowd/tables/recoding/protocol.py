"""What every recoding answers, from the choice of the solver to the facts of the release."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from incrowd.tables.engine.base import Engine
    from incrowd.tables.measures import MeasureContext
    from incrowd.tables.roles import Roles
    from incrowd.tables.table import Compressed, Expanded, Opened, Table
    from incrowd.tables.values import Outliers, Plan, Problem
    from incrowd.tables.verdict import Verdict, Violation
    from incrowd.tables.verify.pairing.portions import Room
    from incrowd.tables.verify.release.groups import Rules


class Recoding(Protocol):
    """How changed cells are shown; it holds nothing but its rules, so that one object serves every release."""

    @property
    def name(self) -> str:
        """Its name, as the policy's ``recoding`` says it."""

    @property
    def solver_options(self) -> Mapping[str, Any]:
        """Options that a solver of such releases is given beside those of the job."""

    @property
    def may_cap_copies(self) -> bool:
        """Whether a solver may be shown fewer equal rows than there are, all of them getting their place afterwards."""

    @property
    def takes_bound_of_k(self) -> bool:
        """Whether the lower bound of k-anonymity alone can be shown beside its releases under requirements."""

    @property
    def levels_name_stars(self) -> bool:
        """Whether the level of a cell says if it shows a star."""

    @property
    def lowers_levels(self) -> bool:
        """Whether a class may show the lowest level that holds for all its rows, whatever other classes show."""

    @property
    def own_solver(self) -> str | None:
        """The solver that ``auto`` and ``exact`` stand for, or None where they choose by themselves."""

    @property
    def no_certificate(self) -> str | None:
        """Why a certificate cannot be recounted, or None where it can."""

    def declines(self, options: Collection[str]) -> str | None:
        """Return why a solver with options of these names cannot make such a release, or None."""

    def outliers(self, asked: Outliers) -> Outliers:
        """Return the outlier rule that the check holds a release to, where the policy's is `asked`."""

    def star_levels(self, problem: Problem) -> Sequence[int]:
        """Return by quasi-identifier the least level at which a cell surely shows a star."""

    def expand(self, table: Table, types: Compressed, plan: Plan, *, star: str | None, seed: int) -> Expanded:
        """Return the released rows of a plan, computed once.

        `star` is the text of a star (None: NULL), and `seed` decides which of equal rows get which pattern. InputError
        is raised if the table holds values that the release could not show.
        """

    def recount(self, release: Expanded, rules: Rules) -> Verdict:
        """Return the verdict on a release against the table it came from, row by row.

        `rules` are what a release must meet.
        """

    def released_rules(
        self, engine: Engine, original: Opened, released: Opened, roles: Roles, rules: Rules, star: str | None
    ) -> Rules:
        """Return the rules with the labels of a release that no policy names, read from the release itself.

        The engine holds both tables, and `star` is the text of a star (None: NULL). InputError is raised if the
        original's values are no numbers, or the labels cannot be read.
        """

    def recount_tables(
        self,
        engine: Engine,
        original: Opened,
        released: Opened,
        roles: Roles,
        rules: Rules,
        *,
        text: Collection[str],
        star: str | None,
        room: Room | None = None,
    ) -> tuple[Violation, ...]:
        """Return what is wrong with a release, from the two tables alone, which the engine holds.

        `text` are the quasi-identifiers that the release turns into text, and `star` is the text of a star (None:
        NULL). `room` gives a context in which the check may take so many bytes of this process. PolicyError or
        InputError is raised if the tables cannot be compared, or the question is above the stated limit.
        """

    def measure_context(self, problem: Problem, numeric: Sequence[str]) -> MeasureContext:
        """Return what a measure must know of a release; `numeric` are the quasi-identifiers that hold numbers."""

    def facts(self, release: Expanded) -> dict[str, Any]:
        """Return the facts that cannot be had from the plan's levels, in place of those that are."""
