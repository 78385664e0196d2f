"""What a release gives away: read, hold it to its policy, ask every rule, and score where the original is at hand."""

from __future__ import annotations

import dataclasses
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, PolicyError
from incrowd.jobs.shares import Clock, memory_kept
from incrowd.jobs.verify import AS_WRITTEN
from incrowd.policy.questions import complete, star_of
from incrowd.progress import Watch
from incrowd.results.attack import Attack, hierarchies_in, refuse_other_policy
from incrowd.results.release_facts import peak_mb
from incrowd.tables.attack.answer import attacked, facts_of_attack, facts_of_ranges
from incrowd.tables.attack.domains import read_domain
from incrowd.tables.attack.others import composed, read_beside
from incrowd.tables.attack.premises import premises_of, words_known
from incrowd.tables.attack.read import (
    at_one_vector,
    broken_rules,
    nothing_hidden,
    read_ranges,
    read_release,
    stars_before,
)
from incrowd.tables.attack.score import best_guesses, by_order, by_pairing, column_guesses, right_of, wrong_of
from incrowd.tables.attack.values import Asked
from incrowd.tables.engine.open import open_engine
from incrowd.tables.formats.base import bare
from incrowd.tables.read import label_of, open_source
from incrowd.tables.recoding import load_recoding
from incrowd.version import __version__

if TYPE_CHECKING:
    from collections.abc import Collection, Mapping, Sequence

    from incrowd.policy.job import Job, Policy
    from incrowd.tables.attack.answer import Inferences
    from incrowd.tables.attack.score import Edges
    from incrowd.tables.attack.values import Released, Standing
    from incrowd.tables.engine.base import Engine
    from incrowd.tables.table import Opened

GRID = "of ranges on a grid nothing is claimed beyond what a cell says: their ends are lines of the grid, not values"
COUNTED = "of the policy k alone is recounted here; `incrowd verify` recounts all of it"
RANGES = "of which cut was made, and which was not, nothing is claimed"


