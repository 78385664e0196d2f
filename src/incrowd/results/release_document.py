"""A release as a document: a verdict, what was asked, lost and proven, and what is left to worry about."""

from __future__ import annotations

import math
import shlex
from typing import TYPE_CHECKING, Any

from incrowd import registry
from incrowd.errors import InputError, and_, count_of, did_you_mean
from incrowd.report import cite
from incrowd.report.document import (
    Block,
    Card,
    Code,
    Document,
    Figure,
    Points,
    Prose,
    Section,
    Table,
    Verdict,
    models_table,
)
from incrowd.report.words import (
    CHECK,
    HIGHEST_CHANCE,
    SMALLEST_CROWD,
    at_least,
    at_most,
    models_of,
    others,
    percent,
    plain,
    sentences,
    up_to,
)
from incrowd.results import charts
from incrowd.results.charts import words_of
from incrowd.results.usefulness import usefulness_points

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from incrowd.report.drawings import Drawing
    from incrowd.results.charts import Level
    from incrowd.results.release_facts import Line, ReleaseFacts, ReportFacts


MOST_VALUES = 6  # values a text alternative repeats
MOST_COLUMNS = 24  # columns whose values are drawn
TWICE = 1.0  # gaps above this are told in times the least loss
COUNTED = 10**9  # above this the number of allowed combinations says nothing any more
ENDED = {
    "gap": "The search ended because the gap that was asked for is reached.",
    "time_limit": "The search ended at its time limit; more time may find a better release, or prove more.",
    "heuristic": "The search came to its own end, before any time limit.",
    "interrupted": "The search was interrupted; this is the best release found until then.",
}
STAGES = {
    "read": "read the table and check it",
    "compress": "group equal rows",
    "solve": "search for a release",
    "bound": "prove a lower bound",
    "expand": "write the stars into the rows",
    "verify": "recount the release independently",
    "recount": "recount the lower bound independently",
    "measure": "measure loss and risks",
}
TIES = {
    "tells": "rows with the same {kept} nearly always have the same {known}",
    "follows": "rows with the same {known} nearly always have the same {kept}, so it shows {known} more coarsely",
    "in_step": "{kept} and {known} go up and down together",
}
"""Why a column that passed unchanged tells a quasi-identifier, in the order in which one is said."""


def document(facts: ReleaseFacts, more: ReportFacts | None = None, *, details: bool = False) -> Document:
    """Return what every door shows of a release; with `more`, what a file shows beside that.

    `details` adds how the search went, in the solver's own words.
    """
    files: Mapping[str, str | None] = {} if more is None else more.files
    rest = [] if more is None else [
        Section("safety", "How safe it is", list(_safety(facts, more)), paper=True),
        Section("columns", "What each column still shows", list(_columns_shown(facts, more)), columns=True, paper=True),
        *([Section("usefulness", "Is it still useful", list(_useful(more.usefulness)), paper=True)]
          if more.usefulness else []),
    ]  # fmt: skip
    sections = [
        Section("asked", "What was asked", [Points(list(_asked(facts))), _columns(facts)]),
        *rest,
        Section("loss", "What was lost", list(_loss(facts, more))),
        Section("optimality", "How close to the least possible loss", list(_proof(facts))),
        Section("limits", "What this does not protect from", [Points(list(_worries(facts)))]),
    ]
    if details:
        sections.append(Section("details", "Details", [Points(list(_details(facts)))]))
    if more is not None:
        sections += [
            Section("done", "What was done", list(_done(facts)), paper=True),
            Section("check", "Check it yourself", [*check(files), *_belongs(facts)], paper=True),
            Section("cite", "What to cite", [Points(cite.for_release(facts.facts))], paper=True),
        ]
    name = files.get("output") or files.get("source")
    dry = ["Nothing was written: this was a dry run."] if facts.dry_run and more is not None else []
    made = [f"Made from {files['source']}."] if files.get("output") and files.get("source") else []
    title = f"Release of {count_of(facts.rows, 'row')}" + (f": {name}" if name else "")
    promise = "It names columns, counts and settings; values only where enough rows of the release show them."
    opening = [_kept(facts), _lost(facts), _near(facts), *made, *dry]
    return Document(title, opening, verdict_of(facts), list(_cards(facts)), sections, promise)


# Rows below which a sensitive column that is nearly unique says nothing.
FEW = 20


# What a reader looks for first: what was promised and kept, lost and proven, and what has to be decided.
def verdict_of(facts: ReleaseFacts) -> Verdict:
    """Return whether a release may be handed out under its policy, and what a person has to decide before."""
    bad, open_points = list(_against(facts)), list(_open(facts))
    if bad:
        return Verdict("no", "Do not hand this release out as it is.", [*bad, *open_points])
    if open_points:
        count = "one question" if len(open_points) == 1 else f"{len(open_points)} questions"
        return Verdict("look", f"The release keeps its policy. Answer {count} before you hand it out.", open_points)
    return Verdict("yes", "The release keeps its policy, and nothing in it calls for a second look.")


