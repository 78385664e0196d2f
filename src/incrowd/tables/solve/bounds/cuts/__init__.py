"""Inequalities that hold for every release: ``counting`` cuts, their ``separation``, and ``flow`` cuts."""
