"""What every construction shares: a frozen object of its parameters, refusing bad ones, that builds its instance."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar

from incrowd.errors import PolicyError
from incrowd.settings import clean, setting, settings_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from incrowd.hardness.problems.problem import Problem
    from incrowd.hardness.questions.question import Question
    from incrowd.hardness.values import Instance, Kind
    from incrowd.settings import Setting

__all__ = ["Reduction", "asked_of"]

OF_PYTHON = ("solve", "named", "goal")  # parameters that no option gives


@dataclass(frozen=True, slots=True, kw_only=True)
class Reduction:
    """What every construction shares: the object is its options, refusing bad ones when it is made.

    Parameters
    ----------
    size : int
        Size of the source problem.
    seed : int
        Seed of the draw.
    no : bool
        A no-instance instead of a yes-instance.
    solve : bool
        False: the source problem, one given with `of`, is not solved, and the answer stays open.

    Raises
    ------
    PolicyError
        For a size the construction does not have, or ``no`` where it has no no-instance; the message says why.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    kind: ClassVar[Kind]
    paper: ClassVar[str]
    theorem: ClassVar[str]
    problem: ClassVar[Problem | None] = None  # what a file of its source holds; None: it takes none
    asks: ClassVar[Question]
    kept: ClassVar[tuple[str, ...]] = ()  # parameters that stand beside a source; all others are of the draw

    size: int = setting(1, "size of the source problem", "integer", least=1, metavar="N")
    seed: int = setting(0, "seed of the draw", "integer", least=0, metavar="N")
    no: bool = setting(False, "an instance whose answer is no", "flag")
    solve: bool = setting(True, "solve the source problem", "flag")

    def __post_init__(self) -> None:
        specs = settings_of(type(self))
        for own in dataclasses.fields(self):
            value = clean(specs[own.name], own.name, getattr(self, own.name))
            object.__setattr__(self, own.name, value)
        self.check()

    def check(self) -> None:
        """Refuse what the construction cannot give; called when the object is made.

        Raises
        ------
        PolicyError
            Then, with the reason.
        """

    def build(self) -> Instance:
        """Return the instance: the source problem is drawn or looked up, solved, and turned into a table or a network.

        Raises
        ------
        PolicyError
            If the parameters do not give one.
        NotImplementedError
            Here: every construction gives its own.

        Notes
        -----
        The source problem is solved exactly, without a time limit: the time can grow exponentially with the size.
        """
        raise NotImplementedError

    def of(self, source: Any) -> Instance:
        """Return the instance of a source problem of one's own.

        Parameters
        ----------
        source : object
            As `problem` reads it.

        Raises
        ------
        PolicyError
            If it lacks what the construction demands.
        """
        raise PolicyError(f"{self.name} takes no source of one's own: it is one table a size")

    def over(self, inner: Instance) -> Instance:
        """Return the instance whose source is another instance; the way back goes through both.

        Parameters
        ----------
        inner : Instance

        Raises
        ------
        PolicyError
            If it lacks what the construction demands, or the construction takes no instances.
        """
        raise PolicyError(f"{self.name} takes no other instance as its source; give it a file of its own")

    def asked(self, usual: Callable[[], int]) -> int:
        """Return the number to ask of the source problem: the ``goal``, or else what the solved problem gives.

        Parameters
        ----------
        usual : callable
            Solves the source problem.

        Raises
        ------
        PolicyError
            If neither is there, or ``no`` is asked for beside a goal.
        """
        goal: int | None = getattr(self, "goal", None)
        return asked_of(self.asks, goal, usual() if goal is None and self.solve else None, no=self.no)

    @classmethod
    def options(cls) -> dict[str, Setting]:
        """Return the parameters that are options of ``incrowd instance``, by name."""
        return {name: spec for name, spec in settings_of(cls).items() if name not in OF_PYTHON}

    @classmethod
    def listed(cls) -> dict[str, Any]:
        """Return what ``incrowd list instances --json`` adds to name and summary."""
        made = cls()
        return {
            "kind": cls.kind,
            "paper": cls.paper,
            "theorem": cls.theorem,
            "source": None if cls.problem is None else cls.problem.holds,
            "parameters": [
                {
                    "name": name,
                    "option": spec.flag_name(name),
                    "default": str(default) if isinstance(default, Fraction) else default,
                    "meaning": spec.help,
                }
                for name, spec in cls.options().items()
                for default in [getattr(made, name)]
            ],
        }


def asked_of(asks: Question, goal: int | None, usual: int | None, *, no: bool) -> int:
    """Return the number that is asked of a source problem.

    It is `goal` as it was given, otherwise `usual`, which is None where the source problem was not solved. `no` says
    whether `usual` is one that is missed. PolicyError is raised if neither is there, or a no-instance is asked for
    beside a goal.
    """
    if goal is not None and no:
        raise PolicyError("a goal says what is asked of the source problem, and --no chooses it; give one of them")
    found = usual if goal is None else goal
    if found is None:
        raise PolicyError(f"a source problem that is not solved needs a goal: {asks.goal}")
    return found
