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
    from incrowd.tables.verify.release.rules import Rules

__all__ = ["Recoding"]


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
        """Return why a solver with these options cannot make such a release, or None.

        Parameters
        ----------
        options : collection of str
            Names of the solver's options.
        """

    def outliers(self, asked: Outliers) -> Outliers:
        """Return the outlier rule that the check holds a release to.

        Parameters
        ----------
        asked : {"forbid", "suppress"}
            The rule of the policy.
        """

    def star_levels(self, problem: Problem) -> Sequence[int]:
        """Return by quasi-identifier the least level at which a cell surely shows a star.

        Parameters
        ----------
        problem : Problem
        """

    def expand(self, table: Table, types: Compressed, plan: Plan, *, star: str | None, seed: int) -> Expanded:
        """Return the released rows of a plan, computed once.

        Parameters
        ----------
        table : Table
        types : Compressed
        plan : Plan
        star : str or None
            Text of a star (None: NULL).
        seed : int
            Decides which of equal rows get which pattern.

        Raises
        ------
        InputError
            If the table holds values that the release could not show.
        """

    def recount(self, release: Expanded, rules: Rules) -> Verdict:
        """Return the verdict on a release against the table it came from, row by row.

        Parameters
        ----------
        release : Expanded
        rules : Rules
            What a release must meet.
        """

    def released_rules(
        self, engine: Engine, original: Opened, released: Opened, roles: Roles, rules: Rules, star: str | None
    ) -> Rules:
        """Return the rules with the labels of a release that no policy names, read from the release itself.

        Parameters
        ----------
        engine : Engine
            Holds both tables.
        original, released : Opened
        roles : Roles
        rules : Rules
        star : str or None
            Text of a star (None: NULL).

        Raises
        ------
        InputError
            If the original's values are no numbers, or the labels cannot be read.
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
        """Return what is wrong with a release, from the two tables alone.

        Parameters
        ----------
        engine : Engine
            Holds both tables.
        original, released : Opened
        roles : Roles
        rules : Rules
        text : collection of str
            Quasi-identifiers that the release turns into text.
        star : str or None
            Text of a star (None: NULL).
        room : callable, optional
            Gives a context in which it may take so many bytes of this process.

        Raises
        ------
        PolicyError, InputError
            If the tables cannot be compared, or the question is above the stated limit.
        """

    def measure_context(self, problem: Problem, numeric: Sequence[str]) -> MeasureContext:
        """Return what a measure must know of a release.

        Parameters
        ----------
        problem : Problem
        numeric : sequence of str
            Quasi-identifiers that hold numbers.
        """

    def facts(self, release: Expanded) -> dict[str, Any]:
        """Return the facts that cannot be had from the plan's levels, in place of those that are.

        Parameters
        ----------
        release : Expanded
        """
