"""The bound over all ranges of some columns, recounted.

``recount``  the claims, the table and the sum over all patterns of the other columns
``sweep``    the loop over every run of one pattern
"""
