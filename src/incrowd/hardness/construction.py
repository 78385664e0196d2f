"""What every construction shares: a frozen object of its parameters that draws, solves and builds its instance."""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import numpy as np

from incrowd.errors import PolicyError
from incrowd.hardness.sources import Source, held_in
from incrowd.hardness.values import Instance, Table
from incrowd.settings import clean, setting, settings_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from incrowd.hardness.values import Kind, Labels, Question, Shown
    from incrowd.settings import Setting

OF_PYTHON = ("solve", "goal")  # parameters that no option gives
DRAWS = 200


@dataclass(frozen=True, kw_only=True)
class Construction:
    """What every construction shares: the object is its parameters, refusing bad ones when it is made.

    A construction says how a source problem is drawn, solved (`best`), and turned into a table or a network
    (`forward`); all else is here.

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
    goal : int or None
        The number asked of the source problem, where its question has one; None: what the solved problem gives, or one
        that it misses for a no-instance.

    Raises
    ------
    PolicyError
        For a size that the construction does not have; the message says why.
    """

    name: ClassVar[str]
    summary: ClassVar[str]
    kind: ClassVar[Kind] = "table"
    paper: ClassVar[str]
    theorem: ClassVar[str]
    source: ClassVar[type[Source] | None]  # None: there is no source problem but the size
    asks: ClassVar[Question]
    kept: ClassVar[tuple[str, ...]] = ()  # parameters that stand beside a source; all others are of the draw

    size: int = setting(1, "size of the source problem", "integer", least=1, metavar="N")
    seed: int = setting(0, "seed of the draw", "integer", least=0, metavar="N")
    no: bool = setting(False, "an instance whose answer is no", "flag")
    solve: bool = setting(True, "solve the source problem", "flag")
    goal: int | None = setting(None, "what is asked of the source problem", "integer", least=0, metavar="N")

    def __post_init__(self) -> None:
        specs = settings_of(type(self))
        for own in dataclasses.fields(self):
            object.__setattr__(self, own.name, clean(specs[own.name], own.name, getattr(self, own.name)))
        self.check()

    def check(self) -> None:
        """Refuse parameters that never give an instance, with a PolicyError."""

    def draw(self, rng: np.random.Generator) -> Any:
        """Return a source problem at random; `no` says which answer it is likely to have."""
        raise NotImplementedError

    def lacks(self, source: Any) -> str:
        """Return why a source problem cannot be taken, or an empty text."""
        return ""

    def best(self, source: Any) -> Any:
        """Return a best solution of a source problem, or None if there is none; it is solved exactly."""
        raise NotImplementedError

    def fixed(self, source: Any) -> int | None:
        """Return the number that is asked of a source problem where it is not the user's to choose."""
        return None

    def forward(self, source: Any, goal: int | None) -> Instance:
        """Return the instance but for its answer; its `witness` takes a best solution to blocks of rows, or nodes."""
        raise NotImplementedError

    def over(self, inner: Instance) -> Instance:
        """Return the instance whose source is another instance; the way back goes through both."""
        raise PolicyError(f"{self.name} takes no other instance as its source; give it a file of its own")

    def build(self) -> Instance:
        """Return the instance of a drawn source problem: the first of up to 200 draws with the answer asked for.

        Each draw is solved exactly, without a time limit. PolicyError is raised if none has the answer.
        """
        if not self.solve:
            raise PolicyError("a drawn source problem is solved while it is drawn; solve=False needs one's own")
        rng, why, seen = np.random.default_rng(self.seed), "", set()
        for _ in range(DRAWS):
            source = self.draw(rng)
            why = self.lacks(source)
            if not why and source not in seen:
                seen.add(source)
                made = self.of(source)
                if self.goal is not None or made.yes != self.no:
                    return made
        what = f"a {'no' if self.no else 'yes'}-instance"
        raise PolicyError(why or f"none of {DRAWS} draws is {what} at this size; choose another size or seed")

    def of(self, source: Any, labels: Labels | None = None) -> Instance:
        """Return the instance of a source problem, whose parts may have names.

        PolicyError is raised if it lacks what the construction demands.
        """
        why = self.lacks(source)
        if why:
            raise PolicyError(why)
        best = self.best(source) if self.solve else None
        goal = self.asked(source, best)
        made = self.forward(source, goal)
        witness = None if best is None else made.witness(best)
        optimum = None if witness is None else made.cost(witness)
        within = (
            "release with at most the threshold's stars"
            if self.kind == "table"
            else f"node set of measure exactly {made.more['exactly']} with at most the threshold's nodes"
        )
        goal = goal if made.goal is None else made.goal
        sought = self.asks.sought.format(goal)
        size = self.asks.size if self.asks.fact and best is not None else None
        return replace(
            made,
            name=self.name,
            kind=self.kind,
            question=f"is there a {within}{sought and f' ({sought})'}?",
            yes=None if not self.solve else optimum is not None and optimum <= made.threshold,
            optimum=optimum,
            theorem=self.theorem,
            paper=self.paper,
            source=source,
            witness=witness,
            more={**facts_of(source), **made.more, **({self.asks.fact: size(source, best)} if size else {})},
            asks=self.asks,
            goal=goal,
            labels=labels or {},
            parameters={name: goal if name == "goal" else getattr(self, name) for name in self.kept},
        )

    def asked(self, source: Any, best: Any) -> int | None:
        """Return the number asked of a source problem: fixed, or the goal, or what a best solution gives or misses."""
        fixed, size = self.fixed(source), self.asks.size
        if size is None or fixed is not None:
            return fixed
        if self.goal is not None:
            if self.no:
                raise PolicyError("a goal says what is asked of the source problem, and --no chooses it; give one")
            return self.goal
        if best is None:
            raise PolicyError(f"a source problem that is not solved needs a goal: {self.asks.goal}")
        usual = size(source, best)
        missed = usual + self.asks.step
        return missed if self.no and self.asks.possible(source, missed) else usual

    @classmethod
    def takes(cls) -> dict[str, Setting]:
        """Return the parameters by name; the goal only where it is the user's to choose."""
        return {name: spec for name, spec in settings_of(cls).items() if name != "goal" or name in cls.kept}

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
            "source": None if cls.source is None else cls.source.problem,
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


