"""Words for the hierarchies that were proposed: what they are, and the options that say the same."""

from __future__ import annotations

import shlex
from typing import TYPE_CHECKING, Any

from incrowd.report.text.words import and_, count_of, percent

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

__all__ = ["proposal_words", "same_options", "stars_words"]


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
