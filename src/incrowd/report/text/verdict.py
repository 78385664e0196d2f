"""The answer a reader looks for first: may this be handed out, as far as its policy goes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, Protocol

from incrowd import registry
from incrowd.errors import count_of
from incrowd.report.text.words import and_, model_name, models_of, others, percent, plain, threshold_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

Level = Literal["yes", "look", "no", "told"]


@dataclass(frozen=True, slots=True)
class Verdict:
    """A plain answer to whether something may be handed out.

    `level`: nothing speaks against it; somebody has to look at the points first; the points speak against it; something
    was measured, and nothing is to be decided. `headline`: the answer in one sentence. `points`: what to look at, or
    what speaks against it.
    """

    level: Level
    headline: str
    points: tuple[str, ...] = ()


def verdict_of_release(facts: Mapping[str, Any]) -> Verdict:
    """Return whether a release may be handed out under its policy, and what a person has to decide before.

    The facts are as `incrowd.report.facts.release.facts_of` returns them.
    """
    bad, open_points = list(_against(facts)), list(_open(facts))
    if bad:
        return Verdict("no", "Do not hand this release out as it is.", (*bad, *open_points))
    if open_points:
        count = "one question" if len(open_points) == 1 else f"{len(open_points)} questions"
        return Verdict(
            "look", f"The release keeps its policy. Answer {count} before you hand it out.", tuple(open_points)
        )
    return Verdict("yes", "The release keeps its policy, and nothing in it calls for a second look.")


def _against(facts: Mapping[str, Any]) -> Iterator[str]:
    k = facts["k"]
    if k == 1:
        yield "k is 1: nobody is hidden among others. Ask for a greater k, for example 5."
    if not facts["k_anonymous"]:
        yield (
            f"{_rows_are(facts['outliers'])} fully suppressed and fewer than k = {k}: whoever is known to be in the "
            "table and fits no shown class is one of them. Set outliers to forbid."
        )
    for model in models_of(facts):
        if model.get("ok") is False:
            yield f"{model_name(model)} is not met: {threshold_text(model)}."


def _open(facts: Mapping[str, Any]) -> Iterator[str]:
    asked = [m for m in models_of(facts) if m.get("asked") is not None and m.get("column")]
    judged = {name for m in asked for name in (m["column"], *m["column"].split(", "))}
    sensitive = [c["name"] for c in facts["kept_columns"] if c["role"] == "sensitive"]
    bare = [name for name in sensitive if name not in judged]
    if bare:
        yield (
            f"Is it acceptable that {and_(bare)} may be learned? The column{'s' if len(bare) > 1 else ''} passed "
            "unchanged and nothing was asked of the values: where all people of a class share one, it is known of "
            "each. If it is not, ask that several stay possible in every class (l = 2 or more)."
        )
    plainly = [c["name"] for c in facts["kept_columns"] if c["role"] != "sensitive" and not c["nearly_unique"]]
    for column in facts["kept_columns"]:
        if column["nearly_unique"]:
            yield (
                f"Could anybody know a person's {column['name']}? It is kept as it is and nearly unique: who knows it "
                "finds the person. Drop it, or make it a quasi-identifier."
            )
    if plainly:
        several = len(plainly) > 1
        it, role = ("them", "quasi-identifiers") if several else ("it", "a quasi-identifier")
        yield (
            f"Can an attacker know {and_(plainly)} of a person? {'They' if several else 'It'} passed unchanged, "
            f"outside the protection. If so, make {it} {role}; if nobody needs {it}, drop {it}."
        )
    yield from tie_questions(facts)
    if facts.get("keep_order"):
        yield "Does anybody hold a table in the same row order? The input's order was kept, so rows can be joined."


def verdict_of_audit(facts: Mapping[str, Any]) -> Verdict:
    """Return whether a table meets what was asked of it, or how exposed it is where nothing was.

    The facts are those of an audit, as in its ``--json``.
    """
    failed = [m for m in facts["models"] if m["ok"] is False]
    if failed:
        points = [_failed(m, facts["rows"]) for m in failed]
        if facts["unique_rows"]:
            points.append(_unique(facts))
        return Verdict("no", "The table does not meet what was asked. Do not hand it out as it is.", tuple(points))
    asked = any(m["asked"] is not None for m in facts["models"])
    if facts["k"] == 1 and not asked:
        return Verdict("no", "People can be found in this table. Do not hand it out as it is.", (_unique(facts),))
    if not asked:
        return Verdict(
            "look",
            f"Everybody looks like at least {_crowd(facts['k'])}. Whether that is enough, nobody has said yet.",
            ("Say with --k how many people must look alike, and audit again.",),
        )
    return Verdict("yes", "The table meets what was asked of it.")


def _failed(model: Mapping[str, Any], rows: int) -> str:
    few = f"{model['failing_rows']:,} of {count_of(rows, 'row')}"
    if model["name"] == "k-anonymity" and model["reached"] is not None:
        return (
            f"k-anonymity: {model['asked']:,} rows have to look alike, and the smallest crowd has "
            f"{model['reached']:,}; {few} have too few like them."
        )
    return f"{model_name(model)}: {threshold_text(model)}; too low for {few}."


def _unique(facts: Mapping[str, Any]) -> str:
    share = percent(facts["unique_fraction"])
    count = facts["unique_rows"]
    are, them = ("is", "it") if count == 1 else ("are", "them")
    return f"{count_of(count, 'row')} ({share}) {are} unlike any other: whoever knows these columns finds {them}."


def verdict_of_network(facts: Mapping[str, Any]) -> Verdict:
    """Return what a measured network means for handing it out.

    The facts are as `incrowd.report.facts.network.network_facts` returns them.
    """
    question, k = facts["question"], facts.get("k")
    if question == "attackers":
        who = count_of(facts["attackers_allowed"], "attacker")
        if not facts["optimal"]:
            return Verdict(
                "look", f"Not decided in time: against {who} the smallest crowd has {_between(facts)} people."
            )
        if k == 1:
            return Verdict(
                "no",
                f"Removing names does not hide everybody in this network: {who} can single somebody out.",
                ("This is the worst case and true of nearly every real network; see below how many are exposed.",),
            )
        return Verdict("yes", f"Against {who} everybody stays in a crowd of at least {k:,}, by distances alone.")
    if question == "at_least" or question == "exactly":
        return Verdict("look", "This answers how many nodes it takes, not whether the network may be handed out.")
    if question == "risks":
        share = percent(facts["re_identified"])
        return Verdict("look" if facts["re_identified"] < 0.01 else "no", _risk_line(facts, share))
    if question == "simulation":
        level: Level = "no" if facts["success"] > 0 else "look"
        headline = f"The attack was tried, and found its accounts in {percent(facts['success'])} of the trials."
        return Verdict(level, headline)
    single = facts.get("alone")
    if single and single["exposing"]:
        who = "all nodes" if single["all"] else f"{single['examined']:,} nodes drawn"
        return Verdict(
            "no",
            "Removing names does not hide everybody in this network: one attacker in the right place is enough.",
            (f"Of {who}, {percent(single['exposing'])} single out somebody by themselves, by distances alone.",),
        )
    if facts["components"] > 1:
        return Verdict(
            "look",
            "The network falls apart, and then these numbers say little.",
            ("Measure the largest component (--component largest).",),
        )
    return Verdict(
        "look",
        "This is how the network behaves under attack; it is not yet a yes or no.",
        ("Say how many members may side with an attacker, and ask with --attackers what everybody else is left with.",),
    )


def _risk_line(facts: Mapping[str, Any], share: str) -> str:
    drawn = "chosen at random" if facts["strategy"] == "random" else "chosen well"
    who = f"{count_of(facts['attackers'], 'attacker')} {drawn}"
    if not facts["re_identified"]:
        return f"In what was drawn, {who} named nobody, by distances alone."
    names = "names" if facts["attackers"] == 1 else "name"
    return f"Removing names is not enough: {who} still {names} {share} of the other members, by distances alone."


def _between(facts: Mapping[str, Any]) -> str:
    return f"{facts['lower_bound']:,} to {facts['upper_bound']:,}"


def _rows_are(count: int) -> str:
    return f"{count_of(count, 'row')} {'is' if count == 1 else 'are'}"


def _crowd(k: int | None) -> str:
    return "everybody else" if k is None else others(k)


# What is said of columns that pass unchanged although they tell a quasi-identifier. Made from the facts alone.
WHY = {
    "tells": "rows with the same {kept} nearly always have the same {known}",
    "follows": "rows with the same {known} nearly always have the same {kept}, so it shows {known} more coarsely",
    "in_step": "{kept} and {known} go up and down together",
}
"""In the order in which one of them is said, the most telling first."""


def tie_questions(facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield a question for every column that passed unchanged and tells a quasi-identifier that was changed.

    The facts are as `incrowd.report.facts.release.facts_of` returns them, with ``column_ties``.
    """
    said: dict[tuple[str, str], list[str]] = {}
    for tie in facts.get("column_ties", ()):
        how = next(how for how in WHY if how in tie["how"])
        said.setdefault((tie["column"], how), []).append(tie["quasi_identifier"])
    for (kept, how), known in said.items():
        were = "was" if len(known) == 1 else "were"
        yield (
            f"Does {kept} give away what was hidden of {and_(known)}? It passed unchanged and {and_(known)} {were} "
            f"changed, but {WHY[how].format(kept=kept, known=and_(known))}. If so, drop {kept}, or make it a "
            "quasi-identifier."
        )


