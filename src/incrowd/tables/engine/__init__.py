"""The table engine: Ibis over DuckDB or Spark, and what the dataframe layer leaves unequal between them.

``open``         which engine a job runs on
``base``         the engine on DuckDB, with hashes of rows and sums of them
``spark``        the engine on Spark, with ``spark_session``, ``spark_places`` (its files), ``arrow`` (fewer types)
``spark_tasks``  Python of ours run by its executors, group by group
``guard``        engine errors as sentences without cells
``row_salt``     what decides which of equal rows is released how
"""
