"""The models that a release or a table is held to, in words: name, what was asked and what is reached."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from incrowd.report.text.words import plain

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["model_name", "models_of", "threshold_text"]


def models_of(facts: Mapping[str, Any]) -> list[Mapping[str, Any]]:
    """Return the models a release or table was held to.

    The facts are those of an audit, with ``models``, or of a release, with ``requirements``, each with its rule as the
    policy writes it. A model has ``name``, ``column``, ``asked``, ``reached``, ``ok`` and ``settings``. ``ok`` is True
    for a release: one that exists meets them.
    """
    if "models" in facts:
        return list(facts["models"])
    return [_model(line) for line in facts.get("requirements", [])]


def _model(line: Mapping[str, Any]) -> dict[str, Any]:
    name, *settings = str(line["rule"]).split()
    pairs = dict(part.split("=", 1) for part in settings if "=" in part)
    threshold = next(iter(pairs), None)
    more = {key: value for key, value in pairs.items() if key not in (threshold, "column", "columns")}
    return {
        "name": name,
        "column": ", ".join(line["columns"]),
        "asked": None if threshold is None else pairs[threshold],
        "reached": line["reached"],
        "ok": True,
        "settings": more,
    }


def model_name(model: Mapping[str, Any]) -> str:
    """Return a model, as `models_of` returns them, with its column and its settings."""
    name = str(model["name"]) + (f" of {model['column']}" if model.get("column") else "")
    settings = model.get("settings")
    return name + (f" ({', '.join(f'{key} {value}' for key, value in settings.items())})" if settings else "")


def threshold_text(model: Mapping[str, Any]) -> str:
    """Return the two thresholds of a model in words: ``1/3 asked, 0.25 reached``.

    The model is as `models_of` returns them.
    """
    reached = "nothing to measure" if model["reached"] is None else plain(model["reached"])
    return f"{plain(model['asked'])} asked, {reached} reached"
