"""Graph classes with a curve of their own: recognised from the edges, exact, and in nearly linear time.

``recognition``   which class a connected graph is in; its curve, and its least set of measure exactly k
``multipartite``, ``grids``, ``cycles``   closed forms, for exactly k too
``cographs``      closures read off the cotree
``unicyclic``     graphs with one cycle, as trees with the cycle outside, in part or wholly inside
``trees``         the closure of the centre, at all levels in one pass
``hubs``          the largest measure of a single node, where bounds leave few to search from

The proofs are in ``papers/privacy-measures.md``.
"""