def _against(facts: ReleaseFacts) -> Iterator[str]:
    if facts.k == 1:
        yield "k is 1: nobody is hidden among others. Ask for a greater k, for example 5."
    if not facts.k_anonymous:
        yield (
            f"{_rows_are(facts.outliers)} fully suppressed and fewer than k = {facts.k}: whoever is known to be in the "
            "table and fits no shown class is one of them. Set outliers to forbid."
        )


def _open(facts: ReleaseFacts) -> Iterator[str]:
    judged = _judged(facts)
    bare = [c["name"] for c in facts.kept_columns if c["role"] == "sensitive" and c["name"] not in judged]
    if bare:
        yield (
            f"Is it acceptable that {and_(bare)} may be learned? The column{'s' if len(bare) > 1 else ''} passed "
            "unchanged and nothing was asked of the values: where all people of a class share one, it is known of "
            "each. If it is not, ask that several stay possible in every class (l = 2 or more)."
        )
    for column in facts.kept_columns:
        # of a few rows every column is; one question of what nobody may learn will do then
        if column["nearly_unique"] and (column["role"] != "sensitive" or facts.rows >= FEW):
            yield (
                f"Could anybody know a person's {column['name']}? It is kept as it is and nearly unique: who knows it "
                "finds the person. Drop it, or make it a quasi-identifier."
            )
    plainly = [c["name"] for c in facts.kept_columns if c["role"] != "sensitive" and not c["nearly_unique"]]
    if plainly:
        several = len(plainly) > 1
        it, role = ("them", "quasi-identifiers") if several else ("it", "a quasi-identifier")
        yield (
            f"Can an attacker know {and_(plainly)} of a person? {'They' if several else 'It'} passed unchanged, "
            f"outside the protection. If so, make {it} {role}; if nobody needs {it}, drop {it}."
        )
    yield from tie_questions(facts.column_ties)
    if facts.keep_order:
        yield "Does anybody hold a table in the same row order? The input's order was kept, so rows can be joined."


def tie_questions(ties: Sequence[Line]) -> Iterator[str]:
    """Yield a question for every column that passed unchanged and tells a quasi-identifier that was changed."""
    said: dict[tuple[str, str], list[str]] = {}
    for tie in ties:
        how = next(how for how in TIES if how in tie["how"])
        said.setdefault((tie["column"], how), []).append(tie["quasi_identifier"])
    for (kept, how), known in said.items():
        were = "was" if len(known) == 1 else "were"
        yield (
            f"Does {kept} give away what was hidden of {and_(known)}? It passed unchanged and {and_(known)} {were} "
            f"changed, but {TIES[how].format(kept=kept, known=and_(known))}. If so, drop {kept}, or make it a "
            "quasi-identifier."
        )


def _rows_are(count: int) -> str:
    return f"{count_of(count, 'row')} {'is' if count == 1 else 'are'}"


def _kept(facts: ReleaseFacts) -> str:
    """Return what was promised, and that it was kept."""
    k, rows, classes = facts.k, count_of(facts.rows, "row"), facts.classes["count"]
    if not facts.k_anonymous:
        said = (
            f"The release of {rows} is k-anonymous for k={k:,} EXCEPT for {count_of(facts.outliers, 'row')} "
            f"that {'is' if facts.outliers == 1 else 'are'} fully suppressed and too few to hide in (see below)."
        )
    elif k == 1:
        said = f"The release of {rows} asks for no crowd at all: k=1 hides nobody."
    else:
        formed = "" if not classes else f", in {classes:,} classes" if classes > 1 else ": they form one class"
        said = f"Every one of the {rows} of the release looks like at least {others(k)}{formed}."
    if not classes:
        said += " All rows are fully suppressed."
    judged = _judged(facts)
    return f"{said} What was asked of {and_(judged)} is kept too." if judged else said


def _judged(facts: ReleaseFacts) -> list[str]:
    """Return the sensitive columns of which something was asked."""
    return sorted({column for line in facts.requirements for column in line["columns"]})


def _lost(facts: ReleaseFacts) -> str:
    cells = facts.rows * len(facts.quasi_identifiers)
    if facts.changed_cells == facts.suppressed_cells == 0:
        return f"Nothing was lost: none of the {count_of(cells, 'cell')} of the quasi-identifiers had to change."
    bare = [c["name"] for c in facts.stars_per_column if c["suppressed"] == facts.rows > facts.fully_suppressed_rows]
    gone = [f" Nothing is left of {and_(bare)}, which a hierarchy may change."] if bare else []
    coarser = facts.changed_cells - facts.suppressed_cells
    shown = f"{coarser:,} show{'s' if coarser == 1 else ''} {words_of(facts).cell} ({percent(coarser / cells)}); "
    return (
        f"{facts.suppressed_cells:,} of {count_of(cells, 'cell')} of the quasi-identifiers "
        f"{'is' if facts.suppressed_cells == 1 else 'are'} suppressed ({percent(facts.suppressed_fraction)}); "
        f"{shown if coarser else ''}the rest is as it was.{''.join(gone)}"
    )


