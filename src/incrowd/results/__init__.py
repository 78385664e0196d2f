"""The results that the library returns, with text, JSON, pages and charts of each. They stand above `incrowd.report`.

``release``       a verified release
``price_lines``   a certificate whose prices stand line by line
``report_facts``  what its report shows beside its facts, and its usefulness
``usefulness``    what analysts would find in a release
``estimate``      what a job would take
``kernel``        fewer equal rows, and the way back
``audit``         what an audit found
``tradeoff``      loss over the thresholds
``attack``        what a release gives away by itself
``check``         what an independent recount found
"""
