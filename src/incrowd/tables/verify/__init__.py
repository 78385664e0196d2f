"""Stage 5: the release recounted by a stranger.

Nothing here imports the stages that made the release, their kernels or a solver: a bug there must not deceive
the check.
"""
