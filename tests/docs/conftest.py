"""Releases for the documentation's examples."""

from made_releases import engine, release_of

__all__ = ["engine", "release_of"]
