"""The bound over all ranges of some columns, recounted.

``recount``  the claims, the table and the sum over all patterns of the other columns
``runs``     every run of a grid as a level of its column, for the program that is proved
``sweep``    the loop over every run of one pattern
"""
