"""Tables, releases and certificates handed to the checker that is proved, as whole numbers. Nothing here is proved.

``check``         a release and its certificate: what the program is asked, and its answer in words
``terms``         the policy's part of the question
``question``      the table, the release and all else, as the program reads it
``ladders``       what the values of a column show at its levels, as numbers of labels
``requirements``  what classes are asked beside k as whole numbers
``grids``         columns of ranges on a grid as columns of levels, one for every run
``proofs``        a certificate's prices, trees, cuts or matching as whole numbers
``multipliers``   a certificate's prices and multipliers under requirements: suggestions too
``assignment``    which level vector each original row is released at: a suggestion that the program need not believe
``halves``        which two requirements a matching of rows that differ leans on: a suggestion, too
``program``       where the program is, and what it answers
"""
