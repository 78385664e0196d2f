"""What every result is: typed facts, whose JSON is their fields, and one document that every door shows."""

from __future__ import annotations

import json
from dataclasses import MISSING, dataclass, field, fields
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pathlib import Path

    from incrowd.report.document import Document


def if_asked() -> Any:
    """Return the field of a fact that its JSON holds only where there is one."""
    return field(default=None, metadata={"if_asked": True})


def not_in_json(default: Any = MISSING) -> Any:
    """Return a field that no JSON holds."""
    return field(default=default, metadata={"not_in_json": True})


def in_json(name: str) -> Any:
    """Return a field that the JSON calls by another name."""
    return field(metadata={"name": name})


class Shown:
    """What has one document, which every door shows."""

    def document(self, *, paper: bool = False) -> Document:
        """Return what every door shows; what only a file shows may be left out where it is not for `paper`."""
        raise NotImplementedError

    def summary(self) -> str:
        """Return what was found, in words."""
        return self.document().text()

    def report(self, path: str | Path) -> None:
        """Write the report: one HTML file, without script or request. It names columns and counts, never a value.

        Parameters
        ----------
        path : str or Path
            Of the HTML file.

        Raises
        ------
        InputError
            If it cannot be written.
        """
        self.document(paper=True).write(path)

    def _repr_html_(self) -> str:
        return self.document().card()


@dataclass(frozen=True, eq=False, repr=False, kw_only=True)
class Result(Shown):
    """A result: its fields are the facts, in the order of its JSON; names and numbers, never a cell."""

    @property
    def facts(self) -> dict[str, Any]:
        """Everything, as in ``--json``."""
        return {
            one.metadata.get("name", one.name): value
            for one in fields(self)
            if "not_in_json" not in one.metadata
            and ((value := getattr(self, one.name)) is not None or "if_asked" not in one.metadata)
        }

    def to_json(self) -> str:
        """Return the facts as JSON."""
        return json.dumps(self.facts, indent=2, ensure_ascii=False)
