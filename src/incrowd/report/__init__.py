"""Reports: first a dict of facts, then text, pages and charts made from it."""
