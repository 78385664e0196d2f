"""Sources to graphs: files and Python objects."""
