"""Row types that stay in the engine: the greedy, its bound and its plan as GROUP BYs over packed words.

``words``      where each column lies in the words, and what a level vector shows of them
``types``      row types and the values of their columns, counted and packed in the engine
``sweep``      the greedy: one GROUP BY a pattern over the row types that are left
``floor``      the per-row bound: one CLASS BY a pattern over all of them; ``prices``: type by type, for a certificate
``plan``       the plan that stays there, as the stages after the search read it
``improvement`` portions one after the other on one machine; ``executors``: on Spark, as many at a time as it has slots
``pieces``     a table that grows; ``queries``: queries that hear a stop
"""
