"""The version of `incrowd`, read by the build too."""

__version__ = "0.1.0"
