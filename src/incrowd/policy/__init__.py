"""What is asked: one job, its policy and its settings, for library, command line and policy file alike.

Read first `job` (`Policy`, `Job`), then `toml` (policy files) and `template` (what ``incrowd init`` writes).
"""
