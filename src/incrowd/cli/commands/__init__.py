"""One file a command, named as it is; none knows another.

``anonymize verify checker``     a release made, and held against its original
``audit usefulness tradeoff``    what is known of a table, a release, a choice of k
``init hierarchy``               a policy and hierarchies to start from
``network``                      questions about networks
``list demo instance reproduce`` what there is, the main job, hard problems, the papers' experiments
"""
