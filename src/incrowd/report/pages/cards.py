"""What a notebook shows of results that have no page of their own: a headline, points and numbers. Never a cell."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.memory.size import MB, in_words
from incrowd.report.pages.page import Card, Page
from incrowd.report.text.attack import attack_points
from incrowd.report.text.usefulness import usefulness_points
from incrowd.report.text.verdict import Verdict
from incrowd.report.text.verify import sentence
from incrowd.report.text.words import count_of, percent

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from incrowd.tables.verdict import Violation

__all__ = ["attack_card", "estimate_card", "kernel_card", "usefulness_card", "violations_card"]


def attack_card(facts: Mapping[str, Any]) -> str:
    """Return what a release gives away as a notebook shows it.

    The facts are as `incrowd.results.attack.Attack.facts`.
    """
    known, excluded = facts["determined_cells"], facts["excluded_cells"]
    if facts["premises"]["valid"] == "no":
        verdict = Verdict("no", "The release breaks its policy.", tuple(attack_points(facts)))
    elif known:
        told = f"{count_of(known, 'hidden cell')} can be known for certain."
        verdict = Verdict("no", told, tuple(attack_points(facts)))
    elif excluded:
        told = f"In {count_of(excluded, 'hidden cell')} a value can be excluded; none is known for certain."
        verdict = Verdict("look", told, tuple(attack_points(facts)))
    else:
        verdict = Verdict("yes", "No simple rule excludes a value for certain.", tuple(attack_points(facts)))
    cards = [
        Card(f"{facts['hidden_cells']:,}", "cells of the quasi-identifiers are hidden"),
        Card(f"{excluded:,}", "with a value that is excluded for certain"),
        Card(f"{known:,}", "known for certain"),
    ]
    return Page(f"What {facts['release']!r} gives away", "", verdict, cards).card()


def usefulness_card(facts: Mapping[str, Any]) -> str:
    """Return how useful a release is as a notebook shows it.

    The facts are as `incrowd.results.usefulness.Usefulness.facts`.
    """
    counts = facts["counts"]
    cards = [
        Card(percent(counts["mean"]), "error of random counts on average"),
        Card(percent(counts["mean_of_noise"]), "the same of another sample of as many people"),
    ]
    headline = "What analyses of the release would find, beside those of the original."
    verdict = Verdict("told", headline, tuple(usefulness_points(facts)))
    title = f"Usefulness of {facts['release']!r}"
    return Page(title, "", verdict, cards if counts["queries"] else []).card()


def estimate_card(facts: Mapping[str, Any], title: str) -> str:
    """Return what a job would take as a notebook shows it.

    The facts are as `incrowd.results.estimate.Estimate.facts`; `title` is what was looked at.
    """
    factor = facts["factor"]
    cards = [
        Card(in_words(facts["memory_mb"] * MB), "of memory at most", f"within a factor of {factor['memory']}"),
        Card(in_words(facts["disk_mb"] * MB), "of disk"),
    ]
    for stage, seconds in facts["seconds"].items():
        about = f"within a factor of {factor['seconds']}" if "seconds" in factor else "at most"
        hint = "" if seconds is None else "measured" if stage in facts["measured"] else about
        cards.append(Card("not known" if seconds is None else f"{seconds:.1f} s", stage, hint))
    return Page(title, "", Verdict("told", "Nothing was searched, and nothing released."), cards).card()


def kernel_card(facts: Mapping[str, int]) -> str:
    """Return how much smaller a kernel is than its table, as a notebook shows it.

    The facts are as `incrowd.results.kernel.Kernel.facts`.
    """
    rows, before = facts["rows"], facts["rows_before"]
    headline = (
        "A release of the kernel leads to one of the table at the same cost (back), and the least cost is the same."
    )
    cards = [
        Card(f"{rows:,}", "rows of the kernel", f"of {count_of(before, 'row')}"),
        Card(f"{facts['row_types']:,}", "different rows, as many as before"),
        Card(f"{facts['most_copies']:,}", "copies of a row at most"),
    ]
    return Page(f"Kernel of {count_of(before, 'row')}", "", Verdict("told", headline), cards).card()


def violations_card(violations: Sequence[Violation], cards: Sequence[tuple[str, str]]) -> str:
    """Return what a recount found as a notebook shows it.

    `cards` are what was recounted of a certificate: value and meaning.
    """
    if violations:
        wrong = any(not violation.rule.startswith("certificate: ") for violation in violations)
        headline = "The release does NOT keep the policy." if wrong else "The certificate does NOT hold."
        verdict = Verdict("no", headline, tuple(sentence(violation) for violation in violations))
    else:
        verdict = Verdict("yes", "The release keeps the policy: an independent recount found nothing against it.")
    return Page("Recount of a release", "", verdict, [Card(*card) for card in cards]).card()
