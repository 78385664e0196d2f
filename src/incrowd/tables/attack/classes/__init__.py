"""What rules are made of.

==============  ========================================================================================================
`joins`         pairs of classes of which one shows more where it differs, at less cost
`departures`    rows that may leave their class, and classes that may take them
`expansion`     from pairs of classes to the values that cells cannot have had
`finer`         columns in which a whole class could be shown finer
==============  ========================================================================================================
"""
