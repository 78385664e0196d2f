"""The table engine: Ibis over DuckDB or Spark, and what the dataframe layer leaves unequal between them.

``open``         which engine a job runs on
``base``         the engine on DuckDB
``spark``        the engine on Spark, with ``spark_session``, ``spark_guard`` and ``arrow`` (fewer types)
``java``         the Java process of a Spark that we start
``spark_keep``   where its computed tables are kept, and ``spark_places``: files as executors see them
``spark_tasks``  Python of ours run by its executors, one slot a piece
``spark_join``   rows met with their types' lines by one number a row, and ``spark_functions``: Spark's own
``duckdb_kinds`` DuckDB's types as Ibis and Arrow have them
``hashes``       hashes of rows, and sums of them
``guard``        engine errors as sentences without cells
``floats``       floats as texts, spelled alike everywhere
``lists``        text columns as places in sorted lists
``row_salt``     what decides which of equal rows is released how
``kept_file``    what it keeps moved to a file, where memory is short
``json_lines``   a format that the engine reads only in part
"""