def _near(facts: ReleaseFacts) -> str:
    """Return how near a release is to the least possible loss."""
    if facts.quiet:
        return "How near this is to the least possible loss is not told (quiet_facts)."
    cost, gap, bound = plain(facts.cost), facts.gap, at_least(facts.lower_bound)
    if facts.optimal:
        one = " with one recoding for the whole table" if facts.levels is not None else ""
        if facts.lower_bound_checked < facts.lower_bound:
            bound += f" (a solver's word; of it {at_least(facts.lower_bound_checked)} can be recounted)"
        return f"This is the least loss possible under this policy{one}: no release can cost less than {bound}."
    if gap is None:
        return f"How near this is to the least possible loss is not known: it costs {cost}, no bound above 0 is proven."
    near = f"{at_most(gap)} above" if gap <= TWICE else f"{math.ceil(10 * (1 + gap)) / 10:,.1f} times"
    return f"At most {near} the least possible loss (cost {cost}; none under this policy is below {bound})."


def _cards(facts: ReleaseFacts) -> Iterator[Card]:
    """Yield the numbers that are looked for first."""
    smallest, cells = facts.classes["min"], facts.rows * len(facts.quasi_identifiers)
    asked = f"k = {facts.k:,} was asked"
    yield Card("–" if smallest is None else f"{smallest:,}", SMALLEST_CROWD, asked)
    risk = facts.measures.get("risks", {}).get("prosecutor")
    if risk is not None:
        yield Card(percent(risk), HIGHEST_CHANCE, "of a person known to be in the table")
    stars = f"{facts.suppressed_cells:,} of {cells:,}"
    yield Card(percent(facts.suppressed_fraction), "of the cells that may change became stars", stars)
    if facts.optimal:
        yield Card("0%", "above the least possible loss", "this is the least")
    elif facts.gap is not None:
        near = at_most(facts.gap)
        yield Card(near if near.startswith("under") else f"≤ {near}", "above the least possible loss", "proven")
    else:
        yield Card("unknown", "distance to the least possible loss", "no lower bound above 0")


def _asked(facts: ReleaseFacts) -> Iterator[str]:
    k = facts.k
    if k == 1:
        yield "k = 1: rows need not look alike."
    else:
        known = and_(facts.quasi_identifiers)
        yield f"k = {k:,}: nobody who knows {known} of a person can tell their row from {others(k)}."
    for line in facts.requirements:
        meaning = registry.load("models", line["rule"].split()[0]).summary
        reached = "not measured" if line["reached"] is None else plain(line["reached"])
        yield f"{line['rule']}: {meaning} (reached: {reached})."
    if facts.mask == ["every pattern is allowed"]:
        yield "Mask: any cells of the quasi-identifiers may be suppressed together."
    else:
        yield f"Mask: {'; '.join(facts.mask)}."
    if facts.levels is not None:
        levels = ", ".join(f"{name} {level}" for name, level in facts.levels.items())
        yield f"One recoding for the whole table: every row that is not fully suppressed is shown at level {levels}."
    if facts.suppression_limit is not None and facts.most_suppressed is not None:
        most, share = count_of(facts.most_suppressed, "row"), facts.suppression_limit
        yield f"At most {most} fully suppressed (a share of {share})."
    yield from _proposed(facts.proposed_hierarchies or ())
    yield from _grid(facts)
    if facts.outlier_rule == "suppress":
        yield "Rows of stars alone need no crowd (outliers: suppress)."
    if facts.dropped_identifiers:
        one = facts.dropped_identifiers == 1
        yield f"{'The' if one else facts.dropped_identifiers} identifier column{' was' if one else 's were'} dropped."


def _proposed(proposed: Sequence[Line]) -> Iterator[str]:
    """Yield what was proposed by column, what got nothing and why, and the settings that ask for the same."""
    made = [one for one in proposed if one["hierarchy"] is not None]
    if made:
        said = [
            f"{one['column']}: {one['why']}"
            + (f", {count_of(n, 'other value')} shown or starred" if (n := one["under_the_root"]) else "")
            for one in made
        ]
        yield f"Hierarchies by the columns' values (auto): {'; '.join(said)}."
    if bare := [f"{one['column']} ({one['why']})" for one in proposed if one["hierarchy"] is None]:
        yield f"No hierarchy was found for {and_(bare)}."
    if made:
        same = ", ".join(f"{one['column']} = {one['hierarchy']}" for one in made)
        complete = "; complete_hierarchies = true" if any(one["under_the_root"] for one in made) else ""
        yield f"The same to verify with, or to edit: hierarchies {same}{complete}."


