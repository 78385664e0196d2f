"""Calls from Python: messages that speak of keywords, and tracebacks that end where the caller called."""

from __future__ import annotations

import functools
import os
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from incrowd.errors import IncrowdError, OurBug
from incrowd.policy.python_words import in_python
from incrowd.policy.signatures import with_keywords

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["from_python"]

P = ParamSpec("P")
R = TypeVar("R")


def from_python(function: Callable[P, R]) -> Callable[P, R]:
    """Return a public function whose mistakes are told to a caller in Python.

    The last parameter of `function` takes every keyword of `Keywords`. What is returned is the same with a signature
    that names every setting, but for its errors: an `IncrowdError` names keywords (``k=``) instead of options
    (``--k``), and its traceback leaves out our own lines. A bug of ours keeps them, and so does every error under
    ``INCROWD_DEBUG``.
    """

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except OurBug:
            raise
        except IncrowdError as error:
            error.args = tuple(_said(part) for part in error.args)
            if os.environ.get("INCROWD_DEBUG"):
                raise
            mistake = error
        raise mistake.with_traceback(None) from None

    return with_keywords(call)


def _said(part: Any) -> Any:
    return in_python(part) if isinstance(part, str) else part
