"""The text summary: a verdict in three lines, then what was asked, lost and proven, and what is left to worry about.

Made from the facts alone. The solver's own words stand among the details, which are shown when they are asked for.
"""

from __future__ import annotations

import math
import shlex
import textwrap
from typing import TYPE_CHECKING, Any

from incrowd import registry
from incrowd.errors import count_of
from incrowd.report.text.attack import given_away
from incrowd.report.text.verdict import grid_words, pairs_words, verdict_of_release, words_of
from incrowd.report.text.words import and_, at_least, at_most, bound_words, others, percent, plain, sentences

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

WIDTH = 100
TWICE = 1.0  # gaps above this are told in times the least loss
COUNTED = 10**9  # above this the number of allowed combinations says nothing any more
ENDED = {
    "gap": "the search ended because the gap that was asked for is reached",
    "time_limit": "the search ended at its time limit; more time may find a better release, or prove more",
    "heuristic": "the search came to its own end, before any time limit",
    "interrupted": "the search was interrupted; this is the best release found until then",
}


def summary(facts: Mapping[str, Any], *, details: bool = False) -> str:
    """Return a summary of a release that a newcomer understands, in lines of at most 100 characters.

    The facts are as `incrowd.report.facts.release.facts_of` returns them. `details` adds how the search went, in the
    solver's own words.
    """
    lost = list(_lost(facts))
    proof = list(_proof(facts))
    verdict = [_kept(facts), *sentences([lost[0], proof[0]])]
    worries = [*verdict_of_release(facts).points, *_worries(facts)]
    parts = [
        "\n".join(textwrap.fill(line, WIDTH, break_on_hyphens=False) for line in verdict),
        _section("What was asked", _question(facts)),
        _section("What was lost", lost[1:]),
        _section("How good that is", proof[1:]),
        _section("What is left to worry about", worries),
        _section("Details", _details(facts)) if details else "",
    ]
    return "\n\n".join(part for part in parts if part) + "\n"


def sections(facts: Mapping[str, Any]) -> dict[str, list[str]]:
    """Return the summary's sentences by topic: ``asked``, ``lost``, ``proof`` and ``worries``.

    The questions a release leaves open are the points of `incrowd.report.text.verdict.verdict_of_release`; ``worries``
    are the limits beyond them. The facts are as `incrowd.report.facts.release.facts_of` returns them.
    """
    told = {"asked": _question, "lost": _lost, "proof": _proof, "worries": _worries}
    return {name: list(tell(facts)) for name, tell in told.items()}


def kernel_words(facts: Mapping[str, Any]) -> Iterable[str]:
    """Yield what the kernel left of the table, in a sentence; nothing where none was asked for.

    The facts are as `incrowd.report.facts.release.facts_of` returns them.
    """
    kernel = facts.get("kernel")
    if kernel is None:
        return
    before, rows, most = kernel["rows_before"], kernel["rows"], kernel["most_copies"]
    if rows == before:
        yield f"the kernel is the whole table: no row stands in it more than {most:,} times"
        return
    yield (
        f"the search ran on a kernel of {rows:,} of the {count_of(before, 'row')}, each in it at most {most:,} times; "
        f"the others went back in as they are, {facts['k']:,} equal ones at a time, at no cost, and the least loss is "
        "the same"
    )


def _section(title: str, lines: Iterable[str]) -> str:
    items = [_item(line) for line in lines]
    return "\n".join([title, *items]) if items else ""


def _item(line: str) -> str:
    return textwrap.fill(line, WIDTH, initial_indent="  - ", subsequent_indent="    ", break_on_hyphens=False)


def _kept(facts: Mapping[str, Any]) -> str:
    """Return what was promised, and that it was kept."""
    k, rows = facts["k"], count_of(facts["rows"], "row")
    if not facts["k_anonymous"]:
        said = (
            f"The release of {rows} is k-anonymous for k={k:,} EXCEPT for {count_of(facts['outliers'], 'row')} "
            f"that {'is' if facts['outliers'] == 1 else 'are'} fully suppressed and too few to hide in (see below)."
        )
    elif k == 1:
        said = f"The release of {rows} asks for no crowd at all: k=1 hides nobody."
    else:
        said = f"Every one of the {rows} of the release looks like at least {others(k)}{_classes(facts['classes'])}."
    if not facts["classes"]["count"]:
        said += " All rows are fully suppressed."
    judged = _judged(facts)
    return f"{said} What was asked of {and_(judged)} is kept too." if judged else said