def facts_of(source: Any) -> dict[str, int]:
    """Return how many parts of every kind a source problem has."""
    if not isinstance(source, Source):
        return {}
    held = held_in(source)
    return {name: value if isinstance(value, int) else len(value) for name, value in held.items() if name != "sides"}


class Link(NamedTuple):
    """A step from one source problem to another: that one, what is asked of it, and from its solution back."""

    source: Any
    goal: int | None
    back: Callable[[Any], Any]


class Chain(Construction):
    """A construction made of a step to another source problem (`link`) and the construction that takes that one."""

    then: ClassVar[type[Construction]]

    def link(self, source: Any, goal: int | None) -> Link:
        """Return the step; what is asked for may not be known yet."""
        raise NotImplementedError

    @property
    def inner(self) -> Construction:
        """The construction at the end, with the parameters that both have."""
        return self.then(**{name: getattr(self, name) for name in self.then.kept})

    def lacks(self, source: Any) -> str:
        """Return why the other source problem cannot be taken."""
        return self.inner.lacks(self.link(source, None).source)

    def best(self, source: Any) -> Any:
        """Return a best solution of the other source problem."""
        return self.inner.best(self.link(source, None).source)

    def forward(self, source: Any, goal: int | None) -> Instance:
        """Return the instance of the other source problem, and the way back through both."""
        there = self.link(source, goal)
        made = self.inner.forward(there.source, there.goal)
        return replace(made, backward=lambda released: there.back(made.backward(released)))


def table_instance(
    names: Sequence[str],
    rows: Iterable[Sequence[str]],
    /,
    *,
    k: int,
    threshold: int,
    witness: Callable[[Any], Any],
    backward: Callable[[Shown], Any],
    sensitive: tuple[str, ...] = (),
    require: Sequence[Mapping[str, Any]] = (),
    mask: Mapping[str, Any] | None = None,
    **more: Any,
) -> Instance:
    """Return the instance of a table under a policy; `backward` takes the classes of a release, `more` are facts."""
    table = Table(quasi_identifiers=tuple(names), sensitive=sensitive, rows=tuple(tuple(row) for row in rows))
    policy: dict[str, Any] = {"quasi_identifiers": list(names), "k": k, "outliers": "forbid"}
    policy |= {"sensitive": list(sensitive)} if sensitive else {}
    policy |= {"require": [dict(one) for one in require]} if require else {}
    policy |= {"mask": dict(mask)} if mask else {}
    return Instance(
        threshold=threshold,
        table=table,
        policy=policy,
        witness=witness,
        backward=lambda released: backward(table.classes(released)),
        more=more,
    )


# The papers whose constructions these are; full references in ``docs/papers/refs.bib``.
AGGARWAL = "Aggarwal, Feder, Kenthapadi, Motwani, Panigrahy, Thomas, Zhu: Anonymizing Tables (2005)"
BREDERECK = "Bredereck, Nichterlein, Niedermeier: Pattern-Guided k-Anonymity (2013)"
BLOCKI_WILLIAMS = "Blocki, Williams: Resolving the Complexity of Some Data Privacy Problems (2010)"
LIANG_YUAN = "Liang, Yuan: On the Complexity of t-Closeness Anonymization and Related Problems"
CHATTERJEE = (
    "Chatterjee, DasGupta, Mobasheri, Srinivasan, Yero: On the Computational Complexities of Three Privacy Measures "
    "for Large Networks Under Active Attack"
)


def whole(default: int | None, meaning: str, least: int = 1, metavar: str = "N") -> Any:
    """Return the field of a parameter that is a whole number."""
    return setting(default, meaning, "integer", least=least, metavar=metavar)
