"""What a release's report holds of proof: how near the least loss it is, and how anybody recounts it."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from incrowd.report.charts import release
from incrowd.report.pages.page import Block, Code, Figure, Prose, Table
from incrowd.report.text.release import kernel_words
from incrowd.report.text.words import and_, at_least, at_most, plain, sentences, up_to

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

__all__ = ["check", "optimality", "unproven"]


def optimality(facts: Mapping[str, Any], words: list[str]) -> Iterator[Block]:
    """Return what is proven of the loss, and what is not.

    The facts are those of a release, with ``progress``. `words` are the summary's sentences on the proof; the first is
    used.
    """
    yield Prose(sentences(words[:1])[0])
    yield Prose(unproven(facts))
    yield from (Prose(said) for said in sentences(list(kernel_words(facts))))
    points = [p for p in facts.get("progress", []) if p["cost"] is not None or p["lower_bound"] is not None]
    if len({p["seconds"] for p in points}) > 1:
        rows = [[p["seconds"], p["cost"], p["lower_bound"]] for p in points]
        cost, bound = facts["cost"], facts["lower_bound"]
        yield Figure.of(
            release.bounds({"progress": points}), "bounds", caption="Cost and lower bound while the search ran",
            alternative=f"The cost falls to {plain(cost)}; the proven lower bound rises to {at_least(bound)}.",
            table=Table("Cost and bound over time", ["seconds", "cost", "lower bound"], rows),
        )  # fmt: skip
    yield Table(
        "In numbers",
        ["", "value"],
        [
            ["cost of this release", facts["cost"]],
            ["no release under this policy costs less than", at_least(facts["lower_bound"])],
            ["of which a recheck of the certificate confirms", at_least(facts["lower_bound_checked"])],
            ["gap", "unknown" if facts["gap"] is None else at_most(facts["gap"])],
        ],
    )


def unproven(facts: Mapping[str, Any]) -> str:
    """Return what of a release's claim is not proven, in one plain sentence."""
    if not facts["optimal"]:
        left, cost = up_to(facts["cost"] - facts["lower_bound"]), plain(facts["cost"])
        return f"What remains unproven: a cheaper release may exist, cheaper by at most {left} of {cost}."
    if facts["lower_bound_checked"] < facts["lower_bound"]:
        return (
            f"A certificate can recheck the bound up to {at_least(facts['lower_bound_checked'])}; the rest is the "
            "word of an exact solver."
        )
    return "Nothing remains unproven: a certificate lets anybody who holds the original recount the bound."


def check(files: Mapping[str, Any]) -> Iterator[Block]:
    """Return how an auditor recounts the release.

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
    yield Code(shlex.join(command), "The check (exit status 0: it holds; 1: it does not)")
    yield Code(files["policy"].rstrip(), "policy.toml")
    if not files["certificate"]:
        yield Prose(
            "No certificate was written with this release, so the check covers the classes, the policy and every cell, "
            "but not the lower bound; ask for one with --certificate FILE.json."
        )
    yield Prose(
        "Whoever has only a browser can do the same with a page that checks offline and from which nothing leaves the "
        "tab; this command writes it:"
    )
    yield Code("incrowd checker -o check.html", "The check as a page")
    names = [f"the original ({source})"] if files["source"] else []
    if names:
        yield Prose(f"Needed for it: {and_([*names, f'the release ({output})'])}; all names are without their folders.")
