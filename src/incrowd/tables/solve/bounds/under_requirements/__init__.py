"""Prices under requirements: one valid class per instance in place of any k rows.

``layout``          undominated instances over row types told apart by kind, and what inner problems read
``small_classes``   every valid class of few rows, where there are few kinds
``prices``          steps to better prices (HeldWolfeCrowder1974)
``multipliers``     multipliers in whole numbers
``proof``           the bound recounted in integers, and its certificate
``class_program``   the linear program over all valid classes, for small tables
``price_tree``      where its prices fall short: a tree over instances that are open or closed
``optimum``         a certificate for what a solver says is least, from the two
"""
