"""Settings as fields of a form, and what a form says of them: made from the settings' own names, shapes and help."""

from __future__ import annotations

import csv
import dataclasses
import io
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from incrowd import registry
from incrowd.policy.job import Job, Policy
from incrowd.policy.keys import MASK_SETTINGS
from incrowd.settings import Setting, from_option, settings_of
from incrowd.settings.exact_numbers import fraction_text
from incrowd.tables.mask import Mask
from incrowd.tables.roles import Reading

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

__all__ = ["Field", "changed", "fields_of"]

NOTHING: Mapping[str, list[str]] = MappingProxyType({})
BY_LINES = ("groups", "weights", "levels", "models", "distances")
ELSEWHERE = ("hierarchies",)  # has a page of its own
PAIRS = ("weights", "levels", "distances")
PLAIN = {
    "k": (
        "k: how many look alike",
        "Every row looks like at least k-1 others. 5 is usual inside an organisation, 10 or more for the public",
    ),
    "l": (
        "l: how many answers stay possible",
        "Among those who look alike, no value of a column that nobody may learn belongs to more than 1 in l. "
        "2 is the least that helps; empty asks for nothing",
    ),
    "t": (
        "t: how near to the whole table",
        "Among those who look alike, the values of a column that nobody may learn spread as in the whole table, "
        "up to t: 0 is exactly so, 0.2 nearly so, 1 anything; empty asks for nothing",
    ),
    "time_limit": (
        "Time limit in seconds",
        "The search ends then with the best that it has, or before; empty is a minute",
    ),
}
"""Label and help of settings that everybody meets, for who never heard of them."""
LABELS = {
    "max_stars": "Stars in a row, at most",
    "together": "Only together",
    "at_most_one": "One of them at most",
    "never_together": "Never all of them",
    "max_level": "No coarser than",
    "patterns": "These patterns and no others",
    "full_suppression": "May a row become all stars?",
    "weights": "What a star costs",
}
"""Label of settings whose help says enough."""


@dataclass(frozen=True, slots=True)
class Field:
    """One setting in a form.

    Attributes
    ----------
    name : str
        The setting's.
    label, help : str
    kind : str
        ``text``, ``lines``, ``choice`` or ``number``.
    value : str
        As the form shows it.
    choices : tuple of (str, str)
        Value and words, where it is a choice.
    """

    name: str
    label: str
    help: str
    kind: str
    value: str
    choices: tuple[tuple[str, str], ...] = ()
    metavar: str = ""


def fields_of(job: Job, names: Iterable[str], sent: Mapping[str, list[str]] = NOTHING) -> list[Field]:
    """Return the fields of some settings; names of none, and those with a page of their own, are left out.

    The fields show the values of the job. `sent` is what a form was sent with that could not be used; it is shown in
    place of the values.
    """
    found = []
    for name in names:
        for holder, specs in _holders(job):
            if name in specs and name not in ELSEWHERE:
                found.append(_field(name, specs[name], getattr(holder, name)))
    return [dataclasses.replace(one, value=sent[one.name][0]) if sent.get(one.name) else one for one in found]


def _holders(job: Job) -> list[tuple[Any, Mapping[str, Setting]]]:
    policy, mask = job.policy, job.policy.mask
    words: Mapping[str, Setting] = MASK_SETTINGS if isinstance(mask, Mask) else {}
    return [
        (policy, settings_of(Policy)), (mask, words), (policy.reading, settings_of(Reading)), (job, settings_of(Job)),
    ]  # fmt: skip


def _field(name: str, spec: Setting, value: Any) -> Field:
    if name in PLAIN:
        label, said = PLAIN[name]
        spec = dataclasses.replace(spec, help=said)
    else:
        label = LABELS.get(name, name.replace("_", " ").capitalize())
    text = _text(spec, value)
    if spec.shape == "flag":
        words = (("", "as usual"),) if value is None else ()
        return Field(name, label, spec.help, "choice", text, (*words, ("yes", "yes"), ("no", "no")))
    if spec.choices:
        return Field(name, label, spec.help, "choice", text, tuple((word, word) for word in spec.choices))
    if spec.listed_in and spec.shape == "name":
        listed = tuple(dict.fromkeys([str(value), *(str(spec.default or ""),), *registry.names(spec.listed_in)]))
        kind = "choice" if text in listed else "text"
        return Field(name, label, spec.help, kind, text, tuple((word, word) for word in listed if word))
    kind = "lines" if _by_lines(spec) else "number" if spec.shape in ("integer", "number") else "text"
    return Field(name, label, spec.help, kind, text, metavar=spec.metavar)


def _by_lines(spec: Setting) -> bool:
    return spec.shape in BY_LINES or spec.repeat


def _text(spec: Setting, value: Any) -> str:
    """Return a value as its field shows it."""
    if value is None:
        return ""
    if spec.shape == "flag":
        return "yes" if value else "no"
    if spec.shape == "fraction":
        return str(fraction_text(value))
    if spec.shape == "models":
        return "\n".join(model.rule for model in value)
    if spec.shape in PAIRS:
        return "\n".join(f"{column}={_plain(one)}" for column, one in value)
    if spec.shape == "groups":
        return "\n".join(_line([part if isinstance(part, str) else str(part) for part in group]) for group in value)
    if spec.shape == "list":
        return "\n".join(value) if spec.repeat else _line(value)
    return f"{value:g}" if isinstance(value, float) else str(value)


def _plain(value: Any) -> str:
    return value if isinstance(value, str) else str(fraction_text(value))


def _line(parts: Iterable[str]) -> str:
    out = io.StringIO()
    csv.writer(out, lineterminator="").writerow(parts)
    return out.getvalue().replace('","', '", "') if '"' in out.getvalue() else ", ".join(parts)


def changed(job: Job, names: Iterable[str], form: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings that a form changes, as `Job.replace` takes them; those that it does not hold stay.

    The form showed the values of the job, and `names` are the settings that it may hold.
    """
    specs = {name: spec for _, known in _holders(job) for name, spec in known.items()}
    found = {}
    for field in fields_of(job, names):
        given = form.get(field.name)
        if not isinstance(given, str) or _settled(given) == _settled(field.value):
            continue
        found[field.name] = _value(specs[field.name], _settled(given))
    return found


def _settled(text: str) -> str:
    return "\n".join(line.strip() for line in text.replace("\r", "").split("\n")).strip()


def _value(spec: Setting, text: str) -> Any:
    """Return what a field's text means; the setting itself refuses what it cannot be."""
    if _by_lines(spec):
        lines = tuple(line for line in text.split("\n") if line)
        return from_option(spec, lines) if lines else None if spec.default is None else ()
    if spec.shape == "flag":
        return {"yes": True, "no": False}.get(text)
    if not text:
        return () if spec.shape == "list" else spec.default
    return text
