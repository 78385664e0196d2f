"""What a recount found, in sentences: one for every rule that a release or its certificate can break."""

from __future__ import annotations

import textwrap
from typing import TYPE_CHECKING, Any, NamedTuple

from incrowd.errors import count_of
from incrowd.report.text.words import and_, at_least, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from incrowd.tables.verdict import HeldTo, Violation


WIDTH = 100


class Claim(NamedTuple):
    """What was recounted of a certificate: costs in the user's units, and the question that the bound answers.

    `cost` and `lower_bound` were recounted; they are None where the release lacks columns, or the recount was ended
    before it was through. `proven` says whether the whole claimed bound was recounted. `question` is what the bound is
    about, for example ``"k-anonymity"``, and `k` is the k that the bound was recounted for. `proved` is what the
    program whose correctness is machine-proved says, where it was to be asked.
    """

    cost: Any
    lower_bound: Any
    proven: bool
    question: str
    k: int
    proved: Any = None


def verify_summary(
    violations: Sequence[Violation],
    original: str,
    released: str,
    judged: Mapping[str, Sequence[str]],
    claim: Claim | None = None,
    held: HeldTo | None = None,
) -> str:
    """Return a recount's verdict in words, in lines of at most 100 characters.

    There are no violations where the release is good. `original` and `released` are what the two tables are called, and
    `judged` holds the columns of every requirement, by its rule. `claim` is what was recounted of a certificate, and
    `held` is what the release was held to.
    """
    if violations:
        wrong = [violation for violation in violations if not violation.rule.startswith("certificate: ")]
        said = f"{_begun(released)} does NOT keep the policy:" if wrong else "The certificate does NOT hold:"
        broken = (_item(sentence(v, judged.get(v.rule, ()))) for v in violations)
        return "\n".join([said, *broken, *map(_filled, held_words(held, judged))]) + "\n"
    lines = [f"{_begun(released)} keeps the policy: classes, mask and cells were recounted against {original}."]
    if claim is not None and claim.lower_bound is None:
        lines.append("The recount of the certificate was ended before it was through: nothing is known of its bound.")
    elif claim is not None:
        part = "the whole claimed bound" if claim.proven else "NOT the whole claimed bound, the rest is a solver's word"
        lines.append(
            f"The certificate holds: the release costs {_cost(claim)}, no release costs less than "
            f"{at_least(claim.lower_bound)} under {claim.question} with k={claim.k} ({part})."
        )
    if claim is not None and claim.proved is not None and claim.proved.holds:
        lines.append("Checked by a program whose correctness is machine-proved: the release, its cost and this bound.")
    elif claim is not None and claim.proved is not None:
        lines.append(f"Not checked by the program whose correctness is machine-proved: {claim.proved.why}.")
    return "\n".join(map(_filled, [*lines, *held_words(held, judged)])) + "\n"


def held_words(held: HeldTo | None, judged: Mapping[str, Sequence[str]]) -> list[str]:
    """Return sentences on what a release was held to, and on the columns that a verdict says nothing of."""
    if held is None:
        return []
    asked = [f"k = {held.k:,}", *(_model(rule, judged.get(rule, ())) for rule in held.requirements)]
    lines = [f"Held to {'; '.join(asked)}. Columns that counted: {and_(held.quasi_identifiers)}."]
    kept = held.kept
    if not kept.columns:
        return [*lines, "No other column is in the release."]
    names = [f"{c.name} (sensitive)" if c.role == "sensitive" else c.name for c in kept.columns]
    lines.append(
        f"Passed unchanged: {and_(names)}. On {'them together' if len(names) > 1 else 'it'} {kept.unique_rows:,} of "
        f"{count_of(kept.rows, 'row')} {'is' if kept.unique_rows == 1 else 'are'} unlike any other."
    )
    if kept.telling:
        near = [c.name for c in kept.columns if c.nearly_unique and c.role == "other"]
        some = f": {and_(near)} {'are' if len(near) > 1 else 'is'} nearly unique" if near else ""
        lines.append(
            f"WARNING: who knows columns without a role finds people{some}. Drop such columns, or make them "
            "quasi-identifiers."
        )
    return lines


def _cost(claim: Claim) -> str:
    """Return the cost as text: the bound's own text where they are equal."""
    return at_least(claim.cost) if claim.cost == claim.lower_bound else plain(claim.cost)


def _filled(line: str) -> str:
    return textwrap.fill(line, WIDTH, break_on_hyphens=False)


def _begun(name: str) -> str:
    return f"{name[:1].upper()}{name[1:]}"


def _item(line: str) -> str:
    return textwrap.fill(line, WIDTH, initial_indent="  - ", subsequent_indent="    ", break_on_hyphens=False)


def sentence(violation: Violation, columns: Sequence[str] = ()) -> str:
    """Return one broken rule as a sentence.

    `columns` are those that a requirement judges; they are of no use for any other rule.
    """
    rule, _, detail = violation.rule.partition(": ")
    if rule in RULES:
        return RULES[rule](violation, detail)
    if rule.startswith("k="):
        return _small_classes(violation, rule.removeprefix("k="))
    return _requirement(violation, columns)