def _grid(facts: ReleaseFacts) -> Iterator[str]:
    """Yield where the ranges of each column end, and how that was chosen."""
    for name, step in (facts.grid or {}).items():
        said = f"Ranges of {name} end at multiples of {step} (round)"
        if (how := (facts.grid_steps or {}).get(name)) is not None:
            on = f"a sample of {how['rows']:,} rows" if how["sampled"] else "all rows"
            if not how["in_time"]:
                said += "; the time did not suffice to compare the releases of other steps: name one as round"
            elif len(how["compared"]) > 1:
                said += f", the coarsest of 1, 2, 5, 10, 20, ... units that costs at most 1 % more than one, on {on}"
        yield f"{said}."


def _columns(facts: ReleaseFacts) -> Table:
    rows = [[name, "quasi-identifier", "may be known; changed as the mask allows"] for name in facts.quasi_identifiers]
    for column in facts.kept_columns:
        secret = column["role"] == "sensitive"
        role, meaning = ("sensitive", "must not be learned; kept") if secret else ("no role", "kept as it is")
        rows.append([column["name"], role, meaning])
    return Table("The columns of the release", ["column", "role", "meaning"], rows, wide=True)


def _loss(facts: ReleaseFacts, more: ReportFacts | None) -> Iterator[Block]:
    cost = [] if facts.quiet else list(_cost(facts))
    stars = sorted(facts.stars_per_column, key=lambda c: -c["suppressed"])
    some = [f"{c['name']} {percent(c['fraction'])}" for c in stars if c["suppressed"]]
    whole = [c["name"] for c in stars if not c["suppressed"]]
    said = [f"Share of rows suppressed, by column: {', '.join(some)}."] if some else []
    said += [f"Never suppressed: {', '.join(whole)}."] if whole else []
    if cost:
        yield Points(cost)
    yield Figure(
        charts.columns(facts), caption="Stars by column", alternative=" ".join(said), told=True,
        table=Table(
            "Stars by column", ["column", "rows suppressed", "share"],
            [[c["name"], c["suppressed"], percent(c["fraction"])] for c in stars],
        ),
    )  # fmt: skip
    full = facts.fully_suppressed_rows
    rest = list(_stars_alone(facts))
    rest += [f"{count_of(full, 'row')} fully suppressed ({percent(full / facts.rows)})."] if full else []
    if rest:
        yield Points(rest)
    tops = {line["name"]: max(1, len(line["rows"]) - 1) for line in facts.levels_per_column}
    yield _levels(facts, charts.level_shares(facts, {} if more is None else more.level_names))
    yield _patterns(facts, tops if more is None else more.levels_top)
    yield _measures(facts)


def _cost(facts: ReleaseFacts) -> Iterator[str]:
    """Yield how the cost of a release is to be read, nothing where it is the number of suppressed cells."""
    if words_of(facts).like_stars:
        yield (
            f"A cell that shows a range costs like a star, {plain(facts.cost)} in all; the ranges are "
            f"{percent(facts.measures['ncp'])} as wide as they could be (certainty penalty, NCP; less is better)."
        )
    elif facts.cost_name:
        told = registry.load("costs", facts.cost_name.partition(":")[0]).summary
        yield f"Cost by {facts.cost_name}, with weights: {plain(facts.cost)} ({told})."
    elif facts.cost != facts.suppressed_cells:
        yield (
            f"Cost with weights and labels: {plain(facts.cost)} (a star counts the weight of its column, a coarser "
            "label a part of it)."
        )


def _stars_alone(facts: ReleaseFacts) -> Iterator[str]:
    """Yield what stars alone cost an analysis, and how to get bands, dates and prefixes instead."""
    if (alone := facts.stars_alone) is not None and not facts.quiet:
        yield (
            "A star says nothing to an analysis where a band, a year or a prefix still counts: of "
            f"{count_of(alone['sample_rows'], 'row')} a quick search loses {percent(alone['loss'])} with stars alone, "
            f"and {percent(alone['loss_with_hierarchies'])} with hierarchies for {and_(alone['columns'])} "
            "(hierarchies = auto makes them from the values)."
        )


