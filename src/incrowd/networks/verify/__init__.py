"""A certificate rechecked from the edges by a stranger: no kernel and no solver is used here."""
