"""What a policy says of models: from words, tables and objects to models, and back."""

from __future__ import annotations

import dataclasses
import shlex
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import TYPE_CHECKING, Any

from incrowd import registry
from incrowd.errors import PolicyError, an, did_you_mean
from incrowd.settings import fraction_text, options_of, settings_of
from incrowd.tables.models.distances import named_file
from incrowd.tables.models.requirement import given, needed

if TYPE_CHECKING:
    from collections.abc import Sequence


WORDS = ("model", "name")


def as_models(value: Any) -> tuple[Any, ...]:
    """Return the models that a ``require`` setting asks for.

    It is a sequence of texts ``NAME key=value ...``, of mappings with the model's name under ``model`` and its
    settings, or of models. PolicyError is raised for an unknown model or setting (with the nearest known one), or a bad
    value.
    """
    if isinstance(value, (str, Mapping)) or not isinstance(value, Iterable):
        value = [value]
    return tuple(_model(one) for one in value)


def _model(one: Any) -> Any:
    if isinstance(one, str):
        return _made(*words_of(one))
    if isinstance(one, Mapping):
        settings = dict(one)
        name = next((settings.pop(word) for word in WORDS if word in settings), None)
        if not isinstance(name, str):
            raise PolicyError("a table under require needs its model: model = 'l-diversity' for example")
        return _made(name, settings)
    if type(one) in (registry.load("models", name) for name in registry.names("models")):
        return one
    raise PolicyError(
        "require takes models, such as incrowd.LDiversity(l=2, column=...), or their words, not "
        f"{an(type(one).__name__)}"
    )


def words_of(text: str) -> tuple[str, dict[str, str]]:
    """Return the model and the settings that a text ``NAME key=value ...`` names.

    Its words are as a shell has them. PolicyError is raised for a quote that is never closed, no word at all, a word
    without a value or a key given twice.
    """
    try:
        words = shlex.split(text)
    except ValueError:
        raise PolicyError("require has a quote that is never closed") from None
    if not words:
        raise PolicyError(f"require needs a model: {', '.join(registry.names('models'))}")
    return words[0], options_of(words[1:], f"require {words[0]}", "NAME key=value ...")


def _made(name: str, settings: Mapping[str, Any]) -> Any:
    kind = registry.load("models", name)
    known = [field.name for field in dataclasses.fields(kind)]
    for key in settings:
        if key not in known:
            raise PolicyError(
                f"model {name!r} has no setting {key!r}{did_you_mean(key, known)}; it has {', '.join(known)}"
            )
    for key in needed(kind):
        if key not in settings:
            raise PolicyError(f"model {name!r} needs {key}: {settings_of(kind)[key].help}")
    return kind(**settings)


def plain_model(model: Any) -> dict[str, Any]:
    """Return a model as a table of a policy file: what differs from the defaults.

    Its name stands under ``model``; the other keys are settings.
    """
    return {"model": model.name, **{name: _plain(value) for name, value in given(model).items()}}


def _plain(value: Any) -> Any:
    if isinstance(value, tuple):
        return [_plain(part) for part in value]
    return fraction_text(value) if isinstance(value, Fraction) else value


def names_of(models: Iterable[Any]) -> tuple[str, ...]:
    """Return the columns that models judge, each once, in the order in which they are met."""
    return tuple(dict.fromkeys(column for model in models for column in model.judged))


def everywhere(
    columns: Sequence[str], *, l: Fraction | None, t: Fraction | None, distances: Mapping[str, str]  # noqa: E741
) -> tuple[Any, ...]:  # fmt: skip
    """Return the models that ``l`` and ``t`` alone ask for: one for every sensitive column by itself.

    `columns` are the sensitive columns. `l` asks for l-diversity by frequency, `t` for t-closeness, by the distance
    that `distances` has for a column and the equal distance for columns it does not name. PolicyError is raised where
    there is no sensitive column, or a distance is for none of them.
    """
    for name, asked in (("l", l), ("t", t)):
        if asked is not None and not columns:
            raise PolicyError(f"{name} is about sensitive columns, and none is named: name one as sensitive")
    for column in distances:
        if column not in columns:
            raise PolicyError(
                f"sensitive_distance names {column!r}, which is no sensitive column{did_you_mean(column, columns)}"
            )
    if distances and t is None:
        raise PolicyError("sensitive_distance says how t is measured, and t is not given: ask for one, as t = 0.3")
    models = []
    if l is not None:
        models += [_made("l-diversity", {"l": l, "column": column}) for column in columns]
    if t is not None:
        models += [_made("t-closeness", {"t": t, "column": c, **_distance(distances.get(c, "equal"))}) for c in columns]
    return tuple(models)


def _distance(text: str) -> dict[str, str]:
    named = named_file(text)
    if named is not None and named[0] == "matrix":
        return {"distance": text}
    kind, sign, file = text.partition(":")
    return {"distance": kind, "hierarchy": file} if sign else {"distance": kind}
