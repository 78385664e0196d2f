"""A certificate rechecked from the edges alone: no kernel and no solver is used here."""
