"""All that is open: tables and networks, the root that files are chosen from, and what was uploaded."""

from __future__ import annotations

import secrets
import threading
from typing import TYPE_CHECKING

from incrowd.errors import InputError
from incrowd.tables.formats import every_format
from incrowd.web.files.size import refuse_bomb
from incrowd.web.studio.desk import Desk
from incrowd.web.studio.network_desk import NetworkDesk

if TYPE_CHECKING:
    from pathlib import Path

    from incrowd.web.files.root import Root
    from incrowd.web.files.uploads import Uploads

__all__ = ["GRAPHS", "Studio", "table_endings"]

GRAPHS = (".txt", ".csv", ".tsv", ".edges", ".edgelist", ".graphml", ".gml", ".net", ".json", ".gz")
MOST_OPEN = 20


def table_endings() -> tuple[str, ...]:
    """Return the endings of the files that may be opened as a table: all but those that may lead to other files."""
    found = []
    for one in every_format():
        if not one.leads_elsewhere:
            found += [*one.endings, *(f"{ending}.gz" for ending in one.endings if one.packed)]
    return tuple(dict.fromkeys(found))


class Studio:
    """All that is open.

    Files may be chosen below `root`; None: uploads only.

    Attributes
    ----------
    tables, networks : dict
        By number.
    said : dict
        By a word: why a form could not be used, and what it was sent with.
    closing : bool
        Whether the server ends.
    """

    def __init__(self, root: Root | None, uploads: Uploads) -> None:
        self.root, self.uploads = root, uploads
        self.tables: dict[str, Desk] = {}
        self.networks: dict[str, NetworkDesk] = {}
        self.said: dict[str, tuple[str, dict[str, list[str]]]] = {}
        self.closing = False
        self._lock = threading.Lock()

    def open_table(self, path: Path) -> Desk:
        """Open a table that lies below the root, or was uploaded into a room of its own.

        Raise `InputError` if it is of no kind that may be opened, or unpacks to too much.
        """
        if not path.name.lower().endswith(table_endings()):
            raise InputError(
                f"{path.name!r} is of no kind that can be opened here: {', '.join(table_endings())}; from a database "
                "export the table first"
            )
        refuse_bomb(path, self.uploads.limits)
        with self._lock:
            self._refuse_many()
            desk = Desk(secrets.token_hex(4), path, self.uploads.room())
            self.tables[desk.number] = desk
        return desk

    def open_network(self, path: Path) -> NetworkDesk:
        """Open a network that lies below the root, or was uploaded into a room of its own.

        Raise `InputError` as `open_table` does.
        """
        if not path.name.lower().endswith(GRAPHS):
            raise InputError(f"{path.name!r} is of no kind that a network is read from: {', '.join(GRAPHS)}")
        refuse_bomb(path, self.uploads.limits)
        with self._lock:
            self._refuse_many()
            desk = NetworkDesk(secrets.token_hex(4), path, self.uploads.room())
            self.networks[desk.number] = desk
        return desk

    def _refuse_many(self) -> None:
        if len(self.tables) + len(self.networks) >= MOST_OPEN:
            raise InputError(f"{MOST_OPEN} tables and networks are open; close one of them first")

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
