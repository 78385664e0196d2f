"""What a release was found to give away."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from incrowd.errors import InputError, count_of
from incrowd.policy.python_calls import lines_in_python
from incrowd.report.text.attack import attack_summary
from incrowd.strict_json import read_json
from incrowd.tables.hierarchy import as_spec

if TYPE_CHECKING:
    from incrowd.policy.job import Policy
    from incrowd.tables.attack.answer import Inferences


@dataclass(frozen=True, slots=True, eq=False)
class Attack:
    """What an attacker who knows how a release was made learns from it.

    Attributes
    ----------
    facts : dict
        Everything, as in ``--json``: names and numbers, never a cell.
    inferences : Inferences or None
        What is excluded, class by class, in codes; for those who hold the release. None for ranges, which are read by
        their labels alone.
    """

    facts: dict[str, Any]
    inferences: Inferences | None = field(repr=False)

    def __repr__(self) -> str:
        return (
            f"<Attack: values are excluded in {count_of(self.excluded_cells, 'cell')}, "
            f"{self.determined_cells:,} determined>"
        )

    @property
    def premises(self) -> dict[str, str]:
        """How each premise stands: ``valid``, ``bound``, ``settled``, ``program``; proven, assumed or no."""
        return dict(self.facts["premises"])

    @property
    def excluded_cells(self) -> int:
        """Hidden cells of which at least one value is excluded under proven premises."""
        return int(self.facts["excluded_cells"])

    @property
    def determined_cells(self) -> int:
        """Hidden cells whose value is known under proven premises."""
        return int(self.facts["determined_cells"])

    @property
    def claimed_cells(self) -> int:
        """Hidden cells of which at least one value is excluded under premises that are assumed."""
        return int(self.facts["claimed_cells"])

    @property
    def wrong(self) -> int | None:
        """Cells with a wrong inference under proven premises; None where no original was given."""
        return self.facts["wrong"]  # type: ignore[no-any-return]

    @property
    def claimed_wrong(self) -> int | None:
        """Cells with a wrong inference under assumed premises; None where no original was given."""
        return self.facts["claimed_wrong"]  # type: ignore[no-any-return]

    @property
    def insiders(self) -> dict[str, Any]:
        """What members of a class learn of the others in it."""
        return dict(self.facts["insiders"])

    @property
    def rules(self) -> list[dict[str, Any]]:
        """Counts by rule."""
        return list(self.facts["rules"])

    def summary(self) -> str:
        """Return it in words."""
        return lines_in_python(self.shell_summary())

    def shell_summary(self) -> str:
        """Return the summary in the words of the command line: options in place of keywords."""
        return attack_summary(self.facts)

    def _repr_html_(self) -> str:
        from incrowd.report.pages.page import attack_card

        return attack_card(self.facts)

    def to_json(self) -> str:
        """Return the facts as ``--json`` prints them."""
        return json.dumps(self.facts, indent=2)


# What was published about a release, read from its file.
MOST_BYTES = 1 << 26


def read_facts(source: str | Path | Mapping[str, Any]) -> Mapping[str, Any]:
    """Return the facts of a release from the file that holds the answer of ``incrowd anonymize --json``.

    A mapping is returned unchanged. InputError is raised if the file cannot be read or holds no such answer.
    """
    if isinstance(source, Mapping):
        return source
    file = Path(source)
    name = f"the file of facts {file.name!r}"
    wanted = "give the answer of `incrowd anonymize --json`"
    try:
        if file.stat().st_size > MOST_BYTES:
            raise InputError(f"{name} is above 64 MB; {wanted}")
        read = read_json(file.read_text(encoding="utf-8"))
    except OSError as error:
        raise InputError(f"{name} cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise InputError(f"{name} is no JSON; {wanted}") from None
    if not isinstance(read, dict) or "k" not in read or "quasi_identifiers" not in read:
        raise InputError(f"{name} does not say what was released; {wanted}")
    return read


def hierarchies_in(facts: Mapping[str, Any] | None) -> dict[str, Any]:
    """Return by column the hierarchies that ``--hierarchies auto`` proposed, as facts tell them.

    The facts are as `read_facts` returns them. InputError is raised if there are no hierarchies in them.
    """
    told = None if facts is None else facts.get("proposed_hierarchies")
    if not isinstance(told, list) or not all(
        isinstance(one, Mapping)
        and isinstance(one.get("column"), str)
        and (one.get("hierarchy") is None or isinstance(one["hierarchy"], str))
        for one in told
    ):
        raise InputError(
            "hierarchies=auto does not tell which hierarchies were made: give --facts, which name them, or each of "
            "them with --hierarchy COLUMN=WORDS"
        )
    return {one["column"]: as_spec(one["hierarchy"], one["column"]) for one in told if one["hierarchy"] is not None}


def refuse_other_policy(facts: Mapping[str, Any] | None, policy: Policy, rows: int) -> None:
    """Refuse facts of a release of another size, or under another policy: what they prove is about that.

    The facts are as `read_facts` returns them, the policy is the one that an attack is told, and `rows` are those of
    the release. InputError is raised, naming what differs. What the facts do not say is not compared.
    """
    if facts is None:
        return
    asked = {
        "rows": rows,
        "k": int(policy.k or 1),
        "quasi_identifiers": list(policy.quasi_identifiers),
        "mask": list(policy.mask.describe()),
        "outlier_rule": policy.outliers,
        "recoding": policy.recoding,
    }
    judged = facts.get("requirements")
    if isinstance(judged, list) and all(isinstance(line, Mapping) for line in judged):
        told = sorted(str(line.get("rule")) for line in judged)
        if told != sorted(model.rule for model in policy.requirements):
            raise InputError("the facts are of another release: other models are required than by the policy given")
    for name, value in asked.items():
        if name in facts and facts[name] != value:
            raise InputError(f"the facts are of another release, or the policy is: they differ in {name}")
