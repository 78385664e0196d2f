"""Every setting by its heading, and the policy itself as text: opened, edited, saved."""

from __future__ import annotations

import csv
import dataclasses
import io
from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool

from incrowd import registry
from incrowd.errors import IncrowdError, InputError
from incrowd.policy.job import Job, Policy
from incrowd.policy.keys import MASK_SETTINGS, PATHS, SECTIONS
from incrowd.settings import Setting, fraction_text, from_option, settings_of
from incrowd.tables.mask import Mask
from incrowd.tables.roles import Reading
from incrowd.web.files import NONE, safe_name
from incrowd.web.pages.page import MOST_FILE, Place, form_action, sent_of, session_of, sessions_of, show
from incrowd.web.sessions.session import MOST_TEXT, POLICY, missing_files

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from starlette.requests import Request
    from starlette.responses import Response


# Settings as fields of a form, and what a form says of them: made from the settings' own names, shapes and help.
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

    `name`: the setting's. `kind`: ``text``, ``lines``, ``choice`` or ``number``. `value`: as the form shows it.
    `choices`: value and words of each, where it is a choice.
    """

    name: str
    label: str
    help: str
    kind: str
    value: str
    choices: Sequence[tuple[str, str]]
    metavar: str


def fields_of(job: Job, names: Iterable[str], sent: Mapping[str, list[str]] = NOTHING) -> list[Field]:
    """Return the fields of some settings; names of none, and those with a page of their own, are left out.

    The fields show the values of the job. `sent` is what a form was sent with that could not be used; it is shown in
    place of the values.
    """
    held = _held(job)
    found = [_field(name, *held[name]) for name in names if name in held and name not in ELSEWHERE]
    return [dataclasses.replace(one, value=sent[one.name][0]) if sent.get(one.name) else one for one in found]


def _held(job: Job) -> dict[str, tuple[Setting, Any]]:
    """Return the settings of a job by name, each with its value."""
    policy, mask = job.policy, job.policy.mask
    words: Mapping[str, Setting] = MASK_SETTINGS if isinstance(mask, Mask) else {}
    parts = [
        (policy, settings_of(Policy)),
        (mask, words),
        (policy.reading, settings_of(Reading)),
        (job, settings_of(Job)),
    ]
    return {name: (spec, getattr(holder, name)) for holder, specs in parts for name, spec in specs.items()}


def _field(name: str, spec: Setting, value: Any) -> Field:
    if name in PLAIN:
        label, said = PLAIN[name]
        spec = dataclasses.replace(spec, help=said)
    else:
        label = LABELS.get(name, name.replace("_", " ").capitalize())
    text, kind = _fields_text(spec, value), "choice"
    choices: list[tuple[str, str]] = [(word, word) for word in spec.choices]
    if spec.shape == "flag":
        choices = [*([("", "as usual")] if value is None else []), ("yes", "yes"), ("no", "no")]
    elif spec.listed_in and spec.shape == "name":
        listed = dict.fromkeys([str(value), str(spec.default or ""), *registry.names(spec.listed_in)])
        choices = [(word, word) for word in listed if word]
        kind = "choice" if text in listed else "text"
    elif not choices:
        kind = "lines" if _by_lines(spec) else "number" if spec.shape in ("integer", "number") else "text"
    return Field(name, label, spec.help, kind, text, choices, spec.metavar)


def _by_lines(spec: Setting) -> bool:
    return spec.shape in BY_LINES or spec.repeat


def _fields_text(spec: Setting, value: Any) -> str:
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
    held = _held(job)
    found = {}
    for field in fields_of(job, names):
        given = form.get(field.name)
        if not isinstance(given, str) or _settled(given) == _settled(field.value):
            continue
        found[field.name] = _value(held[field.name][0], _settled(given))
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


# the app says itself where files go, and runs one engine
NOT_HERE = (*PATHS, "dry_run", "keep_best", "engine", "hierarchies")
HERE = {title: [name for name in names if name not in NOT_HERE] for title, names in SECTIONS.items()}


def _settings(request: Request) -> Response:
    session, sessions = session_of(request), sessions_of(request)
    why, sections, missing = "", [], []
    try:
        if session.text:
            missing = missing_files(session.room / POLICY)
        job = session.job
        sections = [(title, fields_of(job, names, sent_of(request))) for title, names in HERE.items()]
    except IncrowdError as error:
        why = str(error)
    policies = [] if sessions.root is None else sessions.root.names((".toml",))
    return show(
        request, "settings.html", session=session, sections=sections, why=why, missing=missing, policies=policies
    )


def _save(request: Request, form: Any) -> str:
    session = session_of(request)
    names = [name for names in HERE.values() for name in names]
    session.change(**changed(session.job, names, form))
    return f"/tables/{session.number}/settings"


def _text(request: Request, form: Any) -> str:
    session = session_of(request)
    text = str(form.get("text", ""))
    ends = "\r\n" if "\r\n" in session.text else "\n"  # forms send \r\n whatever the file had
    text = text.replace("\r\n", "\n").replace("\n", ends)
    if text != session.text:
        session.take(text)
    return f"/tables/{session.number}/settings"


def _open(request: Request, form: Any) -> str:
    """Open a policy below the root, with the files that it names."""
    session, sessions = session_of(request), sessions_of(request)
    if sessions.root is None:
        raise InputError("incrowd serve was started without a folder; send the policy instead")
    path = sessions.root.path(str(form.get("file", "")))
    if path.stat().st_size > MOST_TEXT or path.suffix.lower() != ".toml":
        raise InputError("this is no policy file; choose one that ends in .toml")
    session.copy_beside(path)
    session.take(_decoded(path.read_bytes()))
    return f"/tables/{session.number}/settings"


def _decoded(sent: bytes) -> str:
    try:
        return sent.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError("the policy file is not UTF-8; save it as UTF-8") from None


async def _send(request: Request, form: Any) -> str:
    """Take a policy, or files that one names."""
    session, sessions = session_of(request), sessions_of(request)
    for sent in form.getlist("file"):
        if isinstance(sent, str):
            raise InputError(NONE)
        if safe_name(sent.filename or "").lower().endswith(".toml"):
            await run_in_threadpool(session.take, _decoded(await sent.read(MOST_TEXT + 1)))
        else:
            await _beside(sessions, session, sent)
    return f"/tables/{session.number}/settings"


async def _beside(sessions: Any, session: Any, sent: Any) -> None:
    """Put a file where the policy names it: only under a name that it names."""
    name = safe_name(sent.filename or "")
    wanted = [one for one in missing_files(session.room / POLICY) if safe_name(one) == name]
    if not wanted:
        raise InputError("the policy names no file of this name that is missing; send the policy first, then its files")
    kept = await sessions.uploads.keep(sent, sessions.uploads.room())
    (session.room / wanted[0]).parent.mkdir(parents=True, exist_ok=True)
    kept.replace(session.room / wanted[0])


PLACES = (
    Place("/tables/{number}/settings", "GET", _settings),
    Place("/tables/{number}/settings", "POST", form_action(_save, "/tables/{number}/settings")),
    Place("/tables/{number}/text", "POST", form_action(_text, "/tables/{number}/settings"), most=4 * MOST_TEXT),
    Place("/tables/{number}/open", "POST", form_action(_open, "/tables/{number}/settings")),
    Place("/tables/{number}/send", "POST", form_action(_send, "/tables/{number}/settings"), most=MOST_FILE),
)
