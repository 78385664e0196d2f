"""Prices under requirements: one valid class per instance in place of any k rows.

``layout``          instances over row types told apart by kind, and what inner problems read
``prices``          steps to better prices (HeldWolfeCrowder1974), and walks over the lattice between
``optimum``         a certificate for what a solver says is least, from the two
"""
