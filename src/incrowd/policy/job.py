"""One frozen description of a job: library, command line and web all build this same object.

`Policy` says what the release must be (it can be reused for next year's table); `Job` adds where the table
comes from, where the release goes and how hard to look. Both are written to and read from TOML
(`incrowd.policy.document`).
"""

from __future__ import annotations

import dataclasses
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Self

from incrowd import registry
from incrowd.errors import PolicyError, an, did_you_mean
from incrowd.policy.document import flatten, from_folder, read_document, save
from incrowd.policy.keys import ALIASES, DEFAULT_COST, MASK_SETTINGS
from incrowd.policy.words import AUTO, as_mask, with_words, without_auto
from incrowd.settings import clean, name_and_options, settings_of, short_repr, shortened
from incrowd.settings import setting as settings_setting
from incrowd.tables.column_counts import EVERY_COLUMN
from incrowd.tables.hierarchy import as_spec
from incrowd.tables.mask import Mask, PatternMask
from incrowd.tables.models.parse import as_models, everywhere, names_of
from incrowd.tables.roles import Reading, Roles
from incrowd.tables.workload import named_workload

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator
    from fractions import Fraction

    from incrowd.settings import Setting
    from incrowd.tables.hierarchy import Spec
    from incrowd.tables.values import Outliers


