"""What a release is still good for, asked as its users ask: by counts, associations, models, and telling it apart.

Read first `figures`, what is asked in which order; then `coded_tables`, both tables in the same integers, and `pair`,
how they come out of the engine; then, in any order, `count_queries` (how far random counts are off), `associations`
(how far pairs of columns are), and what scikit-learn is asked: `features` (rows as numbers), `distinction` (can rows of
the release be told from the original's) and `prediction` (a model trained on the release, tested on the original).
Each gives the original's own sampling noise beside its figure: what another sample of the same size from the same
people would show.
"""