def attack(
    release: Any,
    job: Job,
    *,
    facts: Mapping[str, Any] | None = None,
    knows: Collection[str] = (),
    domains: Mapping[str, Any] | None = None,
    original: Any = None,
    same_order: bool = False,
    others: Sequence[Any] = (),
    same_people: bool = False,
    person: str | None = None,
    others_originals: Sequence[Any] = (),
    time_limit: float | None = None,
    watch: Watch | None = None,
) -> Attack:
    """Say what a release gives away to somebody who knows how it was made.

    The release is as `incrowd` writes it, and it alone is reasoned from; the policy of `job` says what it was made
    under. `facts` are what was published, the answer of ``incrowd anonymize --json``; without them the cost is taken
    for the least. `knows` is what the attacker is taken to know: policy, bound, cost, settled, solver; empty:
    everything. `domains` holds by column all values that are possible. `original` scores the inferences; it never
    changes one. `same_order` says whether the rows of release and original have the same order. Each of `others`,
    releases as `incrowd` writes them, is held against this one. With `same_people` they hold the same people as this
    one, one row each; else some may be in both, and nothing is excluded for certain. `person` is a column of the
    originals that names people, once each: of those who are in both tables it is counted exactly. `others_originals` go
    with `person` and are the originals of the other releases, in their order. `time_limit` is the seconds for the
    rules, once the release is read; what they found until then holds. Without it they end by themselves. An
    IncrowdError is raised if a table cannot be read, the policy does not explain the release, or facts or original are
    of another. One GROUP BY over the release; what is kept grows with its classes.
    """
    policy = complete(job.policy)
    if policy.other_hierarchies == "auto":  # each made one is told by the facts
        made = [one for one in hierarchies_in(facts).items() if one[0] not in dict(policy.hierarchies)]
        policy = dataclasses.replace(policy, hierarchies=(*policy.hierarchies, *made), other_hierarchies="none")
    recoding = load_recoding(policy.recoding)
    ranges = recoding.shows_ranges or recoding.on_grid
    if ranges and (original is not None or others):
        raise PolicyError(
            f"recoding={policy.recoding} is attacked by its labels alone: leave out original and others, which are "
            "about cells that show a level of a hierarchy"
        )
    if same_order and original is None:
        raise PolicyError("same_order says how the rows of the original lie: name it as original")
    if time_limit is not None and not time_limit >= 0:
        raise PolicyError(f"time_limit must be a number of at least 0, not {time_limit}")
    if same_people and not others:
        raise PolicyError("same_people says who is in the other releases: name them as others")
    if person is None and others_originals:
        raise PolicyError("others_originals says who is in the other release: name the column of people with person")
    if person is not None and (original is None or not others or len(others_originals) != len(others)):
        raise PolicyError(
            "person counts who is in both tables: name original, and for each of others its own original with "
            "others_originals"
        )
    known, asked = words_known(knows), _asked(policy, domains or {})
    clock = Clock(watch or Watch())
    sources = [source for source in (release, original, *others, *others_originals) if source is not None]
    with memory_kept(job, clock.watch, *sources) as memory, open_engine(job.engine, memory.engine, *sources) as engine:
        before = None
        with clock("read"):
            opened = _open_release(engine, release, job)
            if ranges:
                return _of_ranges(engine, release, opened, policy, asked, known, facts, clock)
            released = read_release(engine, opened, asked)
            if original is not None:
                before = open_source(engine, original, policy.reading)
                policy.roles.check(before.names, quotable=before.quotable)
        clock.watch.limit(time_limit)
        refuse_other_policy(facts, policy, released.rows)
        notes = [*_ambiguous(released, policy, facts), *nothing_hidden(released), *released.notes]
        broken: list[dict[str, int | str]] = []
        if recoding.single:
            released, broken = at_one_vector(released)
        broken = broken or broken_rules(released)
        with clock("attack"):
            found = attacked(released, premises_of(released, facts, known, valid=not broken), clock.watch)
            told = facts_of_attack(found, clock.watch) | {"broken": broken}
        if others and released.made:
            raise PolicyError(
                f"two releases can be held against each other by the values of {', '.join(released.made)} only: name a "
                "file that lists them as domains"
            )
        if others:
            with clock("compose"):
                told["composition"] = _composition(
                    engine, opened, before, others, others_originals, job, policy, asked, person, clock.watch,
                    same_people=same_people,
                )  # fmt: skip
        if before is not None and released.made:
            notes.append(
                f"wrong inferences are not counted: that needs the values of {', '.join(released.made)}, as domains"
            )
        elif before is not None and not broken:
            with clock("score"):
                notes += stars_before(engine, before, asked)
                edges: Edges | None
                if same_order:
                    edges = by_order(engine, before, opened, asked.judged, released)
                else:
                    kept = set(policy.roles.kept(before.names)) - set(asked.names)
                    others_of = [name for name in opened.names if name in kept]
                    edges = by_pairing(engine, before, opened, others_of, asked.judged, released)
                told |= _scored(edges, found, told, clock.watch)
                if told["pairing"] is None:
                    notes.append("the original has too many ways to become this release to count wrong inferences")
    return _signed(told | {"notes": notes}, release, known, clock, found)


def _signed(
    told: Mapping[str, Any], release: Any, known: Sequence[str], clock: Clock, found: Inferences | None = None
) -> Attack:
    """Return the answer, with what every one has."""
    held = {"guessing": None, "composition": None, "pairing": None, **told, "release": label_of(release).strip("'")}
    held |= {"knows": list(known), "complete": told["complete"] and not clock.watch.stopped}
    return Attack(**held, seconds=clock.report({}), peak_mb=peak_mb(), version=__version__, inferences=found)


def _of_ranges(
    engine: Engine, release: Any, opened: Opened, policy: Policy, asked: Asked, known: Sequence[str],
    facts: Mapping[str, Any] | None, clock: Clock,
) -> Attack:  # fmt: skip
    """Return what labels of ranges say by themselves."""
    standing: Standing = "proven" if isinstance((facts or {}).get("solver"), str) else "assumed"
    if not {"policy", "solver"} <= set(known):
        standing = "no"
    grid = load_recoding(policy.recoding).on_grid
    read = read_ranges(engine, opened, asked, grid=grid, numeric=policy.numeric)
    told = facts_of_ranges(*read, standing, clock.watch, grid=grid)
    refuse_other_policy(facts, policy, told["rows"])
    return _signed(told | {"notes": [GRID if grid else RANGES, COUNTED]}, release, known, clock)


def _asked(policy: Policy, domains: Mapping[str, Any]) -> Asked:
    """Return what an attack is told of a policy; `domains` holds by column all values that are possible, or a file."""
    listed = {
        name: read_domain(one, name) if isinstance(one, (str, Path)) else tuple(one) for name, one in domains.items()
    }
    return Asked(
        names=policy.quasi_identifiers, k=int(policy.k or 1), star=star_of(policy), outliers=policy.outliers,
        mask=policy.mask, cost=policy.cost, weights=dict(policy.weights), requirements=policy.requirements,
        hierarchies=dict(policy.hierarchies), complete=policy.complete_hierarchies, encoding=policy.reading.encoding,
        suppression_limit=policy.suppression_limit, domains=listed,
    )  # fmt: skip


