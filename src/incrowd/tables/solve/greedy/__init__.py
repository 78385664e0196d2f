"""The greedy of BredereckNichterleinNiedermeier2013 (Algorithm 1, Theorem 4), and a repair of our own.

``greedy``               the solver: the pattern scan of ``shared``, then ``repair``
``repair``               leftover rows into classes of at least k
``with_requirements``    the same under requirements on sensitive values
"""
