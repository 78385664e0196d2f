"""The measures' releases, for every test of this folder."""

from made_releases import engine, release_of

__all__ = ["engine", "release_of"]
