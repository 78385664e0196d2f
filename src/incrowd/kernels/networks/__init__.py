"""Loops behind `incrowd.networks`: reading, breadth-first search, partitions, closed sets."""
