"""Every setting by its heading, and the policy itself as text: opened, edited, saved."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from starlette.concurrency import run_in_threadpool

from incrowd.errors import IncrowdError, InputError
from incrowd.policy.job import every_setting
from incrowd.policy.keys import PATHS
from incrowd.policy.sections import SECTIONS
from incrowd.web.files.uploads import safe_name
from incrowd.web.pages.fields import changed, fields_of
from incrowd.web.pages.page import FORM, Place, back, desk_of, form_action, not_taken, sent_of, show, studio_of
from incrowd.web.studio.desk import MOST_TEXT, POLICY
from incrowd.web.studio.policy_files import missing_files

if TYPE_CHECKING:
    from starlette.requests import Request
    from starlette.responses import Response

__all__ = ["PLACES"]

# the app says itself where files go, and runs one engine
NOT_HERE = (*PATHS, "dry_run", "keep_best", "engine", "hierarchies")
MOST_FILES = 64 << 20
OTHERS = "What else there is"


def _sections() -> dict[str, list[str]]:
    found = {title: [name for name in names if name not in NOT_HERE] for title, names in SECTIONS.items()}
    listed = {name for names in SECTIONS.values() for name in names}
    rest = [name for name in every_setting() if name not in listed and name not in NOT_HERE]
    return {**found, OTHERS: rest} if rest else found


def _settings(request: Request) -> Response:
    desk, studio = desk_of(request), studio_of(request)
    why, sections, missing = "", [], []
    try:
        if desk.text:
            missing = missing_files(desk.room / POLICY)
        job = desk.job
        sections = [(title, fields_of(job, names, sent_of(request))) for title, names in _sections().items()]
    except IncrowdError as error:
        why = str(error)
    policies = [] if studio.root is None else studio.root.names((".toml",))
    return show(request, "settings.html", desk=desk, sections=sections, why=why, missing=missing, policies=policies)


def _save(request: Request, form: Any) -> str:
    desk = desk_of(request)
    names = [name for names in _sections().values() for name in names]
    desk.change(**changed(desk.job, names, form))
    return f"/tables/{desk.number}/settings"


def _text(request: Request, form: Any) -> str:
    desk = desk_of(request)
    text = str(form.get("text", ""))
    ends = "\r\n" if "\r\n" in desk.text else "\n"  # forms send \r\n whatever the file had
    text = text.replace("\r\n", "\n").replace("\n", ends)
    if text != desk.text:
        desk.take(text)
    return f"/tables/{desk.number}/settings"


def _open(request: Request, form: Any) -> str:
    """Open a policy below the root, with the files that it names."""
    desk, studio = desk_of(request), studio_of(request)
    if studio.root is None:
        raise InputError("incrowd serve was started without a folder; send the policy instead")
    path = studio.root.path(str(form.get("file", "")))
    if path.stat().st_size > MOST_TEXT or path.suffix.lower() != ".toml":
        raise InputError("this is no policy file; choose one that ends in .toml")
    desk.copy_beside(path)
    desk.take(_decoded(path.read_bytes()))
    return f"/tables/{desk.number}/settings"


def _decoded(sent: bytes) -> str:
    try:
        return sent.decode("utf-8")
    except UnicodeDecodeError:
        raise InputError("the policy file is not UTF-8; save it as UTF-8") from None


async def _send(request: Request) -> Response:
    """Take a policy, or files that one names."""
    desk, studio = desk_of(request), studio_of(request)
    path = f"/tables/{desk.number}/settings"
    async with request.form(max_files=20, max_fields=5, max_part_size=FORM) as form:
        try:
            for sent in form.getlist("file"):
                if isinstance(sent, str):
                    raise InputError("no file was chosen; choose one first")
                if safe_name(sent.filename or "").lower().endswith(".toml"):
                    text = _decoded(await sent.read(MOST_TEXT + 1))
                    await run_in_threadpool(desk.take, text)
                else:
                    await _beside(studio, desk, sent)
        except IncrowdError as error:
            return not_taken(request, path, error, form)
    return back(path)


async def _beside(studio: Any, desk: Any, sent: Any) -> None:
    """Put a file where the policy names it: only under a name that it names."""
    name = safe_name(sent.filename or "")
    wanted = [one for one in missing_files(desk.room / POLICY) if safe_name(one) == name]
    if not wanted:
        raise InputError("the policy names no file of this name that is missing; send the policy first, then its files")
    kept = await studio.uploads.keep(sent, studio.uploads.room())
    (desk.room / wanted[0]).parent.mkdir(parents=True, exist_ok=True)
    kept.replace(desk.room / wanted[0])


PLACES = (
    Place("/tables/{number}/settings", "GET", _settings),
    Place("/tables/{number}/settings", "POST", form_action(_save, "/tables/{number}/settings")),
    Place("/tables/{number}/text", "POST", form_action(_text, "/tables/{number}/settings"), most=4 * MOST_TEXT),
    Place("/tables/{number}/open", "POST", form_action(_open, "/tables/{number}/settings")),
    Place("/tables/{number}/send", "POST", _send, most=MOST_FILES),
)
