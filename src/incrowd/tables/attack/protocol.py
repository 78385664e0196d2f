"""What every rule answers: its name, the premise it stands on, and what it excludes."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

if TYPE_CHECKING:
    from incrowd.progress import Watch
    from incrowd.tables.attack.values import Exclusions, Premise, Released

__all__ = ["Rule"]


class Rule(Protocol):
    """One way to reason backwards from a release; it sees the release alone."""

    @property
    def name(self) -> str:
        """Its name in the answer."""

    @property
    def premise(self) -> Premise:
        """What has to be true of the release for its findings to hold."""

    def find(self, released: Released, slack: int, watch: Watch) -> Exclusions:
        """Return the values that cells cannot have had.

        The release meets its policy as far as it shows. `slack` is the scaled cost that the release may lie above the
        published lower bound; an original is excluded if a release of it would be cheaper than this release by more. It
        is 0 for rules on other premises. The watch may end the search; what was found until then holds.
        """
