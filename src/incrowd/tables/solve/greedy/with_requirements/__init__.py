"""The greedy under any set of requirements, beyond the papers: every group that changes is checked again.

``greedy``       from the scan to a plan with its bound
``group_state``  groups in the making, for the steps that change them
"""
