"""Prices under requirements: one valid class per instance in place of any k rows.

``layout``          undominated instances over row types told apart by kind, and what inner problems read
``small_classes``   every valid class of few rows, where there are few kinds
``prices``          steps to better prices (HeldWolfeCrowder1974)
``multipliers``     multipliers in whole numbers
``proof``           the bound recounted in integers, and its certificate
"""
