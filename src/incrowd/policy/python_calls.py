"""Calls from Python: every setting as a keyword, and tracebacks that end where the caller called."""

from __future__ import annotations

import functools
import inspect
import os
from pathlib import Path
from typing import TYPE_CHECKING, Any, ParamSpec, TypeVar

from incrowd.errors import IncrowdError, InputError, OurBug, PolicyError, an
from incrowd.policy.job import Job, Policy, every_setting
from incrowd.policy.keys import ALIASES, MASK_SETTINGS
from incrowd.policy.keywords import Keywords
from incrowd.policy.words import AUTO, as_mask, without_auto
from incrowd.settings import SEVERAL, TABLES, clean
from incrowd.tables.mask import Mask
from incrowd.tables.models.parse import as_models

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

P = ParamSpec("P")
R = TypeVar("R")


def from_python(function: Callable[P, R]) -> Callable[P, R]:
    """Return a public function whose mistakes end where the caller called.

    The last parameter of `function` takes every keyword of `Keywords`. What is returned is the same with a signature
    that names every setting, but that the traceback of an `IncrowdError` leaves out our own lines. A bug of ours keeps
    them, and so does every error under ``INCROWD_DEBUG``.
    """

    @functools.wraps(function)
    def call(*args: P.args, **kwargs: P.kwargs) -> R:
        try:
            return function(*args, **kwargs)
        except OurBug:
            raise
        except IncrowdError as error:
            if os.environ.get("INCROWD_DEBUG"):
                raise
            mistake = error
        raise mistake.with_traceback(None) from None

    return with_keywords(call)


# The job that a Python call asks for: what to start from, and its keywords over it.
ROLES = ("quasi_identifiers", "sensitive", "identifiers")


def job_of(policy: Any) -> Job:
    """Return the job that a call starts from.

    `policy` is a policy, a job or the path of a policy file (None: the defaults alone). PolicyError is raised if it is
    none of these, or the file's keys or values are wrong; InputError is raised if the file cannot be read.
    """
    if policy is None:
        return Job()
    if isinstance(policy, Job):
        return policy
    if isinstance(policy, Policy):
        return Job(policy=policy)
    if isinstance(policy, (str, Path)):
        return Job.load(policy)
    mend = "; columns go by name, like quasi_identifiers=['age', 'sex']" if isinstance(policy, (list, tuple)) else ""
    raise PolicyError(f"policy must be a Policy, a Job or a path, not {an(type(policy).__name__)}{mend}")


def beside(job: Job, settings: Mapping[str, Any]) -> Job:
    """Return a job with settings beside its own: what holds a table or a list joins the job's, all else replaces it.

    Of two entries for a column the setting's counts; a column takes the role that a setting gives it, and has no other.
    None takes away what the job has; ``columns``, which names all of them in order, replaces them.
    """
    flat = {ALIASES.get(name, name): value for name, value in settings.items()}
    given = {name: value for name, value in flat.items() if value is not None}
    rest, auto = without_auto(given.get("hierarchies"))
    if auto:
        given["hierarchies"], flat["other_hierarchies"] = rest, AUTO
    specs, policy = every_setting(), job.policy
    mask = as_mask(given.get("mask", policy.mask))
    new: dict[str, tuple[Any, ...]] = {}
    for name, spec in specs.items():
        if name not in given or spec.shape not in SEVERAL or name == "columns":
            continue
        said = name if name in MASK_SETTINGS else spec.flag_name(name)[2:]
        value = given[name] if name == "patterns" else clean(spec, said, given[name])
        if name in MASK_SETTINGS:
            value = getattr(Mask(**{name: value}), name)
        new[name] = as_models(value) if name == "require" else value
    named = {column for name in ROLES for column in new.get(name, ())}
    for name in (*new, *(role for role in ROLES if role not in flat)):
        held = mask if name in MASK_SETTINGS else policy.reading if name == "na" else policy
        before, more = getattr(held, name, None) or (), new.get(name, ())
        if name in ROLES:
            before = tuple(column for column in before if column not in named)
        if specs[name].shape in TABLES:
            flat[name] = tuple({**dict(before), **dict(more)}.items())
        else:
            flat[name] = (*(entry for entry in before if entry not in more), *more)
    return job.replace(**flat)


def job_on(data: Any, policy: Policy | Job | str | Path | None, settings: Keywords) -> Job:
    """Return the job of a call that has a table.

    `data` is a path, a frame or an Arrow table (None: the policy's own source); a path as `policy` is that of a policy
    file. The `settings` come beside the policy's. PolicyError is raised as by `job_of`, and for a keyword that is
    unknown or has a bad value; InputError is raised if no table is given.
    """
    job = beside(job_of(policy), settings)
    if data is not None:
        job = job.replace(source=data)
    if job.source is None:
        raise InputError("no table is given: pass a path, a frame or an Arrow table")
    return job


# What ``help(incrowd.anonymize)`` and a notebook's completion show: every setting as a keyword with its default.
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
