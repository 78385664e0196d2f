"""What every construction shares: a frozen object of its parameters, refusing bad ones, that builds its instance."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy as np

from incrowd.errors import PolicyError, did_you_mean
from incrowd.settings import clean, setting, settings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from incrowd.hardness.problem import Problem, Question
    from incrowd.hardness.values import Instance, Kind
    from incrowd.settings import Setting

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

        PolicyError is raised: then, with the reason.
        """

    def build(self) -> Instance:
        """Return the instance: the source problem is drawn or looked up, solved, and turned into a table or a network.

        PolicyError is raised if the parameters do not give one. NotImplementedError is raised: here: every construction
        gives its own. The source problem is solved exactly, without a time limit: the time can grow exponentially with
        the size.
        """
        raise NotImplementedError

    def of(self, source: Any) -> Instance:
        """Return the instance of a source problem of one's own.

        `source`: as `problem` reads it. PolicyError is raised if it lacks what the construction demands.
        """
        raise PolicyError(f"{self.name} takes no source of one's own: it is one table a size")

    def over(self, inner: Instance) -> Instance:
        """Return the instance whose source is another instance; the way back goes through both.

        PolicyError is raised if it lacks what the construction demands, or the construction takes no instances.
        """
        raise PolicyError(f"{self.name} takes no other instance as its source; give it a file of its own")

    def asked(self, usual: Callable[[], int]) -> int:
        """Return the number to ask of the source problem: the ``goal``, or else what the solved problem gives.

        `usual`: solves the source problem. PolicyError is raised if neither is there, or ``no`` is asked for beside a
        goal.
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


# What the generators share: named instances looked up, random ones drawn until they have the answer wanted.
T = TypeVar("T")
DRAWS = 200


def named_setting(names: Mapping[str, object]) -> str | None:
    """Return the field of a parameter ``named``: a small named source problem in place of a random one.

    It is a dataclass field whose default None stands for a random problem. Its type is that of the value it holds, for
    the class that uses it.
    """
    found: str | None = setting(
        None, f"a named one in place of a random one: {', '.join(names)}", "name", metavar="NAME"
    )
    return found


def goal_setting(what: str, otherwise: str) -> int | None:
    """Return the field of a parameter ``goal``: the number that is asked of the source problem.

    `what` tells what the number says, and `otherwise` what it is where none is given. The dataclass field is None by
    default. Its type is that of the value it holds, for the class that uses it.
    """
    found: int | None = setting(None, f"{what} (default: {otherwise})", "integer", least=0, metavar="N")
    return found


def refuse_unknown(named: str | None, names: Mapping[str, object]) -> None:
    """Refuse a name that is not among the named ones.

    None is accepted. The PolicyError gives the nearest name and all of them.
    """
    if named is not None and named not in names:
        raise PolicyError(f"named must be one of {', '.join(names)}, not {named!r}{did_you_mean(named, names)}")


def even(size: int, why: str) -> None:
    """Refuse an odd size with a PolicyError whose message ends in the words of the reason, `why`."""
    if size % 2:
        raise PolicyError(f"size must be even, not {size}: {why}")


def until(seed: int, draw: Callable[[np.random.Generator], T], fits: Callable[[T], bool], what: str) -> T:
    """Return the first of up to 200 draws that fits.

    All draws share one generator. `draw` makes one source problem, and `fits` says whether it has the answer asked for;
    where it solves the problem, this takes the time. PolicyError is raised if none fits; the message names what is
    looked for as `what` does.
    """
    rng = np.random.default_rng(seed)
    for _ in range(DRAWS):
        made = draw(rng)
        if fits(made):
            return made
    raise PolicyError(f"none of {DRAWS} draws is {what} at this size; choose another size or seed")


# The papers whose constructions these are; full references in ``papers/refs.bib``.
AGGARWAL = "Aggarwal, Feder, Kenthapadi, Motwani, Panigrahy, Thomas, Zhu: Anonymizing Tables (2005)"
BREDERECK = "Bredereck, Nichterlein, Niedermeier: Pattern-Guided k-Anonymity (2013)"
BLOCKI_WILLIAMS = "Blocki, Williams: Resolving the Complexity of Some Data Privacy Problems (2010)"
LIANG_YUAN = "Liang, Yuan: On the Complexity of t-Closeness Anonymization and Related Problems"
CHATTERJEE = (
    "Chatterjee, DasGupta, Mobasheri, Srinivasan, Yero: On the Computational Complexities of Three Privacy Measures "
    "for Large Networks Under Active Attack"
)
