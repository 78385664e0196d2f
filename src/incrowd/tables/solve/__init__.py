"""Row types -> plan, one paper each."""
