"""The greedy under any set of requirements, beyond the papers: every class that changes is checked again.

``greedy``       from the scan to a plan with its bound
``class_plan``  classes in the making, for the steps that change them
``moves``        the repair, of k alone too: rows lent to what is left over, classes merged until they are good
"""
