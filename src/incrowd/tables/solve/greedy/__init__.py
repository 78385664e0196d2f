"""The greedy of BredereckNichterleinNiedermeier2013 (Algorithm 1, Theorem 4), and a repair of our own.

``greedy``               the solver: the pattern scan of ``shared``, then the repair
``with_requirements``    the same under requirements on sensitive values, and the repair of both
"""
