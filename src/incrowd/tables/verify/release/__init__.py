"""A release recounted: by row keys where the job made it, by the two tables alone where a stranger checks.

``groups``         k, mask and loss, from the released cells
``faithful``       by a row key: no row lost or added, no shown cell changed
``pairing``        by the two tables alone, with what stands in `incrowd.tables.verify.pairing`
``other_columns``  the columns that are no quasi-identifiers, and the rows unique on them
``released_cost``  what a release costs, as much as its cells leave open
``range_labels``   free ranges, and which values they hold
``requirements``   what classes must meet beside k
``hierarchy_levels``  at which levels a released cell can be read
"""
