"""What every result of a network question can do: be written as a report, and be shown in a notebook."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd import registry

if TYPE_CHECKING:
    from pathlib import Path

__all__ = ["Reported"]


class Reported:
    """A result with a report. The pages stand above the networks, so they are found by name."""

    __slots__ = ()

    def report(self, path: str | Path, *, source: str | None = None, certificate: str | Path | None = None) -> None:
        """Write the report: one HTML file, without script or request. It holds counts, never a label.

        Parameters
        ----------
        path
            Of the HTML file.
        source, certificate : str, optional
            What the graph's file and the certificate are called, for the commands that repeat the check.
        """
        write: Any = registry.face("network report")
        write(self, path, source=source, certificate=certificate)

    def _repr_html_(self) -> str:
        card: Any = registry.face("network card")
        return str(card(self))
