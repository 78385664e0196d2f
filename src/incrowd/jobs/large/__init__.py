"""The main job where there are more row types than memory holds: they stay in the table engine.

``choice``     whether they do, and what that does not go with
``release``    pack, solve, expand, verify, measure: what `incrowd.jobs.anonymize` does for those in memory
"""