def _patterns(facts: ReleaseFacts, levels_top: Mapping[str, int]) -> Figure:
    used, words = facts.patterns_used, words_of(facts)
    shown = min(len(used), charts.MOST_PATTERNS)
    rest = sum(p["rows"] for p in used[shown:])
    note = f" The {len(used) - shown:,} rarer ones ({rest:,} rows) are left out." if len(used) > shown else ""
    if any(height > 1 for height in levels_top.values()):
        note += words.legend

    def shows(name: str, level: int) -> str:
        return f"{name} {'★' if level >= levels_top.get(name, 1) else words.level.format(level)}"

    rows = [
        [", ".join(shows(*one) for one in p["levels"].items()) or "nothing changed", p["rows"], p["classes"]]
        for p in used[:shown]
    ]
    return Figure(
        charts.patterns(facts, levels_top), wide=True,
        caption=f"What is blanked together, with the number of rows: the {shown} most frequent patterns.{note}",
        alternative=f"Heat map of {shown} patterns over {len(facts.quasi_identifiers)} columns, ★ where a cell is "
        f"suppressed. Most frequent: {rows[0][0]}, {rows[0][1]:,} rows." if rows else "No pattern is in use.",
        table=Table("Patterns by rows", ["suppressed columns", "rows", "classes"], rows),
    )  # fmt: skip


def _measures(facts: ReleaseFacts) -> Table:
    rows = []
    for name, value in facts.measures.items():
        number = value.get("fraction") if isinstance(value, dict) and name != "risks" else value
        if isinstance(number, int | float):
            rows.append([name.replace("_", " "), number, registry.load("measures", name).summary])
    return Table("Measures of loss", ["measure", "value", "meaning"], rows, wide=True)


def _proof(facts: ReleaseFacts) -> Iterator[Block]:
    yield Prose("An independent recount of the release against the original passed.")
    if facts.quiet:
        return
    yield Points([_unproven(facts), *_kernel(facts)])
    yield Points(sentences(facts.advice) or ([ENDED[facts.status]] if facts.status in ENDED else []))
    points = [p for p in facts.progress or () if p["cost"] is not None or p["lower_bound"] is not None]
    cost, bound = facts.cost, at_least(facts.lower_bound)
    if len({p["seconds"] for p in points}) > 1:
        rows = [[p["seconds"], p["cost"], p["lower_bound"]] for p in points]
        yield Figure(
            charts.bounds(points), caption="Cost and lower bound while the search ran",
            alternative=f"The cost falls to {plain(cost)}; the proven lower bound rises to {bound}.",
            table=Table("Cost and bound over time", ["seconds", "cost", "lower bound"], rows),
        )  # fmt: skip
    told: list[list[Any]] = [
        ["cost of this release", cost],
        ["no release under this policy costs less than", bound],
        ["of which a recheck of the certificate confirms", at_least(facts.lower_bound_checked)],
        ["gap", "unknown" if facts.gap is None else at_most(facts.gap)],
    ]
    yield Table("In numbers", ["", "value"], told)


def _unproven(facts: ReleaseFacts) -> str:
    """Return what of a release's claim is not proven, in one plain sentence."""
    if not facts.optimal:
        left, cost = up_to(facts.cost - facts.lower_bound), plain(facts.cost)
        return f"What remains unproven: a cheaper release may exist, cheaper by at most {left} of {cost}."
    if facts.lower_bound_checked < facts.lower_bound:
        checked = at_least(facts.lower_bound_checked)
        return f"A certificate can recheck the bound up to {checked}; the rest is the word of an exact solver."
    return "Nothing remains unproven: a certificate lets anybody who holds the original recount the bound."


def _kernel(facts: ReleaseFacts) -> Iterator[str]:
    """Yield what the kernel left of the table; nothing where none was asked for."""
    if (kernel := facts.kernel) is None:
        return
    before, rows, most = kernel["rows_before"], kernel["rows"], kernel["most_copies"]
    if rows == before:
        yield f"The kernel is the whole table: no row stands in it more than {most:,} times."
        return
    yield (
        f"The search ran on a kernel of {rows:,} of the {count_of(before, 'row')}, each in it at most {most:,} times; "
        f"the others went back in as they are, {facts.k:,} equal ones at a time, at no cost, and the least loss is the "
        "same."
    )


def _worries(facts: ReleaseFacts) -> Iterator[str]:
    judged = _judged(facts)
    if judged:
        yield (
            f"{and_(judged)} passed unchanged; what was asked limits what a class tells of its members, not what "
            "somebody can rule out who knows them."
        )
    yield from sentences(facts.notes, [column["name"] for column in facts.kept_columns])
    pairs = facts.column_pairs
    if pairs and pairs["looked_at"] < pairs["possible"]:
        yield (
            "Whether a column that passed unchanged tells a quasi-identifier was looked at for "
            f"{pairs['looked_at']:,} of {count_of(pairs['possible'], 'pair')} of columns."
        )
    if not facts.quiet:
        yield from _given_away(facts.gives_away)
    yield (
        "k-anonymity hides who a row belongs to among those who look alike; it does not protect against somebody "
        "who knows more columns than the quasi-identifiers, or who holds another release of the same people."
    )


