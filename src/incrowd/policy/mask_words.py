"""The mask of a policy: from plain values, and with some of its words replaced."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import Any

from incrowd.errors import PolicyError, an
from incrowd.policy.keys import MASK_SETTINGS
from incrowd.settings import clean
from incrowd.tables.mask import Mask, PatternMask, mask_from_dict

__all__ = ["as_mask", "with_words"]


def as_mask(value: Any) -> PatternMask:
    """Return a mask from a mask or from plain values as in the policy file.

    PolicyError is raised if `value` is neither, or a word of it has a bad value.
    """
    if isinstance(value, PatternMask):
        return value
    if isinstance(value, Mapping):
        return mask_from_dict(value)
    raise PolicyError(f"mask must be an incrowd.Mask or a table of mask words, not {an(type(value).__name__)}")


def with_words(mask: PatternMask, words: Mapping[str, Any]) -> PatternMask:
    """Return a mask with other values for some of its words.

    The keys of `words` are keys of `MASK_SETTINGS`. PolicyError is raised if the mask is composed of several, or a word
    has a bad value.
    """
    if not isinstance(mask, Mask):
        raise PolicyError(
            f"{next(iter(words))} cannot replace a line of a mask that is composed of several; change the mask itself"
        )
    cleaned = {
        name: clean(MASK_SETTINGS[name], name, value) if name != "patterns" else value for name, value in words.items()
    }
    return dataclasses.replace(mask, **cleaned)
