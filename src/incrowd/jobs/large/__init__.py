"""The main job where there are more row types than memory holds: they stay in the table engine.

``table``      a table read and counted
``choice``     whether they do, and what that does not go with
``release``    pack, solve, expand, verify, measure: what `incrowd.jobs.anonymize` does for those in memory
``certificate``  its bound as a price a line; ``lined_check``: such a certificate recounted
"""
