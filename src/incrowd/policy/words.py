"""The word ``auto`` among a policy's hierarchies, and a policy in which what was proposed for it is spelled out."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from incrowd.errors import PolicyError, an
from incrowd.policy.keys import MASK_SETTINGS
from incrowd.settings import clean
from incrowd.tables.hierarchy import option_text
from incrowd.tables.mask import Mask, PatternMask, mask_from_dict

if TYPE_CHECKING:
    from collections.abc import Sequence

    from incrowd.tables.hierarchy.proposals import Proposal

AUTO = "auto"


def without_auto(given: Any) -> tuple[Any, bool]:
    """Return what is given as hierarchies without the word ``auto``, and whether it was there.

    It is given as a policy takes it: a text, a list, a mapping. The rest is an empty tuple where there is none.
    """
    if isinstance(given, str):
        return ((), True) if given == AUTO else (given, False)
    if not isinstance(given, (list, tuple)):
        return given, False
    rest = tuple(one for one in given if not (isinstance(one, str) and one == AUTO))
    return (rest, True) if len(rest) < len(given) else (given, False)


def spelled_out(policy: Any, proposals: Sequence[Proposal]) -> Any:
    """Return a policy that says what was proposed as if somebody had: it can be saved, edited, and verified with.

    The proposals are for columns without a hierarchy. Values that a proposed hierarchy has no place for go under its
    root.
    """
    specs = tuple((proposal.column, proposal.spec) for proposal in proposals if proposal.spec is not None)
    complete = policy.complete_hierarchies or any(proposal.unplaced for proposal in proposals)
    return dataclasses.replace(
        policy, hierarchies=(*policy.hierarchies, *specs), other_hierarchies="none", complete_hierarchies=complete
    )


def proposed_facts(proposals: Sequence[Proposal]) -> list[dict[str, Any]]:
    """Return proposals as plain values: per column the hierarchy as an option takes it, the reason, and a count.

    The keys are ``column``, ``hierarchy`` (None: none suits it), ``why`` and ``under_the_root`` (distinct values
    without a place).
    """
    return [
        {
            "column": proposal.column,
            "hierarchy": None if proposal.spec is None else option_text(proposal.spec),
            "why": proposal.why,
            "under_the_root": proposal.unplaced,
        }
        for proposal in proposals
    ]


# The mask of a policy: from plain values, and with some of its words replaced.
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
