"""Charts made from facts alone. ``process`` draws them in a process of their own (``draw`` is its program)."""
