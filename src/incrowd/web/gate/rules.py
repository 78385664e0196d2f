"""The reasons to refuse a request, in the order in which they are asked."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from incrowd.web.gate.keys import Keys

__all__ = ["ENTRANCE", "Refusal", "Rules", "header"]

ENTRANCE = "/enter"
FORMS = ("application/x-www-form-urlencoded", "multipart/form-data")
MOST_QUERY = 4096


@dataclass(frozen=True, slots=True)
class Refusal:
    """Why a request is refused.

    Attributes
    ----------
    status : int
        Of HTTP.
    why : str
        One sentence; it repeats nothing of the request.
    """

    status: int
    why: str


@dataclass(frozen=True, slots=True)
class Rules:
    """What a request has to be.

    Attributes
    ----------
    port : int
        On which the server listens.
    keys : Keys
    methods_of : callable
        Returns the methods of the route that a request's path leads to; none where there is no such route.
    """

    port: int
    keys: Keys
    methods_of: Callable[[Mapping[str, Any]], frozenset[str]]

    def refusal(self, scope: Mapping[str, Any]) -> Refusal | None:
        """Return why an HTTP request is refused, or None where nothing is against it; `scope` is as ASGI has it."""
        return (
            self._of_address(scope)
            or self._of_method(scope)
            or (None if _at_entrance(scope) else self._of_sender(scope))
            or self._of_path(scope)
        )

    def _of_address(self, scope: Mapping[str, Any]) -> Refusal | None:
        """Refuse every host but ours: another name for this machine is somebody's trick."""
        if header(scope, "host") not in self._hosts():
            return Refusal(421, "This address is not the one that incrowd serve printed.")
        if len(scope["query_string"]) > MOST_QUERY:
            return Refusal(414, "The address is too long.")
        return None

    def _hosts(self) -> tuple[str, str]:
        return f"127.0.0.1:{self.port}", f"localhost:{self.port}"

    def _of_method(self, scope: Mapping[str, Any]) -> Refusal | None:
        if scope["method"] not in ("GET", "POST") or (_at_entrance(scope) and scope["method"] != "GET"):
            return Refusal(405, "Pages are read with GET and changed with POST; there is no other way.")
        return None

    def _of_sender(self, scope: Mapping[str, Any]) -> Refusal | None:
        """Refuse what another site sent, and whoever has no cookie."""
        origin, site = header(scope, "origin"), header(scope, "sec-fetch-site")
        own = f"http://{header(scope, 'host')}"
        posts = scope["method"] == "POST"
        if (origin != own) if posts else (origin not in ("", own)):
            return Refusal(403, "This request comes from another site.")
        if site not in (("", "same-origin") if posts else ("", "same-origin", "none")):
            return Refusal(403, "This request comes from another site.")
        if not self.keys.knows(header(scope, "cookie")):
            return Refusal(403, "Open the address that incrowd serve printed; it works once, in one browser.")
        if posts and header(scope, "content-type").partition(";")[0].strip().lower() not in FORMS:
            return Refusal(415, "Only forms are taken.")
        return None

    def _of_path(self, scope: Mapping[str, Any]) -> Refusal | None:
        methods = self.methods_of(scope)
        if not methods:
            return Refusal(404, "There is no such page.")
        if scope["method"] not in methods:
            return Refusal(405, "This page is not asked in this way.")
        return None


def _at_entrance(scope: Mapping[str, Any]) -> bool:
    return str(scope["path"]) == ENTRANCE


def header(scope: Mapping[str, Any], name: str) -> str:
    """Return a header of a request; empty where it is missing, and a line end, which none holds, where it came twice.

    `scope` is that of an HTTP request, as ASGI has it, and `name` is in lower case.
    """
    found = [value for key, value in scope["headers"] if key.lower() == name.encode()]
    if name == "cookie":  # HTTP/2 may split it; here one is usual
        return "; ".join(value.decode("latin-1") for value in found)
    return "\n" if len(found) > 1 else found[0].decode("latin-1") if found else ""
