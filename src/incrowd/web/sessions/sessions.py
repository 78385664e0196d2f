"""All that is open: tables and networks, the root that files are chosen from, and what was uploaded."""

from __future__ import annotations

import secrets
import threading
from typing import TYPE_CHECKING, Any, TypeVar

from incrowd import networks
from incrowd.errors import InputError
from incrowd.tables.formats import every_format
from incrowd.web.files import refuse_bomb
from incrowd.web.sessions.session import Session
from incrowd.web.sessions.work import Open

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from incrowd.progress import Watch
    from incrowd.web.files import Root, Uploads
    from incrowd.web.sessions.work import Work

Opened = TypeVar("Opened")

GRAPHS = (".txt", ".csv", ".tsv", ".edges", ".edgelist", ".graphml", ".gml", ".net", ".json", ".gz")
MOST_OPEN = 20


def table_endings() -> tuple[str, ...]:
    """Return the endings of the files that may be opened as a table: all but those that may lead to other files."""
    found = []
    for one in every_format():
        if not one.leads_elsewhere:
            found += [*one.endings, *(f"{ending}.gz" for ending in one.endings if one.packed)]
    return tuple(dict.fromkeys(found))


class Sessions:
    """All that is open.

    Files may be chosen below `root`; None: uploads only. `tables`, `networks`: by number. `said`: by a word: why a form
    could not be used, and what it was sent with. `closing`: whether the server ends.
    """

    def __init__(self, root: Root | None, uploads: Uploads) -> None:
        self.root, self.uploads = root, uploads
        self.tables: dict[str, Session] = {}
        self.networks: dict[str, NetworkSession] = {}
        self.said: dict[str, tuple[str, dict[str, list[str]]]] = {}
        self.closing = False
        self._lock = threading.Lock()

    def open_table(self, path: Path) -> Session:
        """Open a table that lies below the root, or was uploaded into a room of its own.

        Raise `InputError` if it is of no kind that may be opened, or unpacks to too much.
        """
        endings = table_endings()
        if not path.name.lower().endswith(endings):
            raise InputError(
                f"{path.name!r} is of no kind that can be opened here: {', '.join(endings)}; from a database "
                "export the table first"
            )
        return self._opened(Session, self.tables, path)

    def open_network(self, path: Path) -> NetworkSession:
        """Open a network that lies below the root, or was uploaded; `InputError` is raised as by `open_table`."""
        if not path.name.lower().endswith(GRAPHS):
            raise InputError(f"{path.name!r} is of no kind that a network is read from: {', '.join(GRAPHS)}")
        return self._opened(NetworkSession, self.networks, path)

    def _opened(self, kind: Callable[[str, Path, Path], Opened], held: dict[str, Opened], path: Path) -> Opened:
        refuse_bomb(path, self.uploads.limits)
        with self._lock:
            if len(self.tables) + len(self.networks) >= MOST_OPEN:
                raise InputError(f"{MOST_OPEN} tables and networks are open; close one of them first")
            session = kind(number := secrets.token_hex(4), path, self.uploads.room())
            held[number] = session
        return session

    def shut(self, number: str) -> None:
        """Close a table or network; nothing happens where it is not open."""
        found = self.tables.pop(number, None) or self.networks.pop(number, None)
        if found is not None:
            found.close()

    def close(self) -> None:
        """Close everything, and remove what was uploaded."""
        self.closing = True
        for number in [*self.tables, *self.networks]:
            self.shut(number)
        self.uploads.close()


# One open network, and the questions that are asked about it.
SECONDS = 60.0


class NetworkSession(Open):
    """One open network; the questions of its page are asked at once, one after the other."""

    def __init__(self, number: str, source: Path, room: Path) -> None:
        super().__init__(number, source, room)
        self.measure()

    def measure(self) -> Work:
        """Begin to read the network and ask for its curve and what single members see."""

        def do(watch: Watch) -> dict[str, Any]:
            graph = networks.read(self.source, watch=watch)
            curve = networks.profile(graph, time_limit=SECONDS, watch=watch)
            risks = networks.risks(graph, attackers=1, time_limit=SECONDS, watch=watch)
            return {"curve": curve, "document": curve.document(), "alone": risks.document().verdict.headline}

        return self.begin("measure", "Measuring the network", do)