def _classes(classes: Mapping[str, Any]) -> str:
    if not classes["count"]:
        return ""
    return f", in {classes['count']:,} classes" if classes["count"] > 1 else ": they form one class"


def _judged(facts: Mapping[str, Any]) -> list[str]:
    """Return the sensitive columns of which something was asked."""
    return sorted({column for line in facts.get("requirements", ()) for column in line["columns"]})


def _question(facts: Mapping[str, Any]) -> Iterable[str]:
    k, names = facts["k"], facts["quasi_identifiers"]
    if k == 1:
        yield "k = 1: rows need not look alike"
    else:
        yield f"k = {k:,}: nobody who knows {and_(names)} of a person can tell their row from {others(k)}"
    for line in facts.get("requirements", ()):
        meaning = registry.load("models", line["rule"].split()[0]).summary
        reached = "not measured" if line["reached"] is None else plain(line["reached"])
        yield f"{line['rule']}: {meaning} (reached: {reached})"
    if facts["mask"] == ["every pattern is allowed"]:
        yield "mask: any cells of the quasi-identifiers may be suppressed together"
    else:
        yield from (f"mask: {line}" for line in facts["mask"])
    if "levels" in facts:
        levels = ", ".join(f"{name} {level}" for name, level in facts["levels"].items())
        yield f"one recoding for the whole table: every row that is not fully suppressed is shown at level {levels}"
    if "suppression_limit" in facts:
        most, share = count_of(facts["most_suppressed"], "row"), facts["suppression_limit"]
        yield f"at most {most} fully suppressed (a share of {share})"
    yield from proposal_words(facts)
    yield from grid_words(facts)
    if facts["outlier_rule"] == "suppress":
        yield "rows of stars alone need no crowd (outliers: suppress)"
    if facts["dropped_identifiers"]:
        one = facts["dropped_identifiers"] == 1
        yield f"{'the' if one else facts['dropped_identifiers']} identifier column{' was' if one else 's were'} dropped"


def _lost(facts: Mapping[str, Any]) -> Iterable[str]:
    cells = facts["rows"] * len(facts["quasi_identifiers"])
    if facts["changed_cells"] == facts["suppressed_cells"] == 0:
        yield f"nothing was lost: none of the {count_of(cells, 'cell')} of the quasi-identifiers had to change"
    else:
        yield (
            f"{facts['suppressed_cells']:,} of {count_of(cells, 'cell')} of the quasi-identifiers "
            f"{'is' if facts['suppressed_cells'] == 1 else 'are'} suppressed "
            f"({percent(facts['suppressed_fraction'])}); {_coarser(facts, cells)}the rest is as it was"
        )
    cost = words_of(facts).cost(facts)
    if cost is not None:
        yield cost
    worst = sorted(facts["stars_per_column"], key=lambda c: -c["suppressed"])
    some = [f"{c['name']} {percent(c['fraction'])}" for c in worst if c["suppressed"]]
    if some:
        yield f"share of rows suppressed, by column: {', '.join(some)}"
    whole = [c["name"] for c in worst if c["suppressed"] == 0]
    if whole:
        yield f"never suppressed: {', '.join(whole)}"
    yield from stars_words(facts)
    full = facts["fully_suppressed_rows"]
    if full:
        yield f"{count_of(full, 'row')} fully suppressed ({percent(full / facts['rows'])})"


def _coarser(facts: Mapping[str, Any], cells: int) -> str:
    """Return how many cells show a coarser label, or a range."""
    coarser = facts["changed_cells"] - facts["suppressed_cells"]
    shown = words_of(facts).cell
    return f"{coarser:,} show{'s' if coarser == 1 else ''} {shown} ({percent(coarser / cells)}); " if coarser else ""


def _proof(facts: Mapping[str, Any]) -> Iterable[str]:
    if "cost" not in facts:
        yield "how near this is to the least possible loss is not told (--quiet-facts)"
        yield "an independent recount of the release against the original passed"
        return
    cost, bound = plain(facts["cost"]), bound_words(facts)
    if facts["optimal"]:
        one = " with one recoding for the whole table" if "levels" in facts else ""
        yield f"this is the least loss possible under this policy{one}: no release can cost less than {bound}"
    elif facts["gap"] is None:
        yield f"how near this is to the least possible loss is not known: it costs {cost}, no bound above 0 is proven"
    else:
        gap = facts["gap"]
        near = f"{at_most(gap)} above" if gap <= TWICE else f"{math.ceil(10 * (1 + gap)) / 10:,.1f} times"
        yield (f"at most {near} the least possible loss (cost {cost}; none under this policy is below {bound})")
    yield "an independent recount of the release against the original passed"
    yield from kernel_words(facts)
    advice = list(facts.get("advice", ()))
    if facts["status"] in ENDED and not advice:
        yield ENDED[facts["status"]]
    yield from advice


