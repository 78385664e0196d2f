"""Finding node sets of a wanted measure; one method a module."""
