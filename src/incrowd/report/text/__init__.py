"""Facts in sentences: the summary of a release, an audit, a trade-off, a recount."""
