"""Row types that stay in the engine: the greedy, its bound and its plan as GROUP BYs over packed words.

``words``      where each column lies in the words, and what a level vector shows of them
``types``      row types and the values of their columns, counted and packed in the engine
``instances``  what a pattern shows of them, and what a row of that costs
``sweep``      the greedy: one GROUP BY a pattern over the row types that are left
``floor``      the per-row bound: one GROUP BY a pattern over all of them; ``prices``: type by type, for a certificate
``leftovers``  rows without a group: suppressed, or repaired in memory with the groups that are near
``plan``       the plan that stays there, as the stages after the search read it
``portions``   a plan cut into portions that fit in memory; ``portion``: one of them solved there
``portion_prices`` what its row types cost at least, for the certificate; ``bound_sum``: what all bounds come to
``improvement`` portions one after the other on one machine; ``executors``: on Spark, as many at a time as it has slots
``pieces``     a table that grows; ``queries``: queries that hear a stop
"""
