"""What the check's reading of a model is, and where it is found."""

from __future__ import annotations

import dataclasses
import importlib
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, cast

from incrowd.errors import PolicyError

if TYPE_CHECKING:
    from fractions import Fraction

    import numpy as np
    from numpy.typing import NDArray

    from incrowd.tables.values import Domain
    from incrowd.tables.verify.requirements.counts import Classes
    from incrowd.tables.verify.requirements.rules import Rules


Settings = Mapping[str, Any]


class Judged(NamedTuple):
    """What a reading says.

    `met`: (classes,) bool, which classes meet the model; True for a class without rows. `reached`: the strictest
    threshold that all classes meet (None: there is no class, or none is met).
    """

    met: NDArray[np.bool_]
    reached: Any


class Reading(Protocol):
    """A module of this folder that reads a model."""

    def judge(self, asked: Settings, classes: Classes) -> Judged:
        """Return which classes meet the model with these settings, and what they reach.

        Raise `PolicyError` if the settings cannot judge the column's values.
        """
        ...

    def rules(self, asked: Settings, domain: Domain) -> Rules:
        """Return what the model says in rules; a module without this function says nothing.

        Raise `PolicyError` if the settings cannot judge the column's values.
        """
        ...

    def share_limit(self, asked: Settings) -> Fraction | None:
        """Return the share of a class that no value of ``asked["column"]`` may exceed (None: not asked for)."""
        ...


def settings_of(model: Any) -> Settings:
    """Return the settings of a model as the policy has them: its fields, and nothing that it computes."""
    return {field.name: getattr(model, field.name) for field in dataclasses.fields(model)}


def reading_of(name: str) -> Reading:
    """Return the check's reading of the model that is registered under a name. Raise `PolicyError` if there is none."""
    module = f"incrowd.tables.verify.requirements.{name.replace('-', '_')}"
    try:
        return cast("Reading", importlib.import_module(module))
    except ModuleNotFoundError as error:
        if error.name != module:
            raise
        raise PolicyError(
            f"model {name!r} cannot be verified: the check has no reading of its own of it ({module} is missing), and "
            "takes nobody's word; ask for other models"
        ) from None
