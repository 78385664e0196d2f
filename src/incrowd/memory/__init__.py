"""A limit on the memory of the whole process: what the system counts, how it is kept, and words for it.

``size``      sizes as people write them: ``4GB``
``process``   what this process holds, as the system counts it
``limit``     a limit kept: what a run may still take, and a thread that ends a search, or the run, where it comes near
"""