def _worries(facts: Mapping[str, Any]) -> Iterable[str]:
    judged = _judged(facts)
    if judged:
        yield (
            f"{and_(judged)} passed unchanged; what was asked limits what a class tells of its members, not what "
            "somebody can rule out who knows them."
        )
    yield from sentences([*facts["notes"], *pairs_words(facts)])
    told = given_away(facts)
    if told is not None:
        yield from sentences([told])
    yield (
        "k-anonymity hides who a row belongs to among those who look alike; it does not protect against somebody "
        "who knows more columns than the quasi-identifiers, or who holds another release of the same people."
    )


def _details(facts: Mapping[str, Any]) -> Iterable[str]:
    """Return how the search went, where it is told, and measures for those who know them."""
    if "solver" in facts:
        yield from _search(facts)
    count = facts["patterns_allowed"]
    yield (
        f"{count_of(count, 'combination')} of changed columns {'is' if count == 1 else 'are'} allowed"
        if count < COUNTED
        else "more than a billion combinations of changed columns are allowed"
    )
    if "usefulness" in facts["measures"]:
        yield (
            f"the original rows behind a class differ by {plain(round(facts['measures']['usefulness'], 3))} on "
            f"average, of {len(facts['quasi_identifiers'])} at most (the measure 'usefulness': the smaller it is, the "
            "more useful the release)"
        )


def _search(facts: Mapping[str, Any]) -> Iterable[str]:
    seconds = facts["seconds"].get("solve", 0)
    yield f"found by {facts['solver']} ({facts['status'].replace('_', ' ')}) in {seconds:.2f} s of solving"
    yield from facts["solver_notes"]
    yield f"the lower bound is a {facts['bound_method']} bound; of it {at_least(facts['lower_bound_checked'])} " + (
        "can be recounted from a certificate (--certificate)"
    )


# Words for the hierarchies that were proposed: what they are, and the options that say the same.
def proposal_words(facts: Mapping[str, Any]) -> Iterable[str]:
    """Yield what was proposed by column, what got nothing and why, and the options to give to verify.

    The facts are those of a release; nothing is said where nothing was to be proposed.
    """
    proposed = facts.get("proposed_hierarchies", ())
    made = [one for one in proposed if one["hierarchy"] is not None]
    if made:
        yield f"hierarchies by the columns' values (auto): {'; '.join(map(_said, made))}"
    bare = [one for one in proposed if one["hierarchy"] is None]
    if bare:
        reasons = ["{column} ({why})".format_map(one) for one in bare]
        yield f"no hierarchy was found for {and_(reasons)}"
    if made:
        yield f"the same hierarchies for `incrowd verify`, or to edit: {same_options(made)}"


def _said(one: Mapping[str, Any]) -> str:
    count = one["under_the_root"]
    under = f", {count_of(count, 'other value')} shown or starred" if count else ""
    return f"{one['column']}: {one['why']}{under}"


def same_options(proposed: Sequence[Mapping[str, Any]]) -> str:
    """Return the options that ask for what was proposed, as a shell takes them.

    `proposed` is as the facts hold it, each entry with a hierarchy.
    """
    options = ["--hierarchy " + shlex.quote("{column}={hierarchy}".format_map(one)) for one in proposed]
    complete = ["--complete-hierarchies"] if any(one["under_the_root"] for one in proposed) else []
    return " ".join(options + complete)


def stars_words(facts: Mapping[str, Any]) -> Iterable[str]:
    """Yield what stars alone cost an analysis, and how to get bands, dates and prefixes instead.

    The facts are those of a release; nothing is said where they cost little, or nothing suggests a hierarchy.
    """
    alone = facts.get("stars_alone")
    if alone is None:
        return
    rows = count_of(alone["sample_rows"], "row")
    yield (
        "a star says nothing to an analysis where a band, a year or a prefix still counts: "
        f"of {rows} a quick search loses {percent(alone['loss'])} with stars alone, and "
        f"{percent(alone['loss_with_hierarchies'])} with hierarchies for {and_(alone['columns'])} "
        "(--hierarchies auto makes them from the values)"
    )
