"""What an independent recount of a release found, and the sentence for every rule that can be broken."""

from __future__ import annotations

import json
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from incrowd.errors import and_, count_of
from incrowd.report.document import Card, Document, Points, Section, Verdict
from incrowd.report.result import Shown
from incrowd.report.words import at_least, plain

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
    from fractions import Fraction

    from incrowd.proved.check import Proved
    from incrowd.tables.verdict import HeldTo, Violation


class Violations(list["Violation"], Shown):
    """Violations of a release, empty when it is good; with a certificate also what was recounted of it.

    `certified`: whether a certificate was given. `cost`, `lower_bound`: in the user's units; None too where the recount
    was ended before. `proven`: whether the whole claimed bound was recounted. `question`, `k`: what the bound is about:
    ``"k-anonymity"`` with that k, ``"k-anonymity and the requirements"``, or ``"2-diversity"``. `requirements`: what it
    is about beside k, as the policy writes it. `notes`: what to know of how the original was read; names of columns and
    counts only. `proved`: what the program whose correctness is machine-proved says; None where it was not asked.
    `held`: what the release was held to: k, what was asked beside it, the columns that counted, and those that passed
    unchanged with the rows that are unique on them. `judged`: by requirement the columns that it is about. `names`:
    what the original and the release are called. `released_sum`: with a certificate, the sum of the released rows'
    hashes, which it and the report of its run name.
    """

    def __init__(
        self, found: Iterable[Violation] = (), *, certified: bool = False, cost: Fraction | None = None,
        lower_bound: Fraction | None = None, proven: bool | None = None, question: str | None = None,
        k: int | None = None, requirements: tuple[str, ...] = (), notes: tuple[str, ...] = (),
        proved: Proved | None = None, held: HeldTo | None = None,
        judged: Mapping[str, Sequence[str]] = MappingProxyType({}),
        names: tuple[str, str] = ("the original", "the release"), released_sum: str | None = None,
    ) -> None:  # fmt: skip
        super().__init__(found)
        self.certified, self.cost, self.lower_bound, self.proven = certified, cost, lower_bound, proven
        self.question, self.k, self.requirements, self.notes = question, k, requirements, notes
        self.proved, self.held, self.judged, self.names = proved, held, dict(judged), names
        self.released_sum = released_sum

    def to_json(self) -> str:
        """Return it as ``incrowd verify --json`` prints it."""
        broken = [{"rule": v.rule, "count": v.count, "example_group_size": v.example_group_size} for v in self]
        facts: dict[str, Any] = {"ok": not self, "violations": broken}
        if self.certified:
            facts |= {"cost": _number(self.cost), "lower_bound": _number(self.lower_bound), "proven": self.proven}
            facts |= {"question": self.question, "k": self.k, "released_sum": self.released_sum}
            facts |= {"requirements": list(self.requirements)} if self.requirements else {}
        if self.held is not None:
            facts |= self.held.facts()
        if (said := self.proved) is not None:
            bound = _number(said.lower_bound)
            facts |= {"proved": said.holds, "proved_lower_bound": bound, "proved_why": said.why or None}
        return json.dumps(facts, indent=2)

    def document(self, *, paper: bool = False) -> Document:
        """Return what every door shows of it."""
        original, released = self.names
        name = f"{released[:1].upper()}{released[1:]}"
        if not self:
            headline = f"{name} keeps the policy: classes, mask and cells were recounted against {original}."
            verdict = Verdict("yes", headline, list(_recounted(self)))
        else:
            wrong = any(not violation.rule.startswith("certificate: ") for violation in self)
            headline = f"{name} does NOT keep the policy." if wrong else "The certificate does NOT hold."
            verdict = Verdict("no", headline, [sentence(v, self.judged.get(v.rule, ())) for v in self])
        held = Section("held", "What it was held to", [Points(list(_held(self)))])
        return Document("Recount of a release", [], verdict, list(_cards(self)), [held])


def _number(value: Fraction | None) -> int | float | None:
    """Return a fraction as JSON writes it."""
    return None if value is None else int(value) if value.denominator == 1 else float(value)