def pairs_words(facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield that some pairs of columns were not compared, of a wide table or an interrupted run.

    The facts are as for `tie_questions`, with ``column_pairs``.
    """
    pairs = facts.get("column_pairs")
    if pairs and pairs["looked_at"] < pairs["possible"]:
        yield (
            f"whether a column that passed unchanged tells a quasi-identifier was looked at for {pairs['looked_at']:,} "
            f"of {count_of(pairs['possible'], 'pair')} of columns"
        )


# Words of a report for changed cells: one class for each recoding.
class RecodingWords(Protocol):
    """Words for what a cell shows that is neither its value nor surely a star."""

    @property
    def cell(self) -> str:
        """What such a cell shows, with its article."""

    @property
    def legend(self) -> str:
        """A sentence on how such cells are marked in the table of patterns, after a blank."""

    def level(self, level: int) -> str:
        """Return the name of a level, which is from 1 to below the level of a star."""

    def mark(self, level: int) -> str:
        """Return the mark of a level, from 1 to below the level of a star, in the chart of patterns."""

    def cost(self, facts: Mapping[str, Any]) -> str | None:
        """Return how the cost of a release is to be read, or None where it is the number of suppressed cells."""


class LevelWords:
    """Words for the labels of hierarchies."""

    cell = "a coarser label"
    legend = " A number is the level of a coarser label."

    def level(self, level: int) -> str:
        """Return the level's number."""
        return f"level {level}"

    def mark(self, level: int) -> str:
        """Return the level's number."""
        return str(level)

    def cost(self, facts: Mapping[str, Any]) -> str | None:
        """Return how weights and labels make the cost, where it is told and not the number of suppressed cells."""
        if "cost" not in facts:
            return None
        if facts.get("cost_name"):
            told = registry.load("costs", facts["cost_name"].partition(":")[0]).summary
            return f"cost by {facts['cost_name']}, with weights: {plain(facts['cost'])} ({told})"
        if facts["cost"] == facts["suppressed_cells"]:
            return None
        return (
            f"cost with weights and labels: {plain(facts['cost'])} (a star counts the weight of its column, a coarser "
            "label a part of it)"
        )


class RangeWords:
    """Words for ranges."""

    cell = "a range"
    legend = " ↔ is a range (or a star)."

    def level(self, level: int) -> str:
        """Return the word; a range has one level."""
        return "range"

    def mark(self, level: int) -> str:
        """Return an arrow with two ends."""
        return "↔"

    def cost(self, facts: Mapping[str, Any]) -> str | None:
        """Return what a range costs, and how wide the ranges are."""
        return (
            f"a cell that shows a range costs like a star, {plain(facts['cost'])} in all; the ranges are "
            f"{percent(facts['measures']['ncp'])} as wide as they could be (certainty penalty, NCP; less is better)"
        )


class GridWords(LevelWords):
    """Words for labels and for ranges on a grid, which lie on levels only to be told apart."""

    cell = "a range or a coarser label"
    legend = " A number is the level of a coarser label, or stands for ranges of a numeric column."


def grid_words(facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield where the ranges of each column of a release end, and how that was chosen."""
    told = facts.get("grid_steps", {})
    for name, step in facts.get("grid", {}).items():
        said = f"ranges of {name} end at multiples of {step} (round)"
        if name in told:
            how = told[name]
            on = f"a sample of {how['rows']:,} rows" if how["sampled"] else "all rows"
            if not how["in_time"]:
                said += "; the time did not suffice to compare the releases of other steps: name one with --round"
            elif len(how["compared"]) > 1:
                said += f", the coarsest of 1, 2, 5, 10, 20, ... units that costs at most 1 % more than one, on {on}"
        yield said


WORDS: dict[str, RecodingWords] = {
    "levels": LevelWords(),
    "ranges": RangeWords(),
    "grid": GridWords(),
    "global": LevelWords(),
}


def words_of(facts: Mapping[str, Any]) -> RecodingWords:
    """Return the words for a release, by its facts.

    ``recoding`` is ``levels`` where it is missing in the facts. KeyError is raised if there are no words for the
    recoding.
    """
    return WORDS[facts.get("recoding", "levels")]