def _given_away(found: Line | None) -> Iterator[str]:
    """Yield what a release gives away and what to do about it; nothing where that was not looked at."""
    if found is None or not found["hidden_cells"]:
        return
    cells, inside = found["cells"], found["insider_cells"]
    said = []
    if cells:
        seems = "excludes" if found["settled"] else "may exclude"
        said.append(
            f"Who knows that as little as possible was hidden {seems} a value in {count_of(cells, 'hidden cell')} of "
            f"{found['hidden_cells']:,} ({percent(cells / found['hidden_cells'])})."
        )
    if inside:
        learns = "learns" if found["settled"] else "may learn"
        said.append(
            f"In classes of two each of the two {learns} a value that the other does not have, in "
            f"{count_of(inside, 'cell')}."
        )
    if said:
        yield f"{' '.join(said)} A larger k, coarser columns or blunt = 2 give away less; `incrowd attack` says what."
    else:
        yield "No simple rule excludes a value in a hidden cell (`incrowd attack` asks more of them)."


def _details(facts: ReleaseFacts) -> Iterator[str]:
    """Yield how the search went, where it is told, and measures for those who know them."""
    if not facts.quiet:
        ended, seconds = facts.status.replace("_", " "), facts.seconds.get("solve", 0)
        yield f"Found by {facts.solver} ({ended}) in {seconds:.2f} s of solving."
        yield from sentences(facts.solver_notes)
        checked = at_least(facts.lower_bound_checked)
        yield f"The lower bound is a {facts.bound_method} bound; of it {checked} can be recounted from a certificate."
    count = facts.patterns_allowed
    combinations = count_of(count, "combination") if count < COUNTED else "More than a billion combinations"
    yield f"{combinations} of changed columns {'is' if count == 1 else 'are'} allowed."
    if "usefulness" in facts.measures:
        yield (
            f"The original rows behind a class differ by {plain(round(facts.measures['usefulness'], 3))} on "
            f"average, of {len(facts.quasi_identifiers)} at most (the measure 'usefulness': the smaller it is, the "
            "more useful the release)."
        )


# What a file shows beside that: how safe the release is, what each column shows, what was done, and how to check it.
def _safety(facts: ReleaseFacts, more: ReportFacts) -> Iterator[Block]:
    classes = facts.classes
    if classes["count"]:
        yield Prose(
            "Rows that look alike on all columns an attacker may know form a crowd (class). The "
            f"smallest crowd has {classes['min']:,} rows ({facts.k:,} asked), the average {classes['mean']:,.1f}, the "
            f"largest {classes['max']:,}."
        )
        yield charts.crowds(more.class_sizes, facts.rows)
    before, after = more.before, facts.measures.get("risks", {})
    alone = after.get("unique_rows")
    rows = [
        ["people whose row is unlike any other", _about(before["unique_percent"]),
         "–" if alone is None else "none" if not alone else percent(alone / facts.rows)],
        [HIGHEST_CHANCE, _about(before["prosecutor_percent"]),
         _chance(after.get("prosecutor"))],
        ["average chance", _about(before["prosecutor_mean_percent"]), _chance(after.get("prosecutor_mean"))],
    ]  # fmt: skip
    for old, new in zip(before["above"], after.get("above", []), strict=False):
        above = f"people with a chance above {old['threshold']:.0%}"
        rows.append([above, _about(old["percent"]), _chance(new["fraction"])])
    yield Table("Risk that a known person's row is found", ["", "original (rounded)", "release"], rows)
    crowd = {"name": "k-anonymity", "asked": facts.k, "reached": classes["min"], "ok": facts.k_anonymous}
    yield models_table([crowd, *(m for m in models_of(facts.facts) if m["name"] != "k-anonymity")])


def _about(value: int) -> str:
    """Return a percentage that was rounded on purpose; 0 and 100 mean none and all."""
    if 1 < value < 99:
        return f"about {value}%"
    return {0: "none", 1: "1% or less", 99: "99% or more", 100: "all (100%)"}[value]


def _chance(value: float | None) -> str:
    return "–" if value is None else percent(value)


