"""A release drawn at random near the best one found, so that what a cheapest release excludes is possible.

``draw``          which rows are shown in a coarser class than they could be
``movable_rows``  the rows of classes, moved one at a time
``randomness``    the system's randomness, for what nobody may repeat
"""
