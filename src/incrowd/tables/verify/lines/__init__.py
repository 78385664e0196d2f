"""A certificate whose prices stand line by line, recounted in the table engine: row types never come out of it.

``price_file``  the packed file, read strictly and no further than the table has row types
``type_table``  the row types, counted, ranked and numbered in the engine
``sums``        what instances add below 0, one GROUP BY a level vector
``dominance``   which of these instances matter
``recount``     the bound, and what it makes of the claims
"""
