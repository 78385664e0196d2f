"""What the words of a policy and of a certificate mean, with Python's standard library alone and nothing of `incrowd`.

Written from the page `docs/certificate.md`; the numbers in brackets, [P1] for example, are its rules. It also runs
alone: `python checker/incrowd_check.py ORIGINAL.csv RELEASE.csv --policy POLICY.toml [--certificate FILE] [--json]`
with exit status 0 (good), 1 (something asked or claimed does not hold) or 2 (something cannot be read). Numbers are
Python's integers and fractions, so nothing is rounded or wraps around; where a checker with 64 bits would refuse a
file, this one refuses it too. No cell of a table is ever printed.

In the order in which they are read: `exact` (numbers, refusals), `policy`, `mask`, `tables`, `words`, `hierarchies`,
`rules` (what classes must meet), `release`; `certificate` (its file), `prices`, `matching`, `classes`, `single`,
`ranges` (what proves a bound), `verdict` (a head's claims), `command`; and `network`.
"""
