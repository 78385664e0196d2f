"""Requirements as rows of linear and integer programs over listed instances.

``separation``    rows that hold for every group that meets a rule, and that a point breaks
``program_rows``  the same as rows of a program, and a row on the cost
``value_counts``  rows of each value in every instance
"""
