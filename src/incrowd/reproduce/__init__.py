"""The experiments of the papers, done again: each table with our figures, each claim of its text with a verdict."""

from incrowd.reproduce.experiment import CATALOGUE, Experiment, Reproduction, find, reproduce

__all__ = ["CATALOGUE", "Experiment", "Reproduction", "find", "reproduce"]
