"""Facts as one self-contained HTML file each. ``html`` renders and writes, ``page`` is what all pages are made of."""