def _small_classes(v: Violation, k: str) -> str:
    least = "" if v.example_group_size is None else f"; the smallest has {v.example_group_size:,}"
    return f"{_classes(v)} {_verb(v, 'has', 'have')} fewer than {count_of(int(k), 'row')}{least}."


def _requirement(v: Violation, columns: Sequence[str]) -> str:
    """Return the sentence on classes that fail a model, written as a policy writes it: its name, then its settings."""
    size = "" if v.example_group_size is None else f"; the smallest of them has {count_of(v.example_group_size, 'row')}"
    return f"{_classes(v)} {_verb(v, 'fails', 'fail')} {_model(v.rule, columns)}{size}."


def _model(rule: str, columns: Sequence[str]) -> str:
    """Return a requirement as words: as a policy writes it, then the columns that it judges."""
    name, *settings = rule.split()
    told = [part for part in settings if not part.startswith(("column=", "columns="))]
    return " ".join([name, *told]) + (f" on {and_(columns)}" if columns else "")


def _rows(v: Violation, _: str) -> str:
    if not v.way:
        return f"Rows of the release and of the original are not one to one: {count_of(v.count, 'row')} off."
    return f"The release has {count_of(v.count, 'row')} {v.way} than the original."


def _columns(v: Violation, detail: str) -> str:
    if detail.startswith("missing "):
        return f"Column {detail.removeprefix('missing ')} is missing from the release."
    if detail.startswith("identifier "):
        return f"Column {detail.removeprefix('identifier ')} is an identifier, and it is in the release."
    if detail == "in another order":
        return f"{count_of(v.count, 'column')} {_verb(v, 'stands', 'stand')} in another place than in the original."
    what = f"that the original lacks or that {_verb(v, 'was', 'were')} to be dropped"
    return f"The release has {count_of(v.count, 'column')} {what}."


def _mask(v: Violation, _: str) -> str:
    return f"{_released(v)} {_verb(v, 'shows', 'show')} a combination of changed columns that the mask does not allow."


def _faithful(v: Violation, _: str) -> str:
    return f"{_released(v)} cannot have come from {_verb(v, 'an original row', 'original rows')}."


def _invented(v: Violation, column: str) -> str:
    what = "which no value of the original there can become"
    return f"{_released(v)} {_verb(v, 'shows', 'show')} in column {column} a value {what}."


def _others(v: Violation, column: str) -> str:
    if not column:
        what = "values of unchanged columns that no original row holds together"
        return f"{_released(v)} {_verb(v, 'holds', 'hold')} {what}."
    return (
        f"{_released(v)} {_verb(v, 'differs', 'differ')} from the original in column {column}, which must not change."
    )


def _changed(v: Violation, column: str) -> str:
    what = "neither the original value nor what may stand for it"
    return f"{_released(v)} {_verb(v, 'shows', 'show')} in column {column} {what}."


def _recoding(v: Violation, _: str) -> str:
    shown = f"{_released(v)} {_verb(v, 'is', 'are')} shown at other levels than most"
    return f"No one recoding shows all rows that are not fully suppressed: {shown}."


def _suppression_limit(v: Violation, _: str) -> str:
    return f"{_released(v)} {_verb(v, 'is', 'are')} fully suppressed above the suppression limit."


def _certificate(_: Violation, claim: str) -> str:
    return f"The certificate {CERTIFICATE.get(claim, f'claims a {claim!r} that the recount does not confirm')}."


def _released(v: Violation) -> str:
    return count_of(v.count, "released row")


def _classes(v: Violation) -> str:
    return count_of(v.count, "class")


def _verb(v: Violation, one: str, several: str) -> str:
    return one if v.count == 1 else several


CERTIFICATE = {
    "rows": "is about a table of another number of rows",
    "row_types": "is about a table with another number of different rows",
    "k": "is about another k than the policy's",
    "outliers": "is about another rule for outliers than the policy's",
    "scale": "counts costs in another unit than the policy's weights and hierarchies give",
    "requirements": "is about other requirements than the policy's, or in another order",
    "diverse": "is about 2-diversity, which the policy does not ask for in that form",
    "column": "is about ranges of another column than the policy's",
    "columns": "is about ranges of other columns than the policy's",
    "step": "is about another grid than the policy's or the release's",
    "most_suppressed": "is about another limit on fully suppressed rows than the policy's",
    "levels": "names a level vector that is not the release's",
    "suppressed_rows": "claims other fully suppressed rows than the recount finds",
    "cost": "claims another cost than the recount of the release finds",
    "proof": "holds a proof with a part that does not hold",
    "lower_bound": "claims a lower bound that the recount does not confirm",
    "lower_bound_checked": "claims that more of its lower bound can be rechecked than the recount confirms",
}
RULES: dict[str, Callable[[Violation, str], str]] = {
    "rows": _rows,
    "columns": _columns,
    "mask": _mask,
    "faithful": _faithful,
    "invented value": _invented,
    "other columns": _others,
    "changed cells": _changed,
    "recoding": _recoding,
    "suppression limit": _suppression_limit,
    "certificate": _certificate,
}
