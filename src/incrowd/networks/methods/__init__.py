"""The paper's algorithms and theorems by name, each as it is written, with what it guarantees.

``outcome``   what a method found, and what all methods say of themselves
``measures``  the largest measure, or the least set of measure at least k: Algorithms I to IV
``levels``    the least set of measure exactly k: Algorithm V, Theorems 2(c), 3(b), 3(c)
``question``  the question that a method takes, its size, its run

The algorithms themselves are in ``solve``; the sweep and the searches that answer without a name are faster and have
no limit on the size.

References
----------
T. Chatterjee, B. DasGupta, N. Mobasheri, V. Srinivasan, I. G. Yero, On the computational complexities of three
privacy measures for large networks under active attack.
"""
