"""What a release gives away, in words that a data steward understands. Made from the facts alone."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any

from incrowd.errors import count_of
from incrowd.report.text.words import percent

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping


WIDTH = 100
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


def attack_summary(facts: Mapping[str, Any]) -> str:
    """Return what a release gives away, in lines of at most 100 characters.

    The facts are as `incrowd.results.attack.Attack.facts`.
    """
    head = f"What {facts['release']!r} ({count_of(facts['rows'], 'row')}) gives away by itself."
    lines = [
        textwrap.fill(line, WIDTH, initial_indent="  - ", subsequent_indent="    ", break_on_hyphens=False)
        for line in attack_points(facts)
    ]
    return "\n".join([textwrap.fill(head, WIDTH, break_on_hyphens=False), "", *lines]) + "\n"


def attack_points(facts: Mapping[str, Any]) -> list[str]:
    """Return what was found as sentences. The facts are as `incrowd.results.attack.Attack.facts`."""
    return [
        *_premises(facts),
        *_found(facts),
        *_insiders(facts),
        *_scored(facts),
        *_guesses(facts),
        *_composition(facts),
        *_limits(facts),
    ]


def _premises(facts: Mapping[str, Any]) -> Iterator[str]:
    stands = facts["premises"]
    if stands["valid"] == "no":
        broken = ", ".join(f"{one['rule']} ({count_of(one['classes'], 'class')})" for one in facts["broken"])
        yield f"The release breaks its policy, so that nothing is inferred: {broken}."
        return
    if facts["contradicted"]:
        yield (
            "The release contradicts that it is settled: a row could be shown in an existing class at less cost. "
            "Nothing is inferred from costs."
        )
    elif facts.get("bound_contradicted"):
        yield "A cheaper release exists whatever the original is: nothing is inferred from this one being the cheapest."
    for standing, word in (("proven", "Known"), ("assumed", "Assumed")):
        said = [PREMISES[name] for name in PREMISES if stands[name] == standing and name != "program"]
        if said:
            yield f"{word}: {'; '.join(said)}."
    if "assumed" in (stands["bound"], stands["settled"]):
        yield "What rests on an assumption is claimed and may be wrong; --facts names what was published."


def _found(facts: Mapping[str, Any]) -> Iterator[str]:
    if facts["premises"]["valid"] == "no":
        return
    hidden = facts["hidden_cells"]
    yield f"{count_of(hidden, 'cell')} of the quasi-identifiers are hidden, {facts['starred_cells']:,} by a star."
    if not hidden:
        return
    if facts["excluded_cells"]:
        share = percent(facts["excluded_cells"] / hidden)
        yield (
            f"In {count_of(facts['excluded_cells'], 'cell')} ({share}) at least one value is excluded for certain; "
            f"before, a value excluded there had a share of {percent(facts['excluded_mass'] or 0)} on average."
        )
    else:
        yield "No value is excluded for certain in any cell."
    yield (
        f"{count_of(facts['determined_cells'], 'cell')} are known for certain, "
        f"all hidden cells of {count_of(facts['known_rows'], 'row')}."
    )
    if facts["claimed_cells"]:
        yield (
            f"{count_of(facts['claimed_cells'], 'cell')} ({percent(facts['claimed_cells'] / hidden)}) have a value "
            f"that is claimed to be excluded; {facts['claimed_determined']:,} are claimed to be known."
        )
    for one in facts["rules"]:
        if one["excluded"] or one["determined"]:
            yield (
                f"Rule {one['rule']} ({RULES.get(one['rule'], one['rule'])}; {one['standing']}): "
                f"{count_of(one['excluded'], 'cell')} excluded, {one['determined']:,} determined"
                f"{_wrong(one)}."
            )
    if facts.get("named_values"):
        seems = "name" if facts["named_certain"] else "are taken to name"
        yield (
            f"The labels {seems} {count_of(facts['named_values'], 'value')} of rows of their classes: the least and "
            "the largest number, and every value of a set."
        )
    unknown = (
        []
        if "named_values" in facts
        else [one["name"] for one in facts["by_column"] if not one["domain_known"] and one["hidden"]]
    )
    if unknown:
        yield (
            f"Nothing is determined in {', '.join(unknown)}: a value that no class shows may exist there. A hierarchy "
            "or --domain says which values are possible."
        )


def _composition(facts: Mapping[str, Any]) -> Iterator[str]:
    """Yield what the release and others say together."""
    for line in (facts.get("composition") or {"others": ()})["others"]:
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


def _insiders(facts: Mapping[str, Any]) -> Iterator[str]:
    found = facts["insiders"]
    if not found["cells"] and not found["by_size"]:
        return
    sure = "" if found["standing"] == "proven" else " (assumed)"
    if "named_values" in facts:
        cells = count_of(found["cells"], "cell")
        yield f"Insiders{sure}: in classes of two each member knows the other's value in {cells}."
        return
    if found["cells"]:
        yield (
            f"Insiders{sure}: in classes of two each member knows that the other does not have their own value in "
            f"{count_of(found['cells'], 'cell')}, and knows the value in {found['determined']:,}."
        )
    more = sum(one["cells"] for one in found["by_size"] if one["size"] > 2)
    if more:
        yield (
            f"In larger classes all members but one, together, exclude a value of the last in {count_of(more, 'cell')}."
        )


def _scored(facts: Mapping[str, Any]) -> Iterator[str]:
    if facts["wrong"] is None:
        return
    yield (
        f"Held against the original: {facts['wrong']:,} of the certain inferences are wrong, and "
        f"{facts['claimed_wrong']:,} of those that are claimed."
    )


def _guesses(facts: Mapping[str, Any]) -> Iterator[str]:
    found = facts["guessing"]
    if found:
        most = f" to {percent(found['most_right'])}" if found["most_right"] != found["right"] else ""
        yield (
            f"The best guess at a hidden cell, by rows that show it and are alike otherwise, is right in "
            f"{percent(found['right'])}{most} of the cells; the column's most frequent value is in "
            f"{percent(found['baseline'])}."
        )


def _limits(facts: Mapping[str, Any]) -> Iterator[str]:
    yield from (f"{note[0].upper()}{note[1:]}." for note in facts["notes"])
    if not facts["complete"]:
        yield "The search was cut off; what it found holds, and there may be more."


def given_away(facts: Mapping[str, Any]) -> str | None:
    """Return in one sentence what a release gives away and what to do about it; None where that was not looked at.

    The facts are as `incrowd.report.facts.release.facts_of` returns them, with ``gives_away``.
    """
    found = facts.get("gives_away")
    if found is None or not found["hidden_cells"]:
        return None
    hidden, cells, inside = found["hidden_cells"], found["cells"], found["insider_cells"]
    said = []
    if cells:
        seems = "excludes" if found["settled"] else "may exclude"
        said.append(
            f"who knows that as little as possible was hidden {seems} a value in {count_of(cells, 'hidden cell')} of "
            f"{hidden:,} ({percent(cells / hidden)})"
        )
    if inside:
        said.append(
            f"in classes of two each of the two {'learns' if found['settled'] else 'may learn'} a value that the other "
            f"does not have, in {count_of(inside, 'cell')}"
        )
    if not said:
        return "no simple rule excludes a value in a hidden cell (`incrowd attack` asks more of them)"
    return f"{'; '.join(said)}. A larger k, coarser columns or --blunt 2 give away less; `incrowd attack` says what"
