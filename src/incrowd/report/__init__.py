"""A result is typed facts and one document; a terminal, a file, a notebook and the app render it."""
