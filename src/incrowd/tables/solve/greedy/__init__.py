"""The greedy of BredereckNichterleinNiedermeier2013 (Algorithm 1, Theorem 4), and a repair of our own.

``greedy``               the solver: the pattern scan of ``shared``, then ``repair``
``repair``               leftover rows into groups of at least k
``ties``                 what comes first among patterns of equal cost
``patterns_from_data``   patterns made from the data, where a mask has too many
``with_requirements``    the same under requirements on sensitive values
"""
