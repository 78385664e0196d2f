"""What a release was found to give away."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, count_of
from incrowd.report.document import Card, Document, Verdict
from incrowd.report.result import Result, if_asked, not_in_json
from incrowd.report.words import percent, sentences
from incrowd.strict_json import read_json
from incrowd.tables.hierarchy import as_spec

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from incrowd.policy.job import Policy
    from incrowd.report.document import Level
    from incrowd.tables.attack.answer import Inferences

Line = dict[str, Any]

PREMISES = {
    "valid": "the release is valid under its policy",
    "bound": "no release costs less than the published bound",
    "settled": "no row could be shown in an existing class, and no class finer, at less cost",
    "program": "it was made by this program",
}
RULES = {
    "labels": "labels that stand for one value",
    "single_rows": "rows that would have been shown in a cheaper class",
    "combinations": "the same over several columns at once",
    "single_rows_by_bound": "rows whose move would save more than the gap to the bound",
    "replaced_rows": "rows of classes of exactly k whose place another row could take",
    "ends": "ranges name values that rows of their class have",
}


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Attack(Result):
    """What an attacker who knows how a release was made learns from it: names and numbers, never a cell.

    Attributes
    ----------
    premises
        How each premise stands: ``valid``, ``bound``, ``settled``, ``program``; proven, assumed or no.
    excluded_cells, excluded_mass, determined_cells
        Hidden cells of which at least one value is excluded, the mean prior mass excluded there, and cells whose value
        is known, under proven premises; ``claimed_`` under premises that are assumed.
    wrong, claimed_wrong
        Cells with a wrong inference, under proven and under assumed premises; None where no original was given.
    insiders, rules, by_column, composition, guessing
        What members of a class learn of the others in it; counts by rule and by column; what other releases add; how
        often the best guess is right.
    inferences
        What is excluded, class by class, in codes; for those who hold the release. None for ranges, which are read by
        their labels alone. Not in the JSON.
    """

    release: str
    rows: int
    classes: int
    starred_cells: int
    hidden_cells: int
    premises: Mapping[str, str]
    contradicted: bool
    bound_contradicted: bool
    excluded_cells: int
    excluded_mass: float | None
    determined_cells: int
    claimed_cells: int
    claimed_mass: float | None
    claimed_determined: int
    wrong: int | None
    claimed_wrong: int | None
    known_rows: int
    named_values: int | None = if_asked()
    named_certain: bool | None = if_asked()
    rules: Sequence[Line]
    by_column: Sequence[Line]
    insiders: Line
    complete: bool
    broken: Sequence[Line]
    composition: Line | None
    pairing: str | None
    notes: Sequence[str]
    knows: Sequence[str]
    guessing: Line | None
    most_wrong: int | None = if_asked()
    most_claimed_wrong: int | None = if_asked()
    seconds: Mapping[str, float]
    peak_mb: float | None
    version: str
    inferences: Inferences | None = not_in_json(None)

    def __repr__(self) -> str:
        return (
            f"<Attack: values are excluded in {count_of(self.excluded_cells, 'cell')}, "
            f"{self.determined_cells:,} determined>"
        )

    def document(self, *, paper: bool = False) -> Document:
        """Return what every door shows of it."""
        known, excluded = self.determined_cells, self.excluded_cells
        broken = self.premises["valid"] == "no"
        level: Level = "no" if broken or known else "look" if excluded else "yes"
        if broken:
            headline = "The release breaks its policy."
        elif known:
            headline = f"{count_of(known, 'hidden cell')} can be known for certain."
        elif excluded:
            headline = f"In {count_of(excluded, 'hidden cell')} a value can be excluded; none is known for certain."
        else:
            headline = "No simple rule excludes a value for certain."
        told = (_premises, _found, _insiders, _scored, _guesses, _composition, _limits)
        points = [sentence for tell in told for sentence in tell(self)]
        cards = [
            Card(f"{self.hidden_cells:,}", "cells of the quasi-identifiers are hidden"),
            Card(f"{excluded:,}", "with a value that is excluded for certain"),
            Card(f"{known:,}", "known for certain"),
        ]
        title = f"What {self.release!r} gives away"
        opening = [f"What {self.release!r} ({count_of(self.rows, 'row')}) gives away by itself."]
        return Document(title, opening, Verdict(level, headline, points), cards)


def _premises(found: Attack) -> Iterator[str]:
    stands = found.premises
    if stands["valid"] == "no":
        broken = ", ".join(f"{one['rule']} ({count_of(one['classes'], 'class')})" for one in found.broken)
        yield f"The release breaks its policy, so that nothing is inferred: {broken}."
        return
    if found.contradicted:
        yield (
            "The release contradicts that it is settled: a row could be shown in an existing class at less cost. "
            "Nothing is inferred from costs."
        )
    elif found.bound_contradicted:
        yield "A cheaper release exists whatever the original is: nothing is inferred from this one being the cheapest."
    for standing, word in (("proven", "Known"), ("assumed", "Assumed")):
        said = [PREMISES[name] for name in PREMISES if stands[name] == standing and name != "program"]
        if said:
            yield f"{word}: {'; '.join(said)}."
    if "assumed" in (stands["bound"], stands["settled"]):
        yield "What rests on an assumption is claimed and may be wrong; facts of the release say what was published."


def _found(found: Attack) -> Iterator[str]:
    if found.premises["valid"] == "no":
        return
    hidden = found.hidden_cells
    yield f"{count_of(hidden, 'cell')} of the quasi-identifiers are hidden, {found.starred_cells:,} by a star."
    if not hidden:
        return
    if found.excluded_cells:
        share = percent(found.excluded_cells / hidden)
        yield (
            f"In {count_of(found.excluded_cells, 'cell')} ({share}) at least one value is excluded for certain; "
            f"before, a value excluded there had a share of {percent(found.excluded_mass or 0)} on average."
        )
    else:
        yield "No value is excluded for certain in any cell."
    yield (
        f"{count_of(found.determined_cells, 'cell')} are known for certain, "
        f"all hidden cells of {count_of(found.known_rows, 'row')}."
    )
    if found.claimed_cells:
        yield (
            f"{count_of(found.claimed_cells, 'cell')} ({percent(found.claimed_cells / hidden)}) have a value "
            f"that is claimed to be excluded; {found.claimed_determined:,} are claimed to be known."
        )
    for one in found.rules:
        if one["excluded"] or one["determined"]:
            yield (
                f"Rule {one['rule']} ({RULES.get(one['rule'], one['rule'])}; {one['standing']}): "
                f"{count_of(one['excluded'], 'cell')} excluded, {one['determined']:,} determined"
                f"{_wrong(one)}."
            )
    if found.named_values:
        seems = "name" if found.named_certain else "are taken to name"
        yield (
            f"The labels {seems} {count_of(found.named_values, 'value')} of rows of their classes: the least and "
            "the largest number, and every value of a set."
        )
    unknown = [one["name"] for one in found.by_column if not one["domain_known"] and one["hidden"]]
    if unknown and found.named_values is None:
        yield (
            f"Nothing is determined in {', '.join(unknown)}: a value that no class shows may exist there. A hierarchy "
            "or a domain says which values are possible."
        )


def _composition(found: Attack) -> Iterator[str]:
    """Yield what the release and others say together."""
    for line in (found.composition or {"others": ()})["others"]:
        name = line["release"]
        if not line["possible"]:
            yield f"With {name}: no pairing of all rows fits, so the two do not hold the same people, one row each."
            continue
        crowd = line["joint_crowd"]
        if line["same_people"]:
            yield (
                f"With {name}, of the same people: a row here may be any of {crowd['median']:,} rows there in the "
                f"median, of {crowd['min']:,} at least; for {count_of(line['below_k'], 'row')} that is fewer than k."
            )
        else:
            yield (
                f"With {name}, of people who may be in both: {crowd['median']:,} rows there fit a row here in the "
                f"median, {crowd['min']:,} at least. Nothing is excluded for certain: a person may be in one alone."
            )
        people = line["people"]
        if people is not None and "in_both" in people:
            yield from _persons(people)
        elif people is not None and people["crowd"]["min"] is not None:
            yield (
                f"Counted by the original: somebody who knows a person's key and that they are in both is left with "
                f"{people['crowd']['min']:,} rows at least; for {count_of(people['below_k'], 'person')} with "
                "fewer than k."
            )
            if people["sensitive_known"] is not None:
                yield (
                    f"A sensitive value is known then of {count_of(people['sensitive_known'], 'person')} "
                    f"({people['sensitive_known_alone']:,} by this release alone)."
                )


def _persons(people: Mapping[str, Any]) -> Iterator[str]:
    """Yield what two releases leave of those who are in both, counted one by one."""
    many = count_of(people["in_both"], "person")
    if people["crowd"]["min"] is None:
        yield f"Counted by the originals: {many} are in both, and no rows that cover them fit."
        return
    yield (
        f"Counted by the originals: {many} are in both; who knows that, and their keys, is left with "
        f"{people['crowd']['min']:,} rows at least, {people['crowd']['median']:,} in the median; for "
        f"{count_of(people['below_k'], 'person')} with fewer than k."
    )
    if people["changed"]:
        lost = people["in_both"] - people["rows"]
        yield (
            f"Of {count_of(people['changed'], 'person')} a column that no release changes differs between the tables, "
            f"so that their own rows do not fit: of {lost:,} nothing fits, and what is concluded of the rest is wrong."
        )
    if people["sensitive_known"] is not None:
        yield (
            f"One sensitive value is left of {count_of(people['sensitive_known'], 'person')} "
            f"({people['sensitive_known_alone']:,} by this release alone); of "
            f"{people['sensitive_wrong']:,} it is not theirs."
        )


def _wrong(one: Mapping[str, Any]) -> str:
    if one["wrong"] is None:
        return ""
    most = f" to {one['most_wrong']:,}" if one["most_wrong"] != one["wrong"] else ""
    return f", {one['wrong']:,}{most} wrong"


def _insiders(found: Attack) -> Iterator[str]:
    inside = found.insiders
    if not inside["cells"] and not inside["by_size"]:
        return
    sure = "" if inside["standing"] == "proven" else " (assumed)"
    if found.named_values is not None:
        cells = count_of(inside["cells"], "cell")
        yield f"Insiders{sure}: in classes of two each member knows the other's value in {cells}."
        return
    if inside["cells"]:
        yield (
            f"Insiders{sure}: in classes of two each member knows that the other does not have their own value in "
            f"{count_of(inside['cells'], 'cell')}, and knows the value in {inside['determined']:,}."
        )
    more = sum(one["cells"] for one in inside["by_size"] if one["size"] > 2)
    if more:
        yield (
            f"In larger classes all members but one, together, exclude a value of the last in {count_of(more, 'cell')}."
        )


def _scored(found: Attack) -> Iterator[str]:
    if found.wrong is None:
        return
    yield (
        f"Held against the original: {found.wrong:,} of the certain inferences are wrong, and "
        f"{found.claimed_wrong:,} of those that are claimed."
    )


def _guesses(found: Attack) -> Iterator[str]:
    guess = found.guessing
    if guess:
        most = f" to {percent(guess['most_right'])}" if guess["most_right"] != guess["right"] else ""
        yield (
            f"The best guess at a hidden cell, by rows that show it and are alike otherwise, is right in "
            f"{percent(guess['right'])}{most} of the cells; the column's most frequent value is in "
            f"{percent(guess['baseline'])}."
        )


def _limits(found: Attack) -> Iterator[str]:
    yield from sentences(found.notes)
    if not found.complete:
        yield "The search was cut off; what it found holds, and there may be more."


# What was published about a release, read from its file.
MOST_BYTES = 1 << 26


def read_facts(source: str | Path | Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the facts of a release from the file that holds the answer of ``incrowd anonymize --json``.

    A mapping is returned unchanged. InputError is raised if the file cannot be read or holds no such answer.
    """
    if isinstance(source, Mapping):
        return source
    file = Path(source)
    name = f"the file of facts {file.name!r}"
    wanted = "give the answer of `incrowd anonymize --json`"
    try:
        if file.stat().st_size > MOST_BYTES:
            raise InputError(f"{name} is above 64 MB; {wanted}")
        read = read_json(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise InputError(f"{name} is no JSON; {wanted}") from None
    if not isinstance(read, dict) or "k" not in read or "quasi_identifiers" not in read:
        raise InputError(f"{name} does not say what was released; {wanted}")
    return read


def hierarchies_in(facts: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return by column the hierarchies that ``hierarchies = auto`` proposed, as facts tell them.

    The facts are as `read_facts` returns them. InputError is raised if there are no hierarchies in them.
    """
    told = None if facts is None else facts.get("proposed_hierarchies")
    if not isinstance(told, list) or not all(
        isinstance(one, Mapping)
        and isinstance(one.get("column"), str)
        and (one.get("hierarchy") is None or isinstance(one["hierarchy"], str))
        for one in told
    ):
        raise InputError(
            "hierarchies=auto does not tell which hierarchies were made: give the facts of the release, which name "
            "them, or each hierarchy itself"
        )
    return {one["column"]: as_spec(one["hierarchy"], one["column"]) for one in told if one["hierarchy"] is not None}


def refuse_other_policy(facts: Mapping[str, Any] | None, policy: Policy, rows: int) -> None:
    """Refuse facts of a release of another size, or under another policy: what they prove is about that.

    The facts are as `read_facts` returns them, the policy is the one that an attack is told, and `rows` are those of
    the release. InputError is raised, naming what differs. What the facts do not say is not compared.
    """
    if facts is None:
        return
    asked = {
        "rows": rows,
        "k": int(policy.k or 1),
        "quasi_identifiers": list(policy.quasi_identifiers),
        "mask": list(policy.mask.describe()),
        "outlier_rule": policy.outliers,
        "recoding": policy.recoding,
    }
    judged = facts.get("requirements")
    if isinstance(judged, list) and all(isinstance(line, Mapping) for line in judged):
        told = sorted(str(line.get("rule")) for line in judged)
        if told != sorted(model.rule for model in policy.requirements):
            raise InputError("the facts are of another release: other models are required than by the policy given")
    for name, value in asked.items():
        if name in facts and facts[name] != value:
            raise InputError(f"the facts are of another release, or the policy is: they differ in {name}")