def _open_release(engine: Engine, release: Any, job: Job) -> Opened:
    """Return a release opened as `incrowd` writes it; `job` says whether it was written safe for spreadsheets."""
    opened = open_source(engine, release, AS_WRITTEN)
    if job.spreadsheet_safe:
        rows, names = bare(engine, opened.data, opened.names)
        opened = dataclasses.replace(opened, data=rows, names=tuple(names))
    return opened


def _ambiguous(released: Released, policy: Policy, facts: Mapping[str, Any] | None) -> list[str]:
    """Refuse a release whose NULLs may be values; return what should be said of them."""
    if policy.suppressed == "text":
        return []
    stars = int((released.starred * released.sizes[:, None]).sum())
    said = None if facts is None else facts.get("suppressed_cells")
    if said is None:
        return ["missing cells are read as stars; where the original had missing values, findings may be wrong"]
    if said != stars:
        raise InputError(
            "some missing cells of the release are values, not stars, and nothing tells them apart: release with "
            "suppressed = text to have it attacked"
        )
    return []


def _composition(
    engine: Engine, opened: Opened, before: Opened | None, others: Sequence[Any], originals: Sequence[Any], job: Job,
    policy: Policy, asked: Asked, person: str | None, watch: Watch, *, same_people: bool,
) -> dict[str, Any]:  # fmt: skip
    """Return what a release says together with each of the others by itself, and the least over them.

    `before` is the original, and `originals` are those of the others in their order, where `person` is given.
    """
    lines: list[dict[str, Any]] = []
    for number, other in enumerate(others):
        held = [open_source(engine, one, policy.reading) for one in originals[number : number + 1]]
        held = [] if before is None else [before, *held]
        releases = [opened, _open_release(engine, other, job)]
        beside = read_beside(engine, releases, asked, policy.all_sensitive, held, person)
        told = composed(beside, asked.k, same_people=same_people, stop=lambda: watch.stopped)
        lines.append({"release": label_of(other).strip("'"), **told})
    known = [(line["people"] or {}).get("sensitive_known") for line in lines]
    worst = min(lines, key=lambda line: (line["joint_crowd"]["min"], line["joint_crowd"]["median"]))
    return {
        "joint_crowd": worst["joint_crowd"],
        "below_k": max(line["below_k"] for line in lines),
        "sensitive_known": max((many for many in known if many is not None), default=None),
        "others": lines,
    }


def _scored(edges: Edges | None, found: Inferences, told: Mapping[str, Any], watch: Watch) -> dict[str, Any]:
    """Return what is wrong of what was told, how often guesses are right, and how rows were paired (None: not)."""
    scored: dict[str, Any] = {"pairing": None}
    if edges is None:
        return scored
    released = found.released
    for key, exclusions in (("wrong", found.union("proven")), ("claimed_wrong", found.union("assumed"))):
        wrong = wrong_of(edges, exclusions, released, watch)
        if wrong is None:
            return scored
        scored |= {key: wrong.least, f"most_{key}": wrong.most}
    scored["rules"] = []
    for line, one in zip(told["rules"], found.found, strict=True):
        wrong = wrong_of(edges, one.exclusions, released, watch)
        counts = {} if wrong is None else {"wrong": wrong.least, "most_wrong": wrong.most}
        scored["rules"].append(line | counts)
    return scored | {"guessing": _guessed(found, edges, told["hidden_cells"], watch), "pairing": edges.how}


def _guessed(found: Inferences, edges: Edges, hidden: int, watch: Watch) -> dict[str, float] | None:
    """Return how often the best guesses at hidden cells are right, at least and at most, and the column's own."""
    excluded = found.union("proven") | found.union("assumed")
    right = right_of(edges, best_guesses(found.released, excluded, watch), watch)
    baseline = right_of(edges, column_guesses(found.released), watch)
    if right is None or baseline is None or not hidden:
        return None
    return {
        "right": round(right.least / hidden, 4),
        "most_right": round(right.most / hidden, 4),
        "baseline": round(baseline.least / hidden, 4),
        "most_baseline": round(baseline.most / hidden, 4),
    }
