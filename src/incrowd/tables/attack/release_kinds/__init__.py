"""Releases of other recodings than levels class by class.

==============  ========================================================================================================
`one_vector`    one level vector for the whole table, in the terms of the rules
`ranges`        what labels of ranges say by themselves
==============  ========================================================================================================
"""
