"""The least release under requirements: components, their rows added as a point breaks them, branch and cut.

``component``  one component: its linear program with cuts, what can be left out, its integer program
``solver``     from the list of instances to a release with its bound

Beyond the papers; the integer program is made from that of BredereckNichterleinNiedermeier2013 (Section 2.2), with the
rows of requirements as in Theorem 9 of "On the complexity of t-closeness anonymization and related problems".
"""
