"""What is done, one screen each; every job reads as sentences.

``api``                 the public functions: settings as keywords
``anonymize``           read, compress, solve, expand, verify, write
``verify``              a release held against its original, from the two tables alone
``audit``               how risky a table is as it is
``tradeoff``            what every k (l, t) costs
``networks``            the questions about networks (public as `incrowd.networks`)
``prepare``             read, check, compress: what every job starts from
``check_certificate``   cost and lower bound recounted
``demo``                the main job on the bundled table
"""
