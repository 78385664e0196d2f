"""Tables, releases and certificates handed to the checker that is proved, as whole numbers. Nothing here is proved.

``ladders``     what the values of a column show at its levels, as numbers of labels
``assignment``  which level vector each original row is released at: a suggestion that the program need not believe
``proofs``      a certificate's prices, trees, cuts or matching as whole numbers
``requirements``  what classes are asked beside k as whole numbers, and a certificate's multipliers
``program``     where the program is, what it is asked, and what it answers
"""
