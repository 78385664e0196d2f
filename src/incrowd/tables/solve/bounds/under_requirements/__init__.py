"""Prices under requirements: one valid class per instance in place of any k rows.

``layout``          undominated instances over row types told apart by kind, and what inner problems read
``prices``          steps to better prices (HeldWolfeCrowder1974)
``optimum``         a certificate for what a solver says is least, from the two
"""
