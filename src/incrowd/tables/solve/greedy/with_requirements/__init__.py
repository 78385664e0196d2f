"""The greedy under any set of requirements, beyond the papers: every group that changes is checked again.

``greedy``       from the scan to a plan with its bound
``scan``         cheapest patterns first: every instance takes rows that meet everything
``turns``        the same, instance by instance
``group_state``  groups in the making, for the steps that change them
``move_rows``    rows lent to leftover ones, so that they are a group together
``merge``        groups that merge until they meet everything, and split where they can
"""
