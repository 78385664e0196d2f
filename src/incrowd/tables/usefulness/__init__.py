"""What a release is still good for, asked as its users ask: by counts, associations, models, and telling it apart.

Read first `coded_tables`, both tables in the same integers; then `figures`, what is asked in which order: how far
random counts are off, how far associations of pairs of columns are, can rows of the release be told from the
original's, and how good is a model that was trained on the release at predicting the original. Each gives the
original's own sampling noise beside its figure: what another sample of the same size from the same people would show.
"""
