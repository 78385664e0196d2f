"""What happened, as facts first and faces after: a dict, then text and JSON from it."""
