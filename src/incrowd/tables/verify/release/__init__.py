"""A release recounted: by row keys where the job made it, by the two tables alone where a stranger checks.

``rules``          what a release is held to
``groups``         k, mask and loss, from the released cells
``faithful``       by a row key: no row lost or added, no shown cell changed
``read_back``      the rows as they were written, against the verdict on them
``pairing``        by the two tables alone, with what stands in `incrowd.tables.verify.pairing`
``other_columns``  the columns that are no quasi-identifiers, and the rows unique on them
``null_stars``     what missing values cost as stars where stars are NULLs
``released_cost``  what a release costs, as much as its cells leave open
``range_rows``     the same for releases of ranges, with ``range_labels``
``requirements``   what classes must meet beside k
``hierarchy_levels``  at which levels a released cell can be read
"""
