"""The models that a release or a table is held to, as a table of a page."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd import registry
from incrowd.report.pages.page import Table
from incrowd.report.text.models import model_name
from incrowd.report.text.words import plain

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

__all__ = ["models_table"]


def models_table(models: Sequence[Mapping[str, Any]]) -> Table:
    """Return the privacy models as a table, with what was asked and reached; those that were asked come first.

    The models are as `incrowd.report.text.models.models_of` returns them; one that is not registered has a dash for its
    meaning.
    """
    rows = [
        [
            model_name(model),
            "–" if model.get("asked") is None else plain(model["asked"]),
            "–" if model.get("reached") is None else plain(model["reached"]),
            {True: "met", False: "NOT met", None: "measured only"}[model.get("ok")],
            registry.load("models", model["name"]).summary if model["name"] in registry.MODELS else "–",
        ]
        for model in sorted(models, key=lambda model: model.get("asked") is None)
    ]
    return Table("Privacy models", ["model", "asked", "reached", "verdict", "meaning"], rows, wide=True)
