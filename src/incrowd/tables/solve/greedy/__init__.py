"""The greedy of Bredereck, Nichterlein and Niedermeier (Pattern-guided k-anonymity, Section 3.3).

``greedy``               the solver: the pattern scan of ``shared``, then ``repair``
``repair``               leftover rows into groups of at least k
``patterns_from_data``   patterns made from the data, where a mask has too many
``with_requirements``    the same under requirements on sensitive values
"""
