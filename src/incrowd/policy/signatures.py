"""What ``help(incrowd.anonymize)`` and a notebook's completion show: every setting as a keyword with its default."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any, TypeVar

from incrowd.policy.job import every_setting
from incrowd.policy.keywords import Keywords
from incrowd.tables.mask import Mask

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["with_keywords"]

F = TypeVar("F", bound="Callable[..., Any]")


def with_keywords(function: F) -> F:
    """Give a function that takes ``**settings`` a signature that names them.

    The last parameter of `function` takes every keyword of `Keywords`. The same function is returned: only what
    `inspect.signature` says of it has changed. Keywords that the function has of its own are left as they are.
    """
    drawn = inspect.signature(function)
    own = list(drawn.parameters.values())[:-1]
    names = {parameter.name for parameter in own}
    defaults: dict[str, Any] = {name: spec.default for name, spec in every_setting().items()}
    defaults |= {"mask": Mask(), "full_suppression": Mask().full_suppression}
    more = [
        inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=defaults[name], annotation=kind.__forward_arg__)
        for name, kind in Keywords.__annotations__.items()
        if name in defaults and name not in names
    ]
    object.__setattr__(function, "__signature__", drawn.replace(parameters=[*own, *more]))
    return function
