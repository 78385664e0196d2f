"""A folder in which the computed tables of a job stay until it succeeds, so that a killed driver goes on from them.

Each kept table lies under a name that is a keyed hash: of the question that made it, and of all the questions, and the
contents of all the tables taken in, before it. So a table is read again where the same job has come to the same
question by the same way, and computed where anything is otherwise. The folder's own name plate says by three more of
such hashes which version, policy and table it is of. The key lies in the folder, which its owner alone may enter: names
say nothing to others, and what lies there is personal data.
"""

from __future__ import annotations

import hashlib
import hmac
import secrets
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError
from incrowd.version import __version__

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from incrowd.tables.engine.spark_places import Places

__all__ = ["ResumeFolder", "content_of"]

PLATE = "incrowd-resume"
KINDS = ("version of incrowd or of Spark", "policy", "table")
DIGITS = 32  # of a keyed hash that are part of a name


class ResumeFolder:
    """The folder of ``--resume``.

    Parameters
    ----------
    places : Places
    folder : str
        Its address.
    name : str
        What messages call it.
    policy : str
        The policy as text.

    Attributes
    ----------
    found : int
        Tables that were read again instead of computed.
    finished : bool
        Whether the job has succeeded, and the folder is to go.
    """

    def __init__(self, places: Places, folder: str, name: str, policy: str) -> None:
        self._places, self.folder, self._name, self._policy = places, folder.rstrip("/"), name, policy
        self._key, self._state = "", b""
        self.found, self.finished = 0, False

    def begin(self, table: Iterable[tuple[str, int, int]]) -> None:
        """Take the folder for a table, or find out that it is of the same job; nothing else may lie there.

        Parameters
        ----------
        table : iterable of (str, int, int)
            The files' addresses, sizes and times of change.

        Raises
        ------
        InputError
            If it is of another version, policy or table, or holds something else.
        """
        import pyspark

        told = f"{__version__} {pyspark.__version__}", self._policy, repr(sorted(table))
        there = self._places.inside(self.folder) if self._places.exists(self.folder) else []
        plates = [place.name for place in there if place.name.startswith(PLATE)]
        if there and len(plates) != 1:
            raise InputError(
                f"folder '{self._name}' of --resume holds something else than an interrupted job; name one that is "
                "empty, or none that is there"
            )
        self._key = plates[0].split("-")[2] if plates else secrets.token_hex(16)
        marks = [self._keyed(kind, text) for kind, text in zip(KINDS, told, strict=True)]
        if plates:
            for kind, mark, was in zip(KINDS, marks, plates[0].split("-")[3:], strict=True):
                if mark != was:
                    raise InputError(
                        f"folder '{self._name}' of --resume is of a job with another {kind}; name another folder, or "
                        "remove this one to begin anew"
                    )
        else:
            self._places.make_private(self.folder)
            self._places.mark(self.folder, "-".join((PLATE, self._key, *marks)))
        self._state = marks[-1].encode()

    def follow(self, told: str | bytes) -> None:
        """Let what comes after depend on a question or a content.

        Parameters
        ----------
        told : str or bytes
        """
        data = told.encode() if isinstance(told, str) else told
        self._state = hmac.digest(bytes.fromhex(self._key), self._state + b"|" + data, "sha256")

    def next(self, told: str | bytes) -> tuple[str, bool]:
        """Return where a table goes that a question or a content makes, and whether it lies there already.

        Parameters
        ----------
        told : str or bytes
        """
        self.follow(told)
        file = f"{self.folder}/{self._state.hex()[:DIGITS]}"
        whole = self._places.exists(f"{file}/_SUCCESS")
        if not whole and self._places.exists(file):  # the driver was killed while it was written
            self._places.remove(file)
        self.found += whole
        return file, whole

    def close(self) -> None:
        """Remove the folder if the job has succeeded."""
        if self.finished:
            self._places.remove(self.folder)

    def _keyed(self, kind: str, text: str) -> str:
        return hmac.new(bytes.fromhex(self._key), f"{kind}|{text}".encode(), hashlib.sha256).hexdigest()[:DIGITS]


def content_of(batches: Sequence[Any]) -> bytes:
    """Return a digest of Arrow tables: their columns and cells.

    Parameters
    ----------
    batches : sequence of pyarrow.Table
    """
    import pyarrow as pa

    digest = hashlib.sha256()
    for table in batches:
        sink = pa.BufferOutputStream()
        with pa.ipc.new_stream(sink, table.schema) as writer:
            writer.write_table(table.combine_chunks())
        digest.update(sink.getvalue())
    return digest.digest()