def _recounted(found: Violations) -> Iterator[str]:
    """Yield what of a certificate was recounted."""
    if found.certified and found.lower_bound is None:
        yield "The recount of the certificate was ended before it was through: nothing is known of its bound."
    elif found.certified:
        part = "the whole claimed bound" if found.proven else "NOT the whole claimed bound, the rest is a solver's word"
        than = "and no release costs less" if _least(found) else f"no release costs less than {_bound(found)}"
        yield (
            f"The certificate holds: the release costs {plain(found.cost)}, {than} under {found.question} with "
            f"k={found.k} ({part})."
        )
    if found.proved is not None and found.proved.holds:
        yield "Checked by a program whose correctness is machine-proved: the release, its cost and this bound."
    elif found.proved is not None:
        yield f"Not checked by the program whose correctness is machine-proved: {found.proved.why}."


def _held(found: Violations) -> Iterator[str]:
    """Yield what a release was held to, and the columns that a verdict says nothing of."""
    if (held := found.held) is None:
        return
    asked = [f"k = {held.k:,}", *(_model(rule, found.judged.get(rule, ())) for rule in held.requirements)]
    yield f"Held to {'; '.join(asked)}. Columns that counted: {and_(held.quasi_identifiers)}."
    kept = held.kept
    if not kept.columns:
        yield "No other column is in the release."
        return
    names = [f"{c.name} (sensitive)" if c.role == "sensitive" else c.name for c in kept.columns]
    yield (
        f"Passed unchanged: {and_(names)}. On {'them together' if len(names) > 1 else 'it'} {kept.unique_rows:,} of "
        f"{count_of(kept.rows, 'row')} {'is' if kept.unique_rows == 1 else 'are'} unlike any other."
    )
    if kept.telling:
        near = [c.name for c in kept.columns if c.nearly_unique and c.role == "other"]
        some = f": {and_(near)} {'are' if len(near) > 1 else 'is'} nearly unique" if near else ""
        yield (
            f"WARNING: who knows columns without a role finds people{some}. Drop such columns, or make them "
            "quasi-identifiers."
        )


def _cards(found: Violations) -> Iterator[Card]:
    if found.held is not None:
        kept = found.held.kept
        yield Card(f"k = {found.held.k:,}", f"on {and_(found.held.quasi_identifiers)}")
        yield Card(f"{kept.unique_rows:,} of {kept.rows:,} rows", "are unique on what passed unchanged")
    if found.cost is not None:
        yield Card(plain(found.cost), "what the release costs, recounted")
    if found.lower_bound is not None:
        whole = "" if found.proven else " (a part of the claimed bound)"
        yield Card(_bound(found), f"no release costs less, recounted{whole}")


def _least(found: Violations) -> bool:
    return found.cost == found.lower_bound


def _bound(found: Violations) -> str:
    """Return the bound as text: the cost's own where they are equal, else no more than it is."""
    return plain(found.cost) if _least(found) else at_least(found.lower_bound)


def sentence(violation: Violation, columns: Sequence[str] = ()) -> str:
    """Return one broken rule as a sentence.

    `columns` are those that a requirement judges; they are of no use for any other rule.
    """
    rule, _, detail = violation.rule.partition(": ")
    shown = SHOWS.get("columns together" if rule == "other columns" and not detail else rule)
    if shown is not None:
        one, several, what = shown
        return f"{_released(violation)} {_verb(violation, one, several)}{what.format(detail)}."
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


def _recoding(v: Violation, _: str) -> str:
    shown = f"{_released(v)} {_verb(v, 'is', 'are')} shown at other levels than most"
    return f"No one recoding shows all rows that are not fully suppressed: {shown}."


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
    "released_sum": "is of another release: the sum of its rows' hashes is not that of these rows",
    "cost": "claims another cost than the recount of the release finds",
    "proof": "holds a proof with a part that does not hold",
    "lower_bound": "claims a lower bound that the recount does not confirm",
    "lower_bound_checked": "claims that more of its lower bound can be rechecked than the recount confirms",
}
SHOWS = {
    "mask": ("shows", "show", " a combination of changed columns that the mask does not allow"),
    "faithful": ("cannot have come from an original row", "cannot have come from original rows", ""),
    "invented value": ("shows", "show", " in column {} a value which no value of the original there can become"),
    "columns together": ("holds", "hold", " values of unchanged columns that no original row holds together"),
    "other columns": ("differs", "differ", " from the original in column {}, which must not change"),
    "changed cells": ("shows", "show", " in column {} neither the original value nor what may stand for it"),
    "suppression limit": ("is", "are", " fully suppressed above the suppression limit"),
}
"""By rule: what a released row, or several, do that they must not, and the rest of the sentence."""
RULES: dict[str, Callable[[Violation, str], str]] = {
    "rows": _rows,
    "columns": _columns,
    "recoding": _recoding,
    "certificate": _certificate,
}
