"""The least release under requirements: components, their rows added as a point breaks them, branch and cut.

``requirement_rows``  linear rows of a requirement, and those that given classes break
``known_rows``   which of them a component's programs have
``component``    one component: its bound, releases near it, and searches up to a limit that rises
``solver``       from the list of instances to a release with its bound

Beyond the papers; the integer program is made from that of BredereckNichterleinNiedermeier2013 (Section 2.2), with the
rows of requirements as in Theorem 9 of "On the complexity of t-closeness anonymization and related problems".
"""
