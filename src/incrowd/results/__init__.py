"""What is handed out: results with their text, JSON, pages and charts. They stand above `incrowd.report`.

``release``    a verified release
``audit``      what an audit found
``tradeoff``   loss over the thresholds
``check``      what a stranger's recount found
"""