def _columns_shown(facts: ReleaseFacts, more: ReportFacts) -> Iterator[Block]:
    yield Prose(
        f"Values are named where at least {more.least_shown} rows of the release show them; all others are pooled. Of "
        "the original only the number of distinct values is told, and a rough share of what is named: exact counts "
        "beside those of the release would tell by subtraction what a star hides."
    )
    columns = sorted(more.columns_after, key=lambda c: -c["starred"])[:MOST_COLUMNS]
    if len(columns) < len(more.columns_after):
        yield Prose(f"The {len(columns)} columns with most stars of {len(more.columns_after)} are drawn.")
    for column in columns:
        if column["intervals"]:
            yield _intervals(column)
        elif lines := charts.value_rows(column, facts.rows):
            said = "; ".join(f"{line['label']} {percent(line['share'])}" for line in lines[:MOST_VALUES])
            rows = [[line["label"], line["rows"], percent(line["share"]), _band(line["before"])] for line in lines]
            yield Figure(
                charts.column(column, facts.rows),
                caption=f"{column['name']}: {column['distinct_before']:,} distinct values before",
                alternative=f"Share of rows after the release: {said}.",
                table=Table(column["name"], ["value", "rows after", "share after", "share before (rough)"], rows),
            )  # fmt: skip


def _band(before: Any) -> str:
    """Return a band of shares in words: the least and the greatest share, or None."""
    return "–" if before is None else f"{before[0]:.0%} to {before[1]:.0%}"


def _levels(facts: ReleaseFacts, lines: Sequence[Level]) -> Figure:
    """Return the shares of the cells that are as they were, coarser or stars, by column."""
    drawn = list(dict.fromkeys(line.column for line in lines))
    rest = len(drawn) - charts.MOST_COLUMNS
    some = [f"{line.column} {line.what} {percent(line.share)}" for line in lines[: 2 * MOST_VALUES]]
    coarser = f", {words_of(facts).cell} in between" if any(line.mark not in ("", "★") for line in lines) else ""
    more = f" The {rest:,} columns that changed least are in the table alone." if rest > 0 else ""
    return Figure(
        charts.levels(lines),
        caption=f"What the cells of each column show: the value as it was at the left{coarser}, a star at the "
        f"right.{more}",
        alternative=f"Stacked bars, share of rows by column: {'; '.join(some)}.",
        table=Table(
            "Cells by column and level", ["column", "cells show", "rows", "share"],
            [[line.column, line.what, line.rows, percent(line.share)] for line in lines],
        ),
    )  # fmt: skip


def _intervals(column: Line) -> Figure:
    """Return the ranges of a column on an axis."""
    lines = [[_ends(one["low"], one["high"]), one["rows"]] for one in column["intervals"]]
    some = sorted(lines, key=lambda line: -line[1])[:MOST_VALUES]
    return Figure(
        charts.intervals(column),
        caption=f"{column['name']}: the {len(lines)} ranges and numbers that most rows show, numbers "
        f"in the first line; {column['distinct_before']:,} distinct values before",
        alternative=f"Ranges on an axis, with their rows: {'; '.join(f'{line[0]} {line[1]:,}' for line in some)}.",
        table=Table(column["name"], ["range", "rows after"], lines),
    )  # fmt: skip


def _ends(low: float | None, high: float | None) -> str:
    if low is None:
        return f"up to {high:.10g}"
    if high is None:
        return f"from {low:.10g}"
    return f"{low:.10g}" if low == high else f"{low:.10g} to {high:.10g}"


def _useful(found: Line) -> Iterator[Block]:
    yield Points(usefulness_points(found))
    counts, pairs = found["counts"], found["associations"]
    if counts["queries"]:
        rows = [
            ["counts, on average", percent(counts["mean"]), percent(counts["mean_of_noise"])],
            ["counts, half of them by at most", percent(counts["median"]), percent(counts["median_of_noise"])],
            ["counts, by how frequent values are", percent(counts["mean_by_shares"]), percent(counts["mean_of_noise"])],
        ]
        if pairs["pairs"]:
            rows.append(["associations, on average", plain(pairs["mean"]), plain(pairs["mean_of_noise"])])
            rows.append(["associations, at most", plain(pairs["largest"]), plain(pairs["largest_of_noise"])])
        yield Figure(
            charts.count_errors(counts),
            caption="How far random counts are off; the upright line is what another sample of as many people would be",
            alternative=f"Bars: counts are off by {percent(counts['mean'])} on average, half of them by at most "
            f"{percent(counts['median'])}; another sample by {percent(counts['mean_of_noise'])} on average.",
            table=Table("Errors of analyses", ["", "release", "another sample"], rows),
        )  # fmt: skip
    yield Prose(
        "The figures hold the release against the original and are rounded: they are for those who decide, like the "
        "rest of this report. More questions, and models that learn from the release, are asked by incrowd usefulness."
    )