@dataclass(frozen=True, slots=True, kw_only=True)
class Policy:
    """What the release must be.

    Every field but the mask and the reading is a setting, with its default, help, shape and range. A bad value is
    refused when the object is made, with a `PolicyError` that names the setting, the value and the range.
    """

    __repr__ = short_repr
    quasi_identifiers: tuple[str, ...] = settings_setting(
        (), "columns an attacker may know; only these are changed", "list", option="--qi", metavar="a,b,c"
    )
    sensitive: tuple[str, ...] = settings_setting((), "columns whose values must not be learned", "list", metavar="d,e")
    identifiers: tuple[str, ...] = settings_setting(
        (), "columns that name a person; they never reach the release", "list", option="--identifier", metavar="f"
    )
    other: Literal["keep", "drop"] = settings_setting(
        "keep", "what happens to columns without a role", "choice", choices=("keep", "drop")
    )
    numeric: tuple[str, ...] = settings_setting((), "quasi-identifiers whose values are numbers", "list", metavar="a,b")
    k: int | None = settings_setting(
        None, "every row looks like at least k-1 others", "integer", least=1, metavar="N", unit="rows"
    )
    l: Fraction | None = settings_setting(  # noqa: E741
        None, "no value of a sensitive column in more than 1/l of a class, for each of them", "fraction", least=1,
        metavar="X",
    )  # fmt: skip
    t: Fraction | None = settings_setting(
        None, "values of each sensitive column spread in every class as in the table, up to a distance of t",
        "fraction", least=0, most=1, metavar="X",
    )  # fmt: skip
    require: tuple[Any, ...] = settings_setting(
        (), "a model that every class has to meet, its columns are sensitive", "models", repeat=True,
        metavar="'NAME key=value ...'", listed_in="models",
    )  # fmt: skip
    sensitive_distance: tuple[tuple[str, str], ...] = settings_setting(
        (), "how far apart values are for t: equal, ordered, numeric, hierarchical:FILE, or FILE.csv with a matrix",
        "distances", metavar="COLUMN=KIND|FILE.csv",
    )  # fmt: skip
    mask: PatternMask = dataclasses.field(default_factory=Mask)
    weights: tuple[tuple[str, Fraction], ...] = settings_setting(
        (), "what a star costs in a column (default 1)", "weights", option="--weight", metavar="a=2"
    )
    cost: str = settings_setting(
        DEFAULT_COST,
        "what a changed cell costs, before its column's weight (workload:FILE: by the queries of a file)",
        "name",
        metavar="NAME",
        listed_in="costs",
    )
    hierarchies: tuple[tuple[str, Spec], ...] = settings_setting(
        (),
        "what a column may be generalized to: ARX's CSV, or intervals:5,10,20 (with 90+ an open top), dates, prefix",
        "hierarchies", option="--hierarchy", metavar="a=FILE",
    )  # fmt: skip
    other_hierarchies: Literal["none", "auto"] = settings_setting(
        "none",
        "what quasi-identifiers without a hierarchy get: none, or auto: one by their values, as hierarchies auto",
        "choice", choices=("none", "auto"),
    )  # fmt: skip
    complete_hierarchies: bool = settings_setting(
        False,
        "put values that a hierarchy lacks, or that are no numbers or dates, under its root, instead of refusing them",
        "flag",
    )
    recoding: Literal["levels", "ranges", "grid", "global"] = settings_setting(
        "levels",
        "what a changed cell shows: its hierarchy's label or a star; numbers as the range of their class (ranges, with "
        "solver mondrian); numbers and dates as ranges between the lines of a grid (grid); or one level a column for "
        "the whole table, with rows that fail there suppressed (global)",
        "choice", choices=("levels", "ranges", "grid", "global"),
    )  # fmt: skip
    round: Fraction | None = settings_setting(
        None, "with recoding = grid: ranges end at multiples of this (days for dates); default: chosen from the table",
        "fraction", least=0, metavar="X",
    )  # fmt: skip
    suppression_limit: Fraction | None = settings_setting(
        None, "share of the rows that may be fully suppressed at most", "fraction", least=0, most=1, metavar="X"
    )
    outliers: Outliers = settings_setting(
        "forbid",
        "whether fully suppressed rows need a crowd too (forbid) or may be fewer than k (suppress)",
        "choice", choices=("forbid", "suppress"),
    )  # fmt: skip
    suppressed: Literal["text", "null"] = settings_setting(
        "text", "how a suppressed cell is written: as the star text, or as NULL", "choice", choices=("text", "null")
    )
    star: str = settings_setting("*", "the text of a suppressed cell", "text", metavar="TEXT")
    reading: Reading = dataclasses.field(default_factory=Reading)

    def __post_init__(self) -> None:
        object.__setattr__(self, "mask", as_mask(self.mask))
        rest, auto = without_auto(self.hierarchies)
        if auto:
            object.__setattr__(self, "hierarchies", rest)
            object.__setattr__(self, "other_hierarchies", AUTO)
        if not isinstance(self.reading, Reading):
            raise PolicyError(f"reading must be how a table is read, not {an(type(self.reading).__name__)}")
        for name, spec in settings_of(Policy).items():
            object.__setattr__(self, name, clean(spec, spec.flag_name(name)[2:] or name, getattr(self, name)))
        specs = tuple((column, as_spec(spec, f"hierarchy of {column!r}")) for column, spec in self.hierarchies)
        object.__setattr__(self, "hierarchies", specs)
        refuse_cost(self.cost)
        for why in _contradictions(self):
            raise PolicyError(why)
        asked = as_models(self.require)
        ks = [model.k for model in asked if not model.judged]
        if ks:  # k-anonymity among the models is k itself
            object.__setattr__(self, "k", max(ks if self.k is None else [self.k, *ks]))
        object.__setattr__(self, "require", tuple(model for model in asked if model.judged))
        if self.requirements and self.recoding == "grid":  # which are found by what does not go together
            raise PolicyError("recoding=grid is for k-anonymity alone as yet: leave out l, t and require")
        refuse_star(self.star, strip=self.reading.strip)
        if not self.quasi_identifiers:
            return
        self.roles.kept(())
        refuse_other_columns(self)

    @property
    def roles(self) -> Roles:
        """The roles of the columns."""
        return Roles(
            quasi_identifiers=self.quasi_identifiers,
            sensitive=self.all_sensitive,
            identifiers=self.identifiers,
            other=self.other,
            numeric=self.numeric,
        )

    @property
    def all_sensitive(self) -> tuple[str, ...]:
        """The sensitive columns: those named as such, and those that a requirement names."""
        return (*self.sensitive, *(name for name in names_of(self.require) if name not in self.sensitive))

    @property
    def requirements(self) -> tuple[Any, ...]:
        """The models beside k-anonymity: those required, and those that l and t ask for."""
        more = everywhere(self.all_sensitive, l=self.l, t=self.t, distances=dict(self.sensitive_distance))
        return (*self.require, *(model for model in more if model not in self.require))

    @classmethod
    def load(cls, path: str | Path) -> Policy:
        """Read a policy (or the policy of a job) from a TOML file."""
        return Job.load(path).policy

    def save(self, path: str | Path) -> None:
        """Write the policy to a TOML file, whole or not at all."""
        save(self, None, Path(path))


