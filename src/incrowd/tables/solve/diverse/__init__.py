"""Releases under any set of requirements: greedy, repair and improvement that recheck every group they touch."""
