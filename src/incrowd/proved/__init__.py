"""Tables, releases and certificates handed to the checker that is proved, as whole numbers. Nothing here is proved.

``check``         a release and its certificate: where the program is, what it is asked, and its answer in words
``question``      the policy, the table, the release and all else, as the program reads it; what columns show at levels
``requirements``  what classes are asked beside k as whole numbers
``proofs``        a certificate's prices, trees, cuts or matching as whole numbers
``suggestions``   rows' level vectors, multipliers and all else that the program need not believe
"""
