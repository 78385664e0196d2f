"""Facts: dicts with units in their names, from which texts, pages and charts are made. No cell."""
