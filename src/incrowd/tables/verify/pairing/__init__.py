"""Which released row may have come from which original one, from the two tables alone, in any order of their rows.

``common_coding``  both tables with the same columns, spelled alike
``kinds``          their different rows in the same integers, in portions that are paired apart
``edges``          which released kinds may come from which original ones
``flow``           the most rows that can be assigned
``portions``       the released rows that find no original, however the rows are assigned; here or on Spark's executors
"""
