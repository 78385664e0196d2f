"""The results that the library returns, with text, JSON, pages and charts of each. They stand above `incrowd.report`.

``release``       a verified release
``price_lines``   a certificate whose prices stand line by line
``release_facts``  its facts, and what its report shows beside them
``release_document``  its facts in words
``charts``        what is drawn of a release, a trade-off and a network
``usefulness``    what analysts would find in a release
``estimate``      what a job would take
``kernel``        fewer equal rows, and the way back
``audit``         what an audit found
``tradeoff``      loss over the thresholds
``attack``        what a release gives away by itself
``check``         what an independent recount found
``network``       the answers about a network in words
"""