@dataclass(frozen=True, slots=True, kw_only=True)
class Job:
    """A policy with its table, its release and how hard to look.

    The source is a path, an address, a frame or an Arrow table; every field after it is a setting, as of `Policy`.
    """

    __repr__ = short_repr
    policy: Policy = dataclasses.field(default_factory=Policy)
    source: Any = None
    output: Path | str | None = settings_setting(
        None, "where the release goes (-: standard output)", "path", option="--output"
    )
    certificate: Path | None = settings_setting(
        None, "where what proves the lower bound goes, for `incrowd verify --certificate` (FILE.gz: packed)", "path"
    )
    report: Path | None = settings_setting(None, "where the report goes, one HTML file", "path", metavar="FILE.html")
    save_policy: Path | None = settings_setting(
        None, "where the policy goes as it was asked, for `incrowd verify --policy` and others", "path",
        metavar="FILE.toml",
    )  # fmt: skip
    solver: str = settings_setting(
        "auto", "auto, exact or the name of a solver, its own options behind it (greedy:ties=first)", "name",
        metavar="NAME[:key=value,...]", listed_in="solvers",
    )  # fmt: skip
    time_limit: float | None = settings_setting(
        None, "limit on solving and bounding", "number", least=0, metavar="S", unit="seconds"
    )
    gap: float = settings_setting(
        0.0, "stop when the relative gap to the bound is at most this", "number", least=0, metavar="X"
    )
    work: int | None = settings_setting(
        None, "limit on solving in moves instead of seconds, for equal results everywhere", "integer", least=1,
        metavar="N", unit="moves",
    )  # fmt: skip
    seed: int = settings_setting(
        0, "decides which of equal rows get which pattern", "integer", least=0, most=10**18, metavar="N"
    )
    blunt: int | None = settings_setting(
        None, "a release at random (never by seed), at most 1, 3 or 10 % dearer: a cheapest one rules values out",
        "integer", least=1, most=3, metavar="1|2|3",
    )  # fmt: skip
    quiet_facts: bool = settings_setting(False, "for recipients: leave out cost, bound, gap, solver and status", "flag")
    keep_order: bool = settings_setting(
        False, "keep the input's row order (a risk: rows can be joined by position)", "flag"
    )
    spreadsheet_safe: bool = settings_setting(
        False, "in CSV, ' before texts that a spreadsheet would run as formulas", "flag"
    )
    keep_best: bool = settings_setting(False, "when interrupted, write the best release so far", "flag")
    dry_run: bool = settings_setting(False, "do everything but write", "flag")
    memory: str | None = settings_setting(
        None, "limit on what the whole process holds, tables, search and libraries together", "text", metavar="4GB"
    )
    types_in_memory: int | None = settings_setting(
        None, "row types solved in memory at most (default: what fits)", "integer", least=1, metavar="N"
    )
    engine: Literal["duckdb", "spark"] = settings_setting(
        "duckdb", "the table engine; spark needs PySpark 4.0 (the extra spark) and Java", "choice",
        choices=("duckdb", "spark"),
    )  # fmt: skip

    def __post_init__(self) -> None:
        if not isinstance(self.policy, Policy):
            raise PolicyError(f"policy must be an incrowd.Policy, not {an(type(self.policy).__name__)}")
        for name, spec in settings_of(Job).items():
            object.__setattr__(self, name, clean(spec, name, getattr(self, name)))
        name_and_options(self.solver, "solver")
        for why in _contradictions_of_job(self):
            raise PolicyError(why)

    @property
    def solver_name(self) -> str:
        """The solver without its options."""
        return name_and_options(self.solver, "solver")[0]

    @property
    def solver_options(self) -> dict[str, str]:
        """The options behind the solver's name, as they were written."""
        return name_and_options(self.solver, "solver")[1]

    @property
    def reduce(self) -> str:
        """``kernel`` where a smaller table of the same least cost is searched, else ``none``."""
        return self.solver_options.get("reduce", "none")

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a job from a TOML file; paths in it are relative to the file.

        Raises
        ------
        InputError
            If the file cannot be read or is no TOML.
        PolicyError
            If a key is unknown, given twice or has a bad value.
        """
        path = Path(path)
        flat = flat_settings(read_document(path), path.name)
        try:
            return cls().replace(**from_folder(flat, path.parent))
        except PolicyError as error:
            raise PolicyError(f"policy file {path.name!r}: {error}") from None

    def save(self, path: str | Path) -> None:
        """Write the job to a TOML file, whole or not at all."""
        save(self.policy, self, Path(path))

    def replace(self, **settings: Any) -> Self:
        """Return this job with some settings replaced, each by its flat name.

        Takes every name of the command line (with underscores) and of the policy file; mask words replace the mask's.

        Raises
        ------
        PolicyError
            For an unknown name (with the nearest known one) or a bad value.
        """
        flat = {ALIASES.get(name, name): value for name, value in settings.items()}
        known = known_settings()
        for name in flat:
            if name not in known:
                raise PolicyError(f"there is no setting {name!r}{did_you_mean(name, known)}")
        if "hierarchies" in flat and without_auto(flat["hierarchies"]) == ((), True):  # those that are there stay
            flat["hierarchies"], flat["other_hierarchies"] = self.policy.hierarchies, AUTO
        policy, reading = self.policy, dataclasses.replace(self.policy.reading, **_pick(flat, Reading))
        words = {name: flat.pop(name) for name in MASK_SETTINGS if name in flat}
        mask = as_mask(flat.pop("mask")) if "mask" in flat else policy.mask
        mask = with_words(mask, words) if words else mask
        new_policy = dataclasses.replace(policy, mask=mask, reading=reading, **_pick(flat, Policy))
        return dataclasses.replace(self, policy=new_policy, **flat)


def every_setting() -> dict[str, Setting]:
    """Return every setting by name: of the policy, its mask, how a table is read, and the job."""
    return {**settings_of(Policy), **MASK_SETTINGS, **settings_of(Reading), **settings_of(Job)}


def known_settings() -> list[str]:
    """Return every flat setting name a job takes."""
    own: Iterable[str] = [f.name for f in dataclasses.fields(Job) if f.name != "policy"]
    of_policy = [f.name for f in dataclasses.fields(Policy) if f.name != "reading"]
    return [*of_policy, *MASK_SETTINGS, *settings_of(Reading), *own]


def flat_settings(document: dict[str, Any], file: str) -> dict[str, Any]:
    """Return the settings of a policy file by name.

    `document` is what the file holds, and `file` is its name for messages. PolicyError is raised if a key is unknown or
    given twice.
    """
    of_table = {"read": list(settings_of(Reading)), "job": ["source", *settings_of(Job)]}
    return flatten(document, file, known_settings(), of_table)


def _pick(flat: dict[str, Any], kind: type) -> dict[str, Any]:
    names = [f.name for f in dataclasses.fields(kind)]
    return {name: flat.pop(name) for name in names if name in flat}


# What of a policy does not go together, each refused in one sentence that names the settings.
NO_SUMS = ("discernibility", "c_avg")

RANGE_COSTS = ("leaves", "ncp")
OWN_COSTS = ("level_costs", "node_costs")  # what a hierarchy may say itself


def _contradictions(policy: Policy) -> Iterator[str]:
    """Yield why settings of a policy contradict one another; each is good by itself."""
    cost, recoding, limited = policy.cost, policy.recoding, policy.suppression_limit is not None
    null, kept = policy.suppressed == "null", "suppressed=null keeps the columns' types, so"
    hierarchies = bool(policy.hierarchies) or policy.other_hierarchies == AUTO
    own = [
        (column, word)
        for column, spec in policy.hierarchies
        for word in OWN_COSTS
        if getattr(spec, word, None) is not None
    ]
    if cost.partition(":")[0] in EVERY_COLUMN:
        for setting, bad in (("suppressed=null", null), ("recoding=ranges", recoding == "ranges")):
            if bad:
                yield (
                    f"cost={cost.partition(':')[0]} looks at every value of every column and counts labels and star "
                    f"texts, so it goes with no {setting}"
                )
    if own and cost != DEFAULT_COST:
        yield (
            f"the hierarchy of {own[0][0]!r} gives costs of its own ({own[0][1]}), which cost={cost} does not use; "
            f"take them out, or take cost={DEFAULT_COST}"
        )
    if hierarchies and null:
        yield f"{kept} labels of a hierarchy do not fit: use text"
    if recoding == "ranges":
        for name, given in (("mask", policy.mask != Mask()), ("hierarchies", hierarchies)):
            if given:
                yield f"recoding=ranges shows ranges wherever a class differs; it goes with no {name}"
    if recoding in ("ranges", "grid") and limited:
        yield f"recoding={recoding} goes with no suppression_limit"
    if recoding == "grid" and cost not in RANGE_COSTS:
        yield (
            f"recoding=grid counts ranges by their values ({DEFAULT_COST}) or their width (ncp); cost={cost} says "
            "nothing of ranges"
        )
    if recoding in ("ranges", "grid") and null:
        yield f"{kept} ranges do not fit: use text"
    for name, asked in (("recoding=global", recoding == "global"), ("suppression_limit", limited)):
        if asked and null:
            yield f"{name} counts fully suppressed rows, which NULLs do not tell: use suppressed=text"
    if recoding == "grid" and own:
        yield "recoding=grid takes hierarchies without costs of their own as yet"
    if recoding == "grid" and policy.round is not None and policy.round <= 0:
        yield "round must be above 0: it is the distance of the grid's lines"
    if recoding != "grid" and policy.round is not None:
        yield "round is the step of a grid, so it goes with recoding=grid"


def refuse_cost(cost: str) -> None:
    """Refuse a cost that there is not, one without its file, and a measure that is no sum over cells, by a PolicyError.

    `cost` is as a policy has it.
    """
    name, colon, _ = cost.partition(":")
    if name in NO_SUMS and name in registry.names("measures"):
        raise PolicyError(
            f"{name} is no sum over cells, for what a row pays depends on how many others look the same, so no release "
            f"is searched by it; it is a measure, and every release says it: measures.{name}"
        )
    kind = registry.load("costs", name)  # says which there are
    if colon and not getattr(kind, "file", False):
        raise PolicyError(f"cost {name} takes no file, but {shortened(cost)} names one")
    named_workload(cost)


def _contradictions_of_job(job: Job) -> Iterator[str]:
    """Yield why what a job asks does not go with its policy, and which files would tell what quiet facts leave out."""
    cost, recoding = job.policy.cost, job.policy.recoding
    if job.gap and getattr(registry.load("costs", cost.partition(":")[0]), "offset", False):
        yield (
            f"gap={job.gap:g} does not go with cost={cost}, whose searches count what rows cost as they are besides; "
            "limit the time instead"
        )
    if job.blunt is not None and recoding != "levels":
        yield f"blunt moves rows between classes of recoding=levels and does not go with recoding={recoding}"
    for name in ("certificate", "report"):
        if job.quiet_facts and getattr(job, name) is not None:
            yield (
                f"quiet_facts leaves out cost and bound, and the {name} tells them; leave out {name}, or make it in a "
                "run without quiet_facts"
            )


def refuse_star(star: str, *, strip: bool) -> None:
    """Refuse a star text that could not be read back, by a PolicyError.

    `strip` tells whether blanks around a field are taken away when a table is read.
    """
    if not star:
        raise PolicyError("star must be a text of at least one character (an empty field means NULL)")
    if star != star.strip() and strip:
        raise PolicyError(f"star must not begin or end with a blank, but it is {star!r}")


def refuse_other_columns(policy: Policy) -> None:
    """Refuse a mask, weight or hierarchy that names a column which never changes, by a PolicyError."""
    named = [(line, column) for line, column, _ in policy.mask.mentions()]
    named += [("weight", column) for column, _ in policy.weights]
    named += [("hierarchy", column) for column, _ in policy.hierarchies]
    for line, column in named:
        if column not in policy.quasi_identifiers:
            raise PolicyError(
                f"{line} names {column!r}, which is no quasi-identifier"
                f"{did_you_mean(column, policy.quasi_identifiers)}: only quasi-identifiers change"
            )
