"""More than one release of the same people.

``ledger``  whose data was released before, remembered without any of the data
``others``  other releases beside the one that is attacked
"""