def _done(facts: ReleaseFacts) -> Iterator[Block]:
    count, least = facts.classes["count"], facts.classes["min"]
    formed = (
        "no class, every row fully suppressed"
        if not count
        else f"1 class of {least:,} rows"
        if count == 1
        else f"{count:,} classes, the smallest of {least:,} rows"
    )
    yield Prose(
        "An independent check, which shares no code with what made the release, recounted it against the original "
        f"before it was handed out: {formed}, every changed cell allowed, every other cell as it was. It passed."
    )
    rows = [[text, f"{facts.seconds[name]:.2f}"] for name, text in STAGES.items() if name in facts.seconds]
    yield Table("Stages as performed", ["stage", "seconds"], rows)
    settings = [
        ["solver", facts.solver],
        ["how the search ended", facts.status.replace("_", " ")],
        ["notes of the solver", "; ".join([*facts.advice, *facts.solver_notes]) or "none"],
        ["seed", "none: drawn from the system and kept nowhere" if facts.seed is None else str(facts.seed)],
        ["row order", "as in the input" if facts.keep_order else "by the released content alone"],
        ["a star is written as", facts.suppressed],
        ["version", f"incrowd {facts.version}"],
    ]
    yield Table("Settings", ["setting", "value"], settings)


def _belongs(facts: ReleaseFacts) -> Iterator[Block]:
    if facts.released_sha256:
        yield Prose(f"This report is about the file with the SHA-256 {facts.released_sha256}, and about no other.")
    if facts.released_sum:
        yield Prose(f"The sum of its rows' hashes, by which a certificate names it too, is {facts.released_sum}.")
    yield Prose("Released by ______________________________  on ____________________")


def check(files: Mapping[str, str | None]) -> Iterator[Block]:
    """Yield how an auditor recounts the release.

    `files` holds base names of ``source``, ``output`` and ``certificate`` (or None), and the ``policy`` as TOML.
    """
    source, output = files["source"] or "original.csv", files["output"] or "release.csv"
    yield Prose(
        "Whoever holds the original and the release can recount everything that is claimed here, with a program that "
        "shares no code with the one that made the release. Save this policy as policy.toml beside them and run:"
    )
    command = ["incrowd", "verify", source, output, "--policy", "policy.toml"]
    if files["certificate"]:
        command += ["--certificate", files["certificate"]]
    yield Code(shlex.join(command), CHECK)
    yield Code((files["policy"] or "").rstrip(), "policy.toml")
    if not files["certificate"]:
        yield Prose(
            "No certificate was written with this release, so the check covers the classes, the policy and every cell, "
            "but not the lower bound; a certificate has to be asked for when the release is made."
        )
    yield Prose(
        "Whoever has only a browser can do the same with a page that checks offline and from which nothing leaves the "
        "tab; this command writes it:"
    )
    yield Code("incrowd checker -o check.html", "The check as a page")
    if files["source"]:
        needed = f"the original ({source}) and the release ({output})"
        yield Prose(f"Needed for it: {needed}; all names are without their folders.")


# Charts of a release for notebooks: levels, classes and patterns are the figures of the report.
CHARTS = ("levels", "classes", "patterns", "columns", "bounds")


class Plots:
    """Charts of one release, each a `Drawing` that a notebook shows by itself: ``release.plot()``, or by name.

    ``release.plot.levels().save("levels.svg")`` writes one as SVG.
    """

    def __init__(self, facts: ReleaseFacts, more: Callable[[], ReportFacts]) -> None:
        self._facts, self._more = facts, more

    def __call__(self, name: str = "levels") -> Drawing:
        """Draw a chart by its name, by default what the cells of each column show.

        Parameters
        ----------
        name : {"levels", "classes", "patterns", "columns", "bounds"}
            Which one.

        Raises
        ------
        InputError
            If there is no such chart.
        """
        if name not in CHARTS:
            raise InputError(f"there is no chart {name!r}{did_you_mean(name, CHARTS)}; there are {', '.join(CHARTS)}")
        found: Drawing = getattr(self, name)()
        return found

    def classes(self) -> Drawing:
        """Draw rows by the size of the crowd (class) they are in."""
        return charts.crowds(self._more().class_sizes, self._facts.rows).drawing

    def patterns(self) -> Drawing:
        """Draw the patterns in use as a map over the columns, with their rows."""
        return _patterns(self._facts, self._more().levels_top).drawing

    def levels(self) -> Drawing:
        """Draw what the cells of each column show: the value as it was, coarser labels, a star."""
        return _levels(self._facts, charts.level_shares(self._facts, self._more().level_names)).drawing

    def columns(self, name: str | None = None) -> Drawing:
        """Draw the share of rows suppressed by column; with a column's `name`, what it still shows.

        Raises
        ------
        InputError
            If `name` is no quasi-identifier.
        """
        if name is None:
            return charts.columns(self._facts)
        shown = {column["name"]: column for column in self._more().columns_after}
        if name not in shown:
            raise InputError(f"{name!r} is no quasi-identifier of this release{did_you_mean(name, list(shown))}")
        return charts.column(shown[name], self._facts.rows)

    def bounds(self) -> Drawing:
        """Draw the cost of the best release and the proven lower bound while the search ran."""
        return charts.bounds(self._facts.progress or ())
